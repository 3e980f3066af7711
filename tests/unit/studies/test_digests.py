"""A digest covers the source that a scorer's numbers depend on, and no other.

Truth: edits of a copy of the package's source, one file at a time, with the dependence of each written out by hand.
"""

import shutil
from pathlib import Path

import pytest

from ockham.studies.loading import load as load_study
from ockham.studies import digests
from ockham.studies.digests import source_tree_digest
from ockham.studies.records import draw_specification

EM, VB, EXACT = "scorers.em", "scorers.vb", "scorers.exact"
EVERY = {EM, VB, EXACT}
FITS = {EM, VB}
DRAW, DIRICHLET = "datasets.ancestral_sampling", "models.dirichlet"

DEPENDENTS = {
    "scorers/em.py": {EM},
    "scorers/vb.py": {VB},
    "scorers/exact.py": {EXACT},
    "inference/em.py": {EM},
    "inference/variational_em.py": {VB},
    "inference/completions.py": {EXACT},
    "inference/relabellings.py": {EM, EXACT},
    "inference/set_partitions.py": {EXACT},
    "inference/convergence.py": FITS,
    "inference/fit_scores.py": {EM},
    "inference/expectation.py": FITS,
    "kernels/em.pyx": {EM},
    "kernels/variational_em.pyx": {VB},
    "kernels/completions.pyx": {EXACT},
    "kernels/checks.pxd": EVERY | {DIRICHLET},
    "kernels/dirichlet.pyx": FITS | {DIRICHLET},
    "kernels/sampling.pxd": FITS | {DIRICHLET},
    "kernels/expectation.pxd": FITS,
    "kernels/beta.pxd": EVERY | {DIRICHLET},
    "kernels/sums.pxd": EVERY | {DIRICHLET},
    "kernels/special.pxd": EVERY | {DIRICHLET},
    "kernels/complete_data.pyx": EVERY | {DIRICHLET},
    "models/dirichlet.py": FITS | {DIRICHLET},
    "models/discrete_network.py": EVERY | {DRAW, DIRICHLET},
    "datasets/unique_rows.py": EVERY,
    "datasets/ancestral_sampling.py": {DRAW},
    "streams.py": EVERY | {DIRICHLET},
}
NOTHING_DEPENDS = [
    "__init__.py",
    "cli.py",
    "code_digest.py",
    "collecting.py",
    "contracts.py",
    "errors.py",
    "kernels/__init__.py",
    "models/structure_space.py",
    "plots/figure_4.py",
    "records.py",
    "scorers/__init__.py",
    "settings.py",
    "studies/cells.py",
    "summaries/ranks.py",
]


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the package's source that the digests are taken of."""
    root = tmp_path / "ockham"
    only_source = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(digests.ROOT, root, ignore=only_source)
    monkeypatch.setattr(code_digest, "ROOT", root)
    code_digest.code_digest.cache_clear()
    yield root
    code_digest.code_digest.cache_clear()


def digests():
    code_digest.code_digest.cache_clear()
    return {module: code_digest.code_digest(module) for module in sorted(EVERY | {DRAW, DIRICHLET})}


def changed_by(path, edit=lambda content: content + b"\n# a remark\n"):
    before = digests()
    path.write_bytes(edit(path.read_bytes()))
    after = digests()
    return {module for module in before if before[module] != after[module]}


@pytest.mark.parametrize("name", DEPENDENTS)
def test_an_edit_changes_the_digests_that_depend_on_it(name, copy):
    assert changed_by(copy / name) == DEPENDENTS[name]


@pytest.mark.parametrize("name", NOTHING_DEPENDS)
def test_an_edit_elsewhere_changes_nothing(name, copy):
    assert (copy / name).is_file()
    assert changed_by(copy / name) == set()


@pytest.mark.parametrize(
    "name",
    [
        "datasets/ancestral_sampling.py",
        "kernels/complete_data.pyx",
        "models/dirichlet.py",
        "streams.py",
        "studies/beal_ghahramani_2006.py",
    ],
)
def test_stored_data_do_not_outlive_the_source_that_drew_them(name, copy):
    """Replicate 0 has the published parameters; the streams name every draw."""
    study = load_study(Path(__file__).parents[3] / "config" / "smoke" / "beal_ghahramani_2006.yaml")
    before = draw_specification(study, 0)
    path = copy / name
    path.write_bytes(path.read_bytes() + b"\n# a remark\n")
    code_digest.code_digest.cache_clear()
    assert draw_specification(study, 0) != before


def test_documents_and_new_files_change_nothing(copy):
    before = digests()
    (copy / "kernels" / "notes.md").write_text("em\n")
    (copy / "scorers" / "another.py").write_text("from ockham.inference import em\n")
    assert digests() == before


def test_line_endings_do_not_matter(copy):
    assert changed_by(copy / "scorers/vb.py", lambda content: content.replace(b"\n", b"\r\n")) == set()


def test_a_new_import_is_followed(copy):
    (copy / "inference" / "extra.py").write_text("from ockham.kernels import completions\n")
    path = copy / "scorers" / "vb.py"
    assert changed_by(path, lambda content: b"import ockham.inference.extra\n" + content) == {VB}
    assert changed_by(copy / "inference" / "extra.py") == {VB}
    assert changed_by(copy / "kernels" / "completions.pyx") == {VB, EXACT}


def test_a_new_cimport_is_followed(copy):
    path = copy / "kernels" / "em.pyx"
    (copy / "kernels" / "extra.pxd").write_text("cdef int nothing\n")
    assert changed_by(path, lambda content: b"from ockham.kernels.extra cimport nothing\n" + content) == {EM}
    assert changed_by(copy / "kernels" / "extra.pxd") == {EM}


@pytest.mark.parametrize("module", sorted(EVERY | {DRAW, DIRICHLET}))
def test_what_depends_is_what_is_listed(module):
    """No file is in a closure without a line in the table above."""
    closure = {path.relative_to(digests.ROOT).as_posix() for path in code_digest._closure(module)}
    assert closure == {name for name, modules in DEPENDENTS.items() if module in modules}


def test_the_whole_tree_is_digested_source_by_source(copy):
    before = source_tree_digest(copy)
    assert before == source_tree_digest(Path(code_digest.__file__).parent)
    for name in ("README.md", "kernels/meson.build", "kernels/em.so"):
        (copy / name).write_text("not source\n")
    assert source_tree_digest(copy) == before
    style = copy / "plots" / "style.py"
    style.write_bytes(style.read_bytes() + b"\n")
    assert source_tree_digest(copy) != before
