"""A study of node orders is validated once and whole; runs of its samplers are the same however they are spread.

Sources of truth: broken configurations, each the valid one with one change, and equality of what is computed twice.
"""

import copy
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from reference.orders import random_scores

from ockham.cli import main
from ockham.errors import ConfigError
from ockham.orders.records import VARIABLES, exact_specification, families_specification, samples_specification
from ockham.orders.runs import sample_block, sums_of
from ockham.orders.settings import N_BLOCKS
from ockham.studies.loading import load

REPOSITORY = Path(__file__).parents[3]
VALID = {
    "study": "tiny",
    "model": "node_order",
    "root_seed": 3,
    "max_indegree": 2,
    "data": {"name": "mushroom", "rows": 20, "variables": 6},
    "scorers": {
        "ais_1": {"sampler": "ais", "length": 1, "steps": 2400, "runs": 2, "graphs": 3},
        "mc3_2": {"sampler": "mc3", "ratios": 2, "thin": 2, "steps": 1800, "runs": 2},
    },
}


def written(tmp_path, *changes):
    content = copy.deepcopy(VALID)
    for path, value in changes:
        *parents, last = path.split(".")
        place = content
        for key in parents:
            place = place[key]
        place[last] = value
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(content))
    return path


REFUSED = {
    "indegree": (("max_indegree", 6), "max_indegree: 6 variables have at most 5"),
    "budget of ais": (
        ("scorers.ais_1.steps", 200),
        "ais_1.steps: not enough for two samples; set it to 240 or more",
    ),
    "budget of mc3": (("scorers.mc3_2.steps", 500), "mc3_2.steps: not enough for 100 records; set it to 600 or more"),
    "data": (("data.name", "mice"), "data.name: "),
    "sampler": (("scorers.ais_1.sampler", "gibbs"), "scorers.ais_1"),
    "unknown key": (("scorers.ais_1.thin", 3), "scorers.ais_1.ais.thin: unknown key"),
    "unknown part": (("exact", {"arcs": True}), "exact.arcs: unknown key"),
    "curvature": (("scorers.ais_1.curvature", 0.0), "curvature"),
    "graphs": (("scorers.ais_1.graphs", 0), "graphs"),
    "no sampler": (("scorers", {}), "scorers: "),
    "dropped": (("sums", {"dropped": 0.1}), "sums.dropped: "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, tmp_path):
    change, message = REFUSED[case]
    path = written(tmp_path, change)
    with pytest.raises(ConfigError, match=message):
        load(path)
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ockham: {path}: ")
    assert "Traceback" not in result.output


def test_commands_of_discrete_networks_refuse_it(tmp_path):
    result = CliRunner().invoke(main, ["draw", str(written(tmp_path)), "--replicate", "1", "--output", "x.nc"])
    assert result.exit_code == 2
    assert "model: is 'node_order', which has no cells" in result.stderr


def test_check_counts_the_runs(tmp_path):
    result = CliRunner().invoke(main, ["check", str(written(tmp_path))])
    assert "tiny, 6 variables, 20 rows, indegree 2" in result.output
    assert "ais_1: 2 cells in 2 jobs" in result.output


@pytest.mark.parametrize("method", ["table", "lists"])
def test_a_run_does_not_depend_on_the_others(tmp_path, method):
    """Blocks in any order give the same bits, but for the times; and runs differ from each other."""
    study = load(written(tmp_path, ("sums", {"method": method})))
    scores = random_scores(5, 6, 2)
    for entry in study.scorers:
        blocks = list(study.blocks(entry).values())
        first = [sample_block(study, b, sums_of(study, scores, 1e3)) for b in blocks]
        again = [sample_block(study, b, sums_of(study, scores, 1e3)) for b in reversed(blocks)][::-1]
        for one, other in zip(first, again, strict=True):
            assert set(one) <= set(VARIABLES)
            for name, values in one.items():
                if "seconds" not in name:
                    assert values.tobytes() == other[name].tobytes(), name
        name = "log_weight" if "log_weight" in first[0] else "log_ratio"
        assert (first[0][name] != first[1][name]).all()


def test_runs_do_not_depend_on_the_cut_into_jobs(tmp_path):
    """Two runs in one job have the bits of two jobs; run 2, added, does not change the names of the first jobs."""
    apart = load(written(tmp_path))
    together = load(written(tmp_path, ("scorers.ais_1.runs_per_job", 2), ("scorers.ais_1.runs", 3)))
    assert list(apart.blocks("ais_1")) == ["run-000", "run-001"]
    assert {name: block.runs for name, block in together.blocks("ais_1").items()} == {"run-000": [0, 1], "run-002": [2]}
    sums = sums_of(apart, random_scores(5, 6, 2), 1e3)
    both = sample_block(together, together.blocks("ais_1")["run-000"], sums)["log_weight"]
    for run, block in enumerate(apart.blocks("ais_1").values()):
        assert (sample_block(apart, block, sums)["log_weight"] == both[run]).all()


def test_budgets_are_steps(tmp_path):
    study = load(written(tmp_path))
    ais, mc3 = (next(iter(study.blocks(entry).values())) for entry in study.scorers)
    sums = sums_of(study, random_scores(5, 6, 2), 1e3)
    assert sample_block(study, ais, sums)["log_weight"].shape == (1, 2400 // (6 * 20))
    assert sample_block(study, ais, sums)["parents"].shape == (1, 20, 3, 6)
    assert sample_block(study, mc3, sums)["log_ratio"].shape == (1, N_BLOCKS, 2)
    assert study.scorers["mc3_2"].records_per_block == 1800 // (3 * 2 * N_BLOCKS)


def test_specifications_follow_what_the_numbers_depend_on(tmp_path):
    def specifications(*changes):
        study = load(written(tmp_path, *changes))
        block = study.blocks("ais_1")["run-001"]
        return families_specification(study), samples_specification(study, block), exact_specification(study)

    families, samples, exact = specifications()
    assert specifications() == (families, samples, exact)
    assert specifications(("scorers.mc3_2.steps", 3600)) == (families, samples, exact)
    assert specifications(("scorers.ais_1.steps", 4800))[::2] == (families, exact)
    assert specifications(("scorers.ais_1.steps", 4800))[1] != samples
    assert specifications(("sums", {"dropped": 1e-6}))[::2] == (families, exact)
    for change in (("root_seed", 4), ("data.rows", 19), ("max_indegree", 1), ("sample_size", 2.0)):
        assert all(a != b for a, b in zip(specifications(change), (families, samples, exact), strict=True)), change


def test_scores_of_another_study_are_refused(tmp_path, monkeypatch):
    """The job names the file and the remedy, and writes nothing."""
    monkeypatch.setenv("OCKHAM_DATA", str(tmp_path))
    config = written(tmp_path)
    (tmp_path / "families.nc").write_bytes(b"not netCDF")
    arguments = ["sample", str(config), "ais_1", "run-000", str(tmp_path / "families.nc"), "--output", "x.nc"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "families.nc: not a readable netCDF file" in result.stderr
    assert isinstance(result.exception, SystemExit)
    result = CliRunner().invoke(main, [*arguments[:2], "ais_7", *arguments[3:]])
    assert "scorers: 'ais_7' is not there; it has ais_1, mc3_2" in result.stderr
