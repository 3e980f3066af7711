"""What a study shows is made again when what it rests on changes, and measured of the replicate that is meant for it.

Source of truth: the rules that a dry run names, after one change at a time to a folder in which everything was made; by
a paper of another distribution, whose tables and numbers are in different files.
"""

import os
import re

import pytest
from plugin.conftest import distribution
from reference.tiny_study import NETWORKS

NUMBERS = 'Columns("a", numbers="b")'
PAPER = f"""from pathlib import Path

from ockham.contracts import Columns, Paper, Shown

PAPER = Paper(
    "shown", Path(__file__).parent, parameters="shown.tables:PARAMETERS",
    tables={{"scored": Shown("shown.tables:table"), "cost": Shown("shown.tables:table", costs=True)}},
    numbers={{"numbers.csv": {NUMBERS}}},
)
"""
TABLES = """import numpy as np
import pandas as pd

PARAMETERS = {"s1": np.full((1, 2), 0.5), "y1": np.full((2, 2), 0.5), "y2": np.full((2, 3), 1 / 3)}


def table(stored, paper):
    return pd.DataFrame({"numbers": list(map(repr, paper.numbers.values()))})
"""
FILES = {"shown/__init__.py": PAPER, "shown/tables.py": TABLES, "shown/numbers.csv": "a,b\n1,2\n"}
CONFIG = NETWORKS | {
    "paper": "shown", "replicates": {"published": True, "prior_draws": 1}, "sizes": [5],
    "scorers": {"exact": {"split": {}}}, "measurements": {"schedules": {}},
}  # fmt: skip
MEASURED = "results/tiny/schedules.nc"
TABLED = ("figures/tiny/scored.csv", "figures/tiny/cost.csv")


@pytest.fixture(scope="module")
def made(new_folder, tmp_path_factory):
    """A folder in which it was all made, by a copy of the package."""
    site = distribution(tmp_path_factory.mktemp("site"), "ockham-shown", {"papers": {"shown": "shown:PAPER"}}, FILES)
    folder = new_folder(CONFIG)
    folder.copy_package()
    folder.package["PYTHONPATH"] = os.pathsep.join([str(site), folder.package["PYTHONPATH"]])
    folder.site = site
    folder.snakemake(MEASURED, *TABLED)
    return folder


@pytest.fixture
def folder(made):
    """The same folder for a test that changes it: what was changed is put back."""
    changeable = [made.path / "package/ockham/io/tables.py", made.site / "shown/__init__.py"]
    before = {path: path.read_text() for path in changeable}
    yield made
    for path, text in before.items():
        path.write_text(text)
    made.write(CONFIG)


def rules(folder, *arguments):
    """The rules that a run would follow."""
    said = folder.snakemake("--dry-run", *arguments, MEASURED, *TABLED)
    return re.findall(r"^(?:local)?rule (\w+):", said, re.MULTILINE)


def test_an_unchanged_study_is_made(folder):
    assert rules(folder) == []


def test_tables_rest_on_how_tables_are_written(folder):
    source = folder.path / "package/ockham/io/tables.py"
    source.write_text(source.read_text() + "# a remark\n")
    assert sorted(rules(folder)) == ["tabulate", "tabulate_costs"]


def test_tables_rest_on_what_the_papers_numbers_are(folder):
    source = folder.site / "shown/__init__.py"
    source.write_text(PAPER.replace(NUMBERS, 'Columns("a", texts="b")'))
    assert sorted(rules(folder)) == ["tabulate", "tabulate_costs"]


def test_measurements_rest_on_the_studys_configuration(folder):
    """They take the whole study, its scorers' settings among them."""
    folder.write(CONFIG | {"scorers": {"exact": {"split": {}, "settings": {"max_completions": 1000}}}})
    assert "measure" in rules(folder)


@pytest.mark.parametrize(("prior_draws", "measured"), [(3, 1), (0, 0)])
def test_the_first_replicate_that_is_not_published_is_measured(prior_draws, measured, folder):
    folder.write(CONFIG | {"replicates": {"published": True, "prior_draws": prior_draws}})
    said = folder.snakemake("--dry-run", "--forcerun", "measure", MEASURED)
    (found,) = re.findall(r"^(?:local)?rule measure:\n    input: (.*)$", said, re.MULTILINE)
    assert found == f"results/tiny/data/replicate-{measured:03d}.nc"
