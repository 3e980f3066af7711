"""What a store was made under is compared when the workflow is read, whatever Snakemake remembers.

One small study of orders, with a measurement that holds measured times, which no two runs share: that they stay shows
that nothing was measured again. The source of truth is what the jobs logged, ``computed X of Y cells``.
"""

import os
import re
import shutil
import time

import pytest
from reference.tiny_study import ORDERS

CONFIG = ORDERS | {
    "measurements": {"linear_extensions": {"sizes": [6], "indegrees": [2], "graphs": 2}},
    "scorers": {"ais": ORDERS["scorers"]["ais"]},
}
STORES = ("data/replicate-001", "scores/ais/all", "scores", "linear_extensions")


@pytest.fixture(scope="module")
def made(new_folder):
    folder = new_folder(CONFIG)
    (folder.path / "figures").mkdir()
    folder.snakemake("--", *targets())
    return folder


@pytest.fixture
def copy(made, new_folder, tmp_path):
    """Another folder with what was made, but not with what Snakemake remembers of it."""
    (tmp_path / "elsewhere").mkdir()
    folder = new_folder(CONFIG, tmp_path / "elsewhere")
    shutil.copytree(made.path / "results", folder.path / "results", copy_function=shutil.copy2)
    return folder


def targets():
    return [f"results/tiny/{name}.nc" for name in ("scores", "linear_extensions", "summaries")]


def computed(folder, *arguments):
    """How many cells a run computes; None if it does not look."""
    logs = folder.path / "results/logs"
    shutil.rmtree(logs, ignore_errors=True)
    folder.snakemake(*arguments, "--", *targets())
    found = [re.search(r"computed (\d+) of", log.read_text()) for log in logs.glob("tiny/score/*/*.log")]
    return sum(int(match[1]) for match in found) if found else None


def times(folder):
    return folder.path.joinpath("results/tiny/linear_extensions.nc").read_bytes()


def test_a_copy_without_what_snakemake_remembers_is_complete(copy):
    assert "Nothing to be done" in copy.snakemake("--", *targets())


@pytest.mark.parametrize(
    ("change", "n_cells"),
    [
        ({"root_seed": 4}, 4),
        ({"scorers": {"ais": {**CONFIG["scorers"]["ais"], "settings": {"length": 1, "steps": 500}}}}, 4),
        ({"sizes": [10, 20, 30]}, 2),
        ({"measurements": {"linear_extensions": {"sizes": [5], "indegrees": [2], "graphs": 2}}}, None),
    ],
    ids=str,
)
def test_a_changed_configuration_is_seen_and_the_second_run_is_done(change, n_cells, copy):
    before = times(copy)
    copy.write(CONFIG | change)
    assert "Nothing to be done" not in copy.snakemake("--dry-run", "--", *targets())
    assert times(copy) == before
    assert computed(copy) == n_cells
    assert times(copy) != before
    shutil.rmtree(copy.path / ".snakemake")
    assert "Nothing to be done" in copy.snakemake("--", *targets())


def test_a_target_is_made_without_others_that_are_stale(copy):
    before = times(copy)
    copy.write(CONFIG | {"root_seed": 4})
    copy.snakemake("--", "results/tiny/scores/ais/all.nc")
    assert times(copy) == before


def test_touched_files_are_neither_computed_nor_measured_again(copy):
    """What is made first is the youngest, so that Snakemake has every job done again."""
    before, now = times(copy), time.time()
    for age, name in enumerate(STORES, start=1):
        for path in copy.path.glob(f"results/tiny/{name}.*"):
            os.utime(path, (now - 100 * age,) * 2)
    os.utime(copy.path / "config/tiny.yaml")
    assert computed(copy) == 0
    assert times(copy) == before


def test_another_folder_of_configurations_computes_and_measures_nothing(made, new_folder, tmp_path):
    """Though Snakemake remembers, and sees that parameters of the rules have changed."""
    folder = new_folder(CONFIG, tmp_path)
    folder.be_copy_of(made)
    before = times(folder)
    shutil.copytree(folder.path / "config", folder.path / "studies")
    file = folder.path / "studies/workflow.yaml"
    file.write_text(file.read_text().replace("config: config", "config: studies"))
    assert computed(folder, "--configfile", "studies/workflow.yaml") == 0
    assert times(folder) == before


def test_a_damaged_measurement_is_made_again(copy):
    """A job runs whenever an input is younger, and keeps what is there only if that is sound."""
    path = copy.path / "results/tiny/linear_extensions.nc"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, (1, 1))
    computed(copy)
    assert times(copy) != bytes(content)
    assert "seconds" in copy.call("ockham", "show", str(path)).stdout
