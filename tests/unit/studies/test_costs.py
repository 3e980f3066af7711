"""Costs are those of the study's own jobs, whatever other files lie beside them.

Source of truth: benchmark files and printed numbers written by hand.
"""

import hashlib
import json
from dataclasses import replace
from importlib.metadata import version
from math import prod
from pathlib import Path

import pytest
import xarray as xr
from reference.tiny_study import NETWORKS, study_of

from ockham import families
from ockham.errors import StoreError
from ockham.io.netcdf import write
from ockham.papers.beal_ghahramani_2006.computation_time import computation_time
from ockham.studies import costs
from ockham.studies.costs import jobs, manifest

PAPER = families.paper("beal_ghahramani_2006")
CONFIG = NETWORKS | {
    "only": None,
    "sizes": [10, 480],
    "scorers": {"em": {"runs": 3}, "ais": {"runs": 2, "split": {"n": 1}, "settings": {"n_steps": 4}}},
}
STUDY = study_of(CONFIG)
NUMBERS = {
    "em_hours_per_prior_draw": 2.0, "em_seconds_per_score": 1.0, "ais_seconds_all_structures_n_480": 50.0,
    "ais_hours_one_run": 1.0,
}  # fmt: skip
SECONDS = {"em/replicate-001": 30.0, "em/replicate-002": 42.0, "ais/n-00010": 4.0, "ais/n-00480": 16.0}


@pytest.fixture
def folder(tmp_path):
    """Benchmarks, one of an earlier cut into jobs among them, and the paper's numbers."""
    for name, seconds in (SECONDS | {"em/all": 1000.0, "gone/all": 1000.0}).items():
        path = tmp_path / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"s\tmax_rss\tcpu_time\n{seconds + 1}\t70.5\t{seconds}\n")
        if name in SECONDS:
            entry, block = name.split("/")
            path.with_suffix(".cells").write_text(f"{prod(STUDY.blocks(entry)[block].shape)}\n")
    lines = [f"{name},{value},here" for name, value in NUMBERS.items()]
    (tmp_path / "numbers").mkdir()
    (tmp_path / "numbers/numbers.csv").write_text("quantity,value,source\n" + "\n".join(lines) + "\n")
    return tmp_path


def table_of(study, folder):
    return computation_time(jobs(study, folder), replace(PAPER, folder=folder))


def test_times_are_per_instance_score_and_run(folder):
    table = table_of(STUDY, folder).set_index("quantity")
    ours = table["Ockham"].round(6).tolist()
    n_structures = len(STUDY.models)
    assert ours == [0.01, round(72 / (2 * 2 * n_structures), 6), 16 / 4, round(20 / 4 / 3600, 6)]
    assert table["paper / Ockham"].tolist()[0] == 200
    assert table["paper / Ockham"].tolist()[2] == 12  # 50 / 4 in two digits


def test_cells_that_were_there_count_as_those_that_were_computed(folder):
    whole = table_of(STUDY, folder).set_index("quantity")["Ockham"]
    cells, half = folder / "ais/n-00480.cells", prod(STUDY.blocks("ais")["n-00480"].shape) // 2
    cells.write_text(f"{half}\n")
    doubled = table_of(STUDY, folder).set_index("quantity")["Ockham"] / whole
    assert doubled.round(6).to_list() == [1, 1, 2, 36 / 20]
    for untold in ("0\n", None):
        cells.write_text(untold) if untold else cells.unlink()
        unknown = table_of(STUDY, folder).set_index("quantity")["Ockham"].isna()
        assert unknown.to_list() == [False, False, True, True]


def test_a_size_without_jobs_of_its_own_is_left_out(folder):
    whole = study_of(CONFIG | {"scorers": {"ais": {"settings": {"n_steps": 4}, "split": {}}}})
    (folder / "ais/all.tsv").write_text("s\tmax_rss\tcpu_time\n9\t70\t8\n")
    (folder / "ais/all.cells").write_text("1\n")
    assert table_of(whole, folder)["quantity"].tolist() == ["AIS: every size and structure, one run"]


def test_the_manifest_counts_the_studys_jobs(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(costs, "commit", lambda: "abc")
    monkeypatch.setattr(costs, "is_in_a_commit", lambda file: True)
    write(tmp_path / "scores.nc", xr.Dataset(attrs={"title": "x", "study": "tiny"}))
    told = json.loads(json.dumps(manifest(STUDY, "config/tiny.yaml", tmp_path / "scores.nc", folder, tmp_path)))
    assert told["study"] == "tiny"
    assert told["changes_that_no_commit_has"] is None  # the scores do not say what they are from
    assert told["scoring"]["em"] == {
        "jobs": 2, "jobs_that_timed_themselves": 0, "cpu_seconds": 72.0, "wall_seconds": 74.0,
        "longest_job_seconds": 43.0, "largest_memory_mb": 70.5,
    }  # fmt: skip
    assert list(told["scoring"]) == ["em", "ais"]
    assert "plug_ins" not in told


def test_the_manifest_names_commits_lock_and_scipy(folder, tmp_path, monkeypatch):
    write(tmp_path / "scores.nc", xr.Dataset(attrs={"commit": "abc-dirty", "scipy_version": "1.0", "numpy_simd": "X"}))
    (tmp_path / "run.txt").write_text("scipy==0.1 \\\n    --hash=sha256:0\n")
    arguments = STUDY, "config/tiny.yaml", tmp_path / "scores.nc", folder, tmp_path, [tmp_path / "run.txt"]
    told = manifest(*arguments, unclean=True)
    assert told["commit"] == "abc-dirty"
    assert told["changes_that_no_commit_has"] is True
    assert told["scipy_version"] == "1.0"
    assert told["numpy_simd"] == "X"
    assert told["lock"] == {"run.txt": hashlib.sha256((tmp_path / "run.txt").read_bytes()).hexdigest()}
    assert told["other_versions_than_locked"] == {"scipy": version("scipy")}
    monkeypatch.setattr(costs, "commit", lambda: "abd")
    write(tmp_path / "scores.nc", xr.Dataset(attrs={"commit": "abc"}))
    for known in (True, False):  # a study's file that no commit has
        monkeypatch.setattr(costs, "is_in_a_commit", lambda file, known=known: known)
        told = manifest(*arguments)
        assert (told["figures_commit"], told["changes_that_no_commit_has"]) == ("abd", not known)
    monkeypatch.setattr(costs, "is_in_a_commit", lambda file: file == Path("config/tiny.yaml"))
    of_condition = manifest(STUDY, "config/tiny.yaml:easy", *arguments[2:])
    assert of_condition["changes_that_no_commit_has"] is False


def test_how_many_cells_each_job_computed_stands_beside_its_benchmark(folder):
    for path in folder.rglob("*.cells"):
        path.unlink()
    (folder / "em/replicate-002.cells").write_text("8\n")
    assert jobs(STUDY, folder).computed.fillna(-1).tolist() == [-1, 8, -1, -1]
    for wrong in ("eight", "", "8 fast", "8 1.0 2.0"):
        (folder / "em/replicate-002.cells").write_text(wrong)
        with pytest.raises(StoreError, match=r"replicate-002\.cells: not a number of cells and CPU .*remove it"):
            jobs(STUDY, folder)


def test_a_job_tells_its_cpu_time_better_than_samples_of_it(folder, tmp_path, monkeypatch):
    (folder / "em/replicate-002.cells").write_text("8 55.25\n")
    table = jobs(STUDY, folder)
    assert table.cpu_time.tolist() == [30.0, 55.25, 4.0, 16.0]
    assert table.timed_itself.tolist() == [False, True, False, False]
    monkeypatch.setattr(costs, "is_in_a_commit", lambda file: True)
    write(tmp_path / "scores.nc", xr.Dataset(attrs={"commit": "abc"}))
    monkeypatch.setattr(costs, "commit", lambda: "abc")
    em = manifest(STUDY, "config/tiny.yaml", tmp_path / "scores.nc", folder, tmp_path)["scoring"]["em"]
    assert (em["jobs_that_timed_themselves"], em["cpu_seconds"]) == (1, 85.2)


@pytest.mark.parametrize("content", [None, "", "s\tmax_rss\tcpu_time\n"])
def test_a_missing_or_empty_benchmark_is_named(folder, content):
    path = folder / "em/replicate-002.tsv"
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(StoreError, match=r"em/replicate-002\.tsv: not a benchmark file .*--forcerun score"):
        table_of(STUDY, folder)
