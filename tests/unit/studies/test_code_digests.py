"""A digest covers the source that numbers and figures depend on, and no other.

Truth: edits of a copy of the package's source, and the imports of every file, read here line by line or by Python's own
parser. What is digested are all scorers, summaries, measurements, figures and tables that are registered.
"""

import ast
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from ockham import families
from ockham.studies import code_digests
from ockham.studies.code_digests import source_tree_digest
from ockham.studies.keys import draw_specification, measuring_digest
from ockham.studies.loading import load

SMOKE = Path(__file__).parents[3] / "config/smoke"
REMARK = b"\n# a remark\n"
SUFFIXES = (".py", ".pyx", ".pxd")


def named_modules():
    """The module of everything that the workflow takes a digest for, with what it is; of this package alone."""
    found = {}
    for name in families.family_names():
        family = families.family(name)
        found[f"family {name}"] = families.module_name(family)
        found[f"summaries of {name}"] = families.module_name(family.summaries)
        for scorer in families.scorer_names(name):
            found[f"scorer {name}.{scorer}"] = families.scorer(name, scorer).__name__
        for measurement, module in family.measurements.items():
            found[f"measurement {measurement}"] = module
    for name in families.paper_names():
        paper = families.paper(name)
        for label, shown in {**paper.figures, **paper.tables}.items():
            found[f"{label} of {name}"] = families.module_name(shown.function)
        if paper.parameters:
            found[f"parameters of {name}"] = families.module_name(paper.parameters)
    return {label: module for label, module in found.items() if module.startswith("ockham.")}


THINGS = named_modules()


def files_by_module(root):
    """Module to its files: a kernel has two, its own and what others cimport."""
    found = {}
    for path in sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES):
        parts = ["ockham", *path.relative_to(root).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if path.name != "__init__.pxd":  # marks a folder for Cython, and is empty
            found.setdefault(name, set()).add(path)
    return found


def imported(path, modules):
    """The modules that a file imports: of a name, the module that it is, or else the one that has it."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        nodes = list(ast.walk(ast.parse(text)))
        named = [
            (node.module, alias.name) for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
        ]
        named += [(alias.name, None) for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    else:
        lines = [
            words for line in text.splitlines() if (words := re.split(r"[\s,()]+", line.partition("#")[0].strip()))
        ]
        named = [(line[1], name) for line in lines if line[0] == "from" for name in line[3:]]
        named += [(name, None) for line in lines if line[0] in ("cimport", "import") for name in line[1:]]
    return {next((m for m in (f"{module}.{name}", module) if m in modules), None) for module, name in named} - {None}


def closures(root):
    """Thing to the files of all that its module imports, directly or not, and its own."""
    modules = files_by_module(root)
    direct = {name: set().union(*(imported(path, modules) for path in paths)) for name, paths in modules.items()}
    found = {}
    for thing, start in THINGS.items():
        reached, waiting = set(), {start}
        while waiting:
            name = waiting.pop()
            reached.add(name)
            waiting |= direct[name] - reached
        found[thing] = set().union(*(modules[name] for name in reached))
    return found


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the package's source that digests are taken of, and the files that everything depends on there."""
    root = tmp_path_factory.mktemp("source") / "ockham"
    shutil.copytree(code_digests.ROOT, root, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_digests, "ROOT", root)
        forget()
        yield root, closures(root)
    forget()


@pytest.fixture
def root(tree):
    """The copy for a test that changes it: what was changed is put back."""
    root, _ = tree
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    forget()
    yield root
    for path in [path for path in root.rglob("*") if path.is_file() and path not in before]:
        path.unlink()
    for path, content in before.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
    forget()


def forget():
    code_digests.code_digest.cache_clear()
    code_digests._imports.cache_clear()


def digest(module):
    """Read anew; which modules a file names is kept until ``forget``, for a remark does not change that."""
    code_digests.code_digest.cache_clear()
    return code_digests.code_digest(module)


def digests_of_all():
    forget()
    return {thing: digest(module) for thing, module in THINGS.items()}


def changed_by(edit):
    """The things whose digest an edit of the copy changes."""
    before = digests_of_all()
    edit()
    after = digests_of_all()
    return {thing for thing in THINGS if before[thing] != after[thing]}


def append(path, content=REMARK):
    path.write_bytes(path.read_bytes() + content)


def dependents(tree, path):
    return {thing for thing, files in tree[1].items() if path in files}


def test_everything_that_is_registered_is_looked_at():
    kinds = {label.split()[0] for label in THINGS}
    assert {"family", "summaries", "scorer", "measurement", "figure_2", "table_2", "computation_time"} <= kinds
    assert len({name for name in THINGS if name.startswith("scorer ")}) >= 16


@pytest.mark.parametrize("thing", THINGS)
def test_an_edit_of_any_file_that_it_depends_on_changes_the_digest(thing, tree):
    module, before = THINGS[thing], digest(THINGS[thing])
    for path in sorted(tree[1][thing]):
        content = path.read_bytes()
        append(path)
        after = digest(module)
        path.write_bytes(content)
        assert after != before, path
    assert digest(module) == before


@pytest.mark.parametrize("thing", THINGS)
def test_an_edit_of_no_other_file_does(thing, tree):
    """All of them are edited at once: a digest that one alone would change would change with all, too."""
    root, closure = tree
    others = {path: path.read_bytes() for path in root.rglob("*") if path.suffix in SUFFIXES}
    others = {path: content for path, content in others.items() if path not in closure[thing]}
    before = digest(THINGS[thing])
    for path in others:
        append(path)
    after = digest(THINGS[thing])
    for path, content in others.items():
        path.write_bytes(content)
    assert others
    assert after == before


@pytest.mark.parametrize("study", ["beal_ghahramani_2006.yaml", "niinimaki_koivisto_2013.yaml:small"])
def test_stored_data_do_not_outlive_the_source_that_drew_them(study, tree):
    """The family's module draws; a replicate 0 has the published parameters."""
    study = load(SMOKE / study)
    root, closure = tree
    drawing = closure[f"family {study.family.name}"]
    if study.replicates.published:
        drawing = drawing | closure[f"parameters of {study.paper}"]
    replicate = study.replicates.indices()[0]
    forget()
    before = draw_specification(study, replicate)
    for path in [*sorted(drawing), root / "cli.py", root / "studies/records.py", root / "summaries/ranks.py"]:
        content = path.read_bytes()
        append(path)
        code_digests.code_digest.cache_clear()
        after = draw_specification(study, replicate)
        path.write_bytes(content)
        assert (after != before) == (path in drawing), path


def test_documents_and_new_files_change_nothing(root):
    def edit():
        (root / "kernels/notes.md").write_text("em\n")
        (root / "networks/scorers/another.py").write_text("from ockham.networks.inference import em\n")

    assert changed_by(edit) == set()


def test_line_endings_do_not_matter(root):
    path = root / "networks/scorers/vb.py"
    assert changed_by(lambda: path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))) == set()


def test_a_new_import_is_followed(root, tree):
    extra, vb = root / "networks/inference/extra.py", root / "networks/scorers/vb.py"
    extra.write_text("from ockham.kernels import boltzmann\n")
    using = dependents(tree, vb)
    boltzmann = root / "kernels/boltzmann.pyx"
    assert using
    assert not using & dependents(tree, boltzmann)
    line = b"import ockham.networks.inference.extra\n"
    assert changed_by(lambda: vb.write_bytes(line + vb.read_bytes())) == using
    assert changed_by(lambda: append(extra)) == using
    assert changed_by(lambda: append(boltzmann)) == using | dependents(tree, boltzmann)


def test_a_new_cimport_is_followed(root, tree):
    kernel, extra = root / "kernels/em.pyx", root / "kernels/extra.pxd"
    extra.write_text("cdef int nothing\n")
    using = dependents(tree, kernel)
    assert using
    line = b"from ockham.kernels.extra cimport nothing\n"
    assert changed_by(lambda: kernel.write_bytes(line + kernel.read_bytes())) == using
    assert changed_by(lambda: append(extra)) == using


def test_a_file_that_only_moves_changes_nothing_but_what_imports_it(root, tree):
    old, new = "ockham.networks.inference.set_partitions", "ockham.networks.partitions"
    path, place = root / "networks/inference/set_partitions.py", root / "networks/partitions.py"
    modules = files_by_module(root)
    every = set().union(*modules.values())
    importing = {file for file in every if old in imported(file, modules)}
    assert importing
    before = digest(old)

    def move():
        path.rename(place)
        for file in importing:
            text = file.read_text().replace("inference.set_partitions", "partitions")
            file.write_text(text.replace("from ockham.networks.inference import set_partitions", f"import {new}"))

    assert changed_by(move) == set().union(*(dependents(tree, file) for file in importing)) < set(THINGS)
    assert digest(new) == before


def test_a_thing_that_only_moves_keeps_its_digest(root):
    """Such as a scorer whose package gets another name: no value of it is computed again."""
    before = digest("ockham.networks.scorers.vb")
    (root / "networks/scorers/vb.py").rename(root / "networks/variational.py")
    forget()
    assert digest("ockham.networks.variational") == before


def test_the_whole_tree_is_digested_source_by_source(root):
    before = source_tree_digest(root)
    assert before == source_tree_digest(Path(code_digests.__file__).parents[1])
    for name in ("README.md", "kernels/meson.build", "kernels/em.so"):
        (root / name).write_text("not source\n")
    assert source_tree_digest(root) == before
    append(root / "papers/style.py", b"\n")
    assert source_tree_digest(root) != before


@pytest.mark.parametrize(
    ("file", "changes"),
    [("bridge.py", True), ("vb.py", True), ("smc.py", True), ("exact.py", True), ("candidate.py", False)],
)
def test_a_measurement_rests_on_the_scorers_that_it_runs_by_their_names(file, changes, root):
    """``certified`` runs those of the family's plan, and imports none of them."""
    study = SimpleNamespace(family=families.family("discrete_network"))
    before = measuring_digest(study, "certified"), measuring_digest(study, "schedules")
    append(root / "networks/scorers" / file)
    code_digests.code_digest.cache_clear()
    after = measuring_digest(study, "certified"), measuring_digest(study, "schedules")
    assert (before[0] != after[0], before[1] != after[1]) == (changes, False)


@pytest.mark.parametrize("names", ["(\n    one, two\n)", "(one,\n     two)", "one, two"])
def test_names_of_a_cimport_may_stand_on_several_lines(names):
    text = f"from ockham.kernels.shared cimport {names}\nfrom libc.math cimport log\n"
    assert list(code_digests._of_cython(text)) == [
        ("ockham.kernels.shared", "one"), ("ockham.kernels.shared", "two"), ("libc.math", "log"),
    ]  # fmt: skip
