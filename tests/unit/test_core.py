"""Ockham without its extras: what it declares to need is enough for models, estimators and their numbers.

Source of truth: an installation that holds the distributions that the metadata of Ockham names without an extra, those
that they name in turn, and nothing else.
"""

import re
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import ockham

LARGEST = 120.0  # MB of the core: 119 before Python compiles it, 100 of them NumPy, netCDF4 and cftime; 142 after
EVERY_SCORER = Path(__file__).parents[1] / "installed.py"
FREE = ockham.DiscreteNetwork.build({"a": 2}, {})
HEAD = """
import sys
sys.path.insert(0, sys.argv[1])
import ockham
"""
USE = """
found = ockham.select(sys.argv[2], classes=[1, 2], seconds=2)
print(found, found.methods, found._repr_html_())
print(ockham.arcs(sys.argv[2]))
print(ockham.search(sys.argv[2], climbs=1, judged=1, seconds=2))
network = ockham.DiscreteNetwork.build({"h": 2, "p": 2, "q": 2}, {"p": ["h"], "q": ["h"]}, ["h"])
plain = ockham.DiscreteNetwork.build({"p": 2, "q": 2}, {"q": ["p"]})
print(ockham.compare({"classes": network, "arc": plain}, sys.argv[2], drop=["r"], seconds=2))
rows = [[0, 0], [1, 1], [0, 0], [1, 1], [0, 1]] * 4
for model, data in ((network, rows), (mixture, mixed)):
    fitted = ockham.fit_classes(model, data, n_draws=100, n_chains=2)
    averaged = ockham.average_classes([fitted], [1.0])
    print(fitted, fitted.memberships, fitted.check(), averaged.log_predictive(data[:2]))
assert not any(name.partition(".")[0] in ("scipy", "xarray", "pandas", "matplotlib") for name in sys.modules)
"""
FITTED = """
from time import process_time
machine, bits, errors = ockham.RestrictedBoltzmann(2, 1), [[0, 1], [1, 1]], []
ockham.score(machine, bits, "ais", n_steps=10)  # all is imported
for scorer in ockham.scorers(machine):
    begun = process_time()
    try:
        ockham.score(machine, bits, scorer)
    except ockham.ConfigError as error:
        errors.append(scorer)
        print(error)
        assert process_time() - begun < 0.5
print(*errors)
"""
STUDY = """
study: small
root_seed: 1
structures: {space: naive_bayes, classes: [2], feature_cardinalities: {features: 3, values: 2}}
true_structure: classes-2
replicates: {published: false, prior_draws: 1}
sizes: [5, 10]
scorers: {vb: {}}
"""
COMMAND = "from ockham.cli import main; main"
FRAME = """
DataFrame = type("DataFrame", (), {})
try:
    ockham.select(DataFrame(), classes=[1])
except ockham.DataError as error:
    print(error)
"""
TABLE = """
try:
    ockham.arcs(sys.argv[2]).table
except ockham.ConfigError as error:
    print(error)
"""


def needed(name: str, found: dict[str, Distribution]) -> dict[str, Distribution]:
    """The distributions that one needs, itself among them."""
    if name not in found:
        found[name] = distribution(name)
        for line in found[name].requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                needed(requirement.name, found)
    return found


def megabytes(found: dict[str, Distribution]) -> float:
    """What all their files come to, as they are installed."""
    files = (
        Path(dist.locate_file(file)) for dist in found.values() for file in dist.files or () if file.suffix != ".pyc"
    )
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """A folder of links to what the core needs."""
    folder = tmp_path_factory.mktemp("core")
    (folder / "ockham").symlink_to(Path(ockham.__file__).parent)
    for dist in needed("ockham", {}).values():
        tops = {file.parts[0] for file in dist.files or () if file.parts[0] not in ("..", "ockham", "__pycache__")}
        for top in tops | {Path(dist._path).name}:
            if not (folder / top).exists():
                (folder / top).symlink_to(Path(dist._path).parent / top)
    return folder


@pytest.fixture(scope="module")
def csv(tmp_path_factory):
    file = tmp_path_factory.mktemp("table") / "survey.csv"
    file.write_text("p,q,r\n" + "a,x,u\nb,y,u\na,x,v\nb,y,v\na,y,u\n" * 4)
    return file


def run(core, csv, program):
    command = [sys.executable, "-S", "-P", "-c", HEAD + program, core, csv]  # nothing of this environment's packages
    return subprocess.run(command, capture_output=True, text=True)


def test_the_core_scores_selects_and_learns(core, csv):
    done = run(
        core, csv, f"import runpy\nglobals().update(runpy.run_path({str(EVERY_SCORER)!r}, run_name='__main__'))\n{USE}"
    )
    assert done.returncode == 0, done.stderr
    assert {f"DiscreteNetwork {name}" for name in ockham.scorers(FREE)} <= set(
        re.findall(r"^\w+ \w+", done.stdout, re.M)
    )
    assert "Selection" in done.stdout


def test_the_core_draws_and_scores_a_study(core, tmp_path):
    """Into netCDF, which is read again to see that nothing is left to do."""
    study = tmp_path / "study.yaml"
    study.write_text(STUDY)
    data, scores = str(tmp_path / "data.nc"), str(tmp_path / "scores.nc")
    block = [str(study), "vb", "replicate-001", data, "--output", scores]
    commands = [["draw", str(study), "--replicate", "1", "--output", data], ["score", *block], ["score", *block]]
    done = run(core, tmp_path, "".join(f"{COMMAND}({words}, standalone_mode=False)\n" for words in commands))
    assert done.stdout.splitlines()[-2:] == [
        "vb replicate-001: computed 2 of 2 cells", "vb replicate-001: computed 0 of 2 cells",
    ], done.stderr  # fmt: skip


def test_machines_are_fitted_with_an_extra(core, csv):
    """The sentence comes before any work: a fit takes seconds."""
    done = run(core, csv, FITTED)
    *sentences, last = done.stdout.splitlines()
    assert last.split() == ["bic", "cross_validation", "langevin", "laplace"], done.stderr
    assert set(sentences) == {"scipy is not installed, and this needs it; pip install 'ockham[machines]'"}


def test_an_extra_is_absent_and_named(core, csv):
    done = run(core, csv, TABLE)
    assert re.fullmatch(r"pandas is not installed.* pip install 'ockham\[frames\]'\n", done.stdout), done.stderr


def test_a_data_frame_is_read_with_an_extra(core, csv):
    done = run(core, csv, FRAME)
    assert done.stdout == (
        "the data: 'DataFrame' is no path, list or array; for a data frame: narwhals is not installed, and this needs "
        "it; pip install 'ockham[frames]'\n"
    ), done.stderr


@pytest.mark.parametrize("module", ["scipy", "pandas", "narwhals", "xarray", "matplotlib", "snakemake", "pooch"])
def test_nothing_else_is_there(core, csv, module):
    assert f"No module named '{module}'" in run(core, csv, f"import {module}").stderr


def test_the_core_is_small():
    found = needed("ockham", {})
    assert 50 < megabytes(found) < LARGEST
    assert megabytes(needed("scipy", found)) > LARGEST  # as it would be with one of its extras


def test_importing_ockham_imports_nothing_that_it_does_not_use(core, csv):
    done = run(core, csv, "print(*{name.partition('.')[0] for name in sys.modules})")
    assert set(done.stdout.split()).isdisjoint({"numpy", "scipy", "pydantic", "netCDF4", "yaml"})


def test_every_public_name_is_there_in_order():
    assert list(ockham.__all__) == sorted(ockham.__all__)
    assert all(getattr(ockham, name) is not None for name in ockham.__all__)
    stub = Path(ockham.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    imports, _, listed = stub.partition("__all__ = ")
    brought = {
        name for names in re.findall(r"^from \S+ import (.*)$", imports, re.MULTILINE) for name in names.split(", ")
    }
    assert brought == set(re.findall(r'"(\w+)"', listed)) == set(ockham.__all__)
