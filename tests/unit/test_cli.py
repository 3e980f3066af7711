"""The ``ockham`` command draws, scores, recomputes and shows, and ends with one line where it cannot.

Source of truth: the functions behind it, called directly, and the files that it leaves.
"""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from reference.stored_studies import ockham
from reference.tiny_study import NETWORKS, write

from ockham.studies import cells, records
from ockham.studies.loading import load

CONFIG = NETWORKS | {
    "only": None,
    "scorers": {"em": {"runs": 2}, "vb": {"runs": 2, "split": {"replicate": 1, "run": 1}}, "exact": {"sizes": [5]}},
}


@pytest.fixture
def config(tmp_path):
    return write(tmp_path, CONFIG)


@pytest.fixture
def results(config, tmp_path):
    """The results folder after drawing replicate 2 and scoring its blocks, as the workflow does."""
    folder = tmp_path / "results"
    data = folder / "tiny/data/replicate-002.nc"
    ockham("draw", config, "--replicate", 2, "--output", data)
    for scorer, block in (("em", "replicate-002"), ("vb", "replicate-002_run-00"), ("vb", "replicate-002_run-01")):
        ockham("score", config, scorer, block, data, "--output", folder / f"tiny/scores/{scorer}/{block}.nc")
    return folder


def block_path(results, scorer="em", block="replicate-002"):
    return results / f"tiny/scores/{scorer}/{block}.nc"


def stored(config, path, scorer="em", block="replicate-002"):
    study = load(config)
    return records.read_block(path, study, study.blocks(scorer)[block])


def spoil(config, path, scorer="em", block="replicate-002"):
    """Add a nat to every score of a store, keys untouched."""
    study, values = load(config), stored(config, path, scorer, block)
    for array in values.scores.values():
        array += 1.0
    records.write_block(path, study, study.blocks(scorer)[block], values)


def test_check_says_what_a_study_amounts_to(config):
    assert ockham("check", config).stdout.splitlines() == [
        f"{config}: tiny, 4 structures, 2 sizes, 2 replicates",
        "  em: 32 cells in 2 jobs",
        "  vb: 32 cells in 4 jobs",
        "  exact: 8 cells in 2 jobs",
    ]


def test_help_and_version():
    commands = ockham("--help").stdout
    assert all(name in commands for name in ("cell", "check", "draw", "schema", "score", "show", "verify"))
    assert ockham("-h").stdout == commands
    assert "ockham" in ockham("--version").stdout or "main" in ockham("--version").stdout


def test_the_package_is_run_as_the_command():
    done = subprocess.run((sys.executable, "-m", "ockham", "--version"), capture_output=True, text=True, check=True)
    assert done.stdout == f"ockham, version {version('ockham')}\n"


def test_draw_writes_the_draw(config, tmp_path):
    path = tmp_path / "new/folder/draw.nc"
    ockham("draw", config, "--replicate", 1, "--output", path)
    study = load(config)
    np.testing.assert_array_equal(records.read_draw(path, study).states, cells.draw_replicate(study, 1).states)
    assert [p.name for p in path.parent.iterdir()] == ["draw.nc"]


def test_score_computes_once(config, results):
    arguments = ("score", config, "em", "replicate-002", results / "tiny/data/replicate-002.nc", "--output")
    assert ockham(*arguments, results / "em.nc").stdout == "em replicate-002: computed 16 of 16 cells\n"
    assert ockham(*arguments, results / "em.nc").stdout == "em replicate-002: computed 0 of 16 cells\n"
    here, there = stored(config, results / "em.nc"), stored(config, block_path(results))
    assert all(here.scores[name].tobytes() == there.scores[name].tobytes() for name in here.scores)


def test_score_completes_what_is_there(config, results):
    write(config.parent, CONFIG | {"sizes": [5, 7, 10]})
    arguments = ("score", config, "em", "replicate-002", results / "tiny/data/replicate-002.nc")
    assert "computed 8 of 24 cells" in ockham(*arguments, "--output", block_path(results)).stdout


def test_cell_is_the_same_as_stored(config, results):
    for scorer, names in (("em", 4 + 4 + 4), ("vb", 1 + 1 + 3)):  # scores, doubts and diagnostics
        lines = ockham("cell", config, "--scorer", scorer, "--replicate", 2, "--n", 10, "--structure", "1-1",
                       "--results", results).stdout.splitlines()  # fmt: skip
        assert len(lines) == 2 * names
        assert all(line.endswith("  same") for line in lines)
        assert not any("np.float64" in line for line in lines)


CELL = ("--replicate", 2, "--n", 10, "--structure", "1-1")


def test_cell_tells_a_stored_value_that_differs(config, results):
    path = block_path(results)
    spoil(config, path)
    before = path.read_bytes()
    lines = ockham("cell", config, "--scorer", "em", *CELL, "--results", results, status=1).stdout.splitlines()
    assert sum(line.endswith("  DIFFERENT") for line in lines) == 8
    assert sum(line.endswith("  same") for line in lines) == len(lines) - 8
    assert path.read_bytes() == before


def test_cell_tells_what_is_not_stored(config, results):
    path = block_path(results)
    path.unlink()
    lines = ockham("cell", config, "--scorer", "em", *CELL, "--results", results, status=1).stdout.splitlines()
    assert all(line.endswith("  not stored") for line in lines)
    assert not path.exists()


def test_cell_does_not_need_the_stored_data(config, results):
    (results / "tiny/data/replicate-002.nc").unlink()
    ockham("cell", config, "--scorer", "em", *CELL, "--results", results)


def test_cell_write_computes_just_its_runs(config, results):
    """Every other cell keeps the mark that was put on it."""
    truth = stored(config, block_path(results))
    spoil(config, block_path(results))
    output = ockham("cell", config, "--scorer", "em", *CELL, "--results", results, "--write").stdout
    assert f"{block_path(results)}: computed 2 of 16 cells" in output
    after = stored(config, block_path(results))
    here = 0, 1, list(load(config).models).index("1-1")
    elsewhere = np.ones(after.keys.shape, dtype=bool)
    elsewhere[here] = False
    np.testing.assert_array_equal(after.keys, truth.keys)
    for name, array in after.scores.items():
        np.testing.assert_array_equal(array[here], truth.scores[name][here])
        np.testing.assert_array_equal(array[elsewhere], truth.scores[name][elsewhere] + 1.0)
    ockham("cell", config, "--scorer", "em", *CELL, "--results", results)


def test_cell_write_reaches_every_block_of_its_runs(config, results):
    for run in ("run-00", "run-01"):
        spoil(config, block_path(results, "vb", f"replicate-002_{run}"), "vb", f"replicate-002_{run}")
    output = ockham("cell", config, "--scorer", "vb", *CELL, "--results", results, "--write").stdout
    assert output.count("computed 1 of 8 cells") == 2
    ockham("cell", config, "--scorer", "vb", *CELL, "--results", results)


def test_cell_write_needs_one_replicate_only(tmp_path, config):
    """Where a block has several replicates and nothing is stored yet."""
    write(config.parent, CONFIG | {"scorers": {"em": {"runs": 2, "split": {}}}})
    output = ockham("cell", config, "--scorer", "em", *CELL, "--results", tmp_path / "results", "--write").stdout
    assert "computed 2 of 32 cells" in output


def test_cell_write_leaves_a_stale_block_to_the_workflow(config, results):
    """After a change of settings every cell of the block is stale; ``--write`` still computes just the runs named."""
    scorers = CONFIG["scorers"] | {"em": {"runs": 2, "settings": {"max_iterations": 3}}}
    write(config.parent, CONFIG | {"scorers": scorers})
    output = ockham("cell", config, "--scorer", "em", *CELL, "--results", results, "--write").stdout
    assert "computed 2 of 16 cells" in output


def test_show(results):
    text = ockham("show", block_path(results)).stdout
    for part in (
        "study: tiny",
        "scorer: em",
        "dimension n = 2",
        "cheeseman_stutz(replicate, n, structure, run)",
        "nats",
    ):
        assert part in text
    assert "states(row, variable)" in ockham("show", results / "tiny/data/replicate-002.nc").stdout


ERRORS = {
    "draw of an unknown replicate": (
        ("draw", "{config}", "--replicate", 3, "--output", "{out}"), "replicate: 3 is not one of 1, 2",
    ),
    "unknown scorer": (
        ("score", "{config}", "gibbs", "replicate-002", "{data}", "--output", "{out}"),
        "scorers: 'gibbs' is not one of em, vb, exact",
    ),
    "unknown block": (
        ("score", "{config}", "em", "all", "{data}", "--output", "{out}"),
        "block of em: 'all' is not one of replicate-001, replicate-002",
    ),
    "data of another replicate": (
        ("score", "{config}", "em", "replicate-001", "{data}", "--output", "{out}"),
        "data file of replicate: 1 is not one of 2",
    ),
    "data that is a block": (
        ("score", "{config}", "em", "replicate-002", "{block}", "--output", "{out}"), "has no attribute 'replicate'",
    ),
    "data that is no netCDF": (
        ("score", "{config}", "em", "replicate-002", "{config}", "--output", "{out}"), "not a readable netCDF file",
    ),
    "missing data": (
        ("score", "{config}", "em", "replicate-002", "nowhere.nc", "--output", "{out}"), "nowhere.nc: not a readable",
    ),
    "output of another scorer": (
        ("score", "{config}", "em", "replicate-002", "{data}", "--output", "{other}"), "attribute scorer is 'vb'",
    ),
    "cell of an unknown size": (
        ("cell", "{config}", "--scorer", "exact", "--replicate", 2, "--n", 10, "--structure", "1-1"),
        "n: 10 is not one of 5",
    ),
    "cell of an unknown structure": (
        ("cell", "{config}", "--scorer", "em", "--replicate", 2, "--n", 10, "--structure", "1-2"),
        "structure: '1-2' is not one of 0-0, 0-1, 1-0, 1-1",
    ),
    "cell of an unknown replicate": (
        ("cell", "{config}", "--scorer", "em", "--n", 10, "--structure", "1-1"),
        "replicate: 0 is not one of 1, 2",
    ),
    "show of a text": (("show", "{config}"), "is no netCDF file; give one that ockham wrote"),
    "no configuration": (("check", "nowhere.yaml"), "nowhere.yaml: cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_one_line_and_write_nothing(case, config, results, tmp_path):
    arguments, message = ERRORS[case]
    places = {
        "config": config,
        "out": tmp_path / "out.nc",
        "data": results / "tiny/data/replicate-002.nc",
        "block": block_path(results),
        "other": block_path(results, "vb", "replicate-002_run-00"),
    }
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = ockham(*(str(argument).format(**places) for argument in arguments), status=2)
    assert result.stdout == ""
    assert result.stderr.startswith("ockham: ")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk that Linux has")
def test_a_full_disk_behind_the_output_ends_in_one_line(config):
    command = [sys.executable, "-m", "ockham.cli", "check", str(config)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "ockham: its output cannot be written (No space left on device); make room\n"


def test_a_model_that_a_scorer_refuses_ends_in_one_line(config, results, tmp_path):
    scorers = {"exact": {"settings": {"max_completions": 1}}}
    write(config.parent, CONFIG | {"scorers": scorers})
    data, out = results / "tiny/data/replicate-002.nc", tmp_path / "out.nc"
    result = ockham("score", config, "exact", "replicate-002", data, "--output", out, status=2)
    assert "higher max_completions" in result.stderr
    assert not out.exists()
