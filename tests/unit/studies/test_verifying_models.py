"""``ockham verify`` on studies of machines and of node orders: sound results pass, one bit that is off does not.

Source of truth: small studies computed here by the ``ockham`` command, collected as the workflow does, then changed in
one place at a time; every cell and run is computed again.
"""

import shutil

import netCDF4
import numpy as np
import pytest
import yaml
from reference.stored_studies import compute, edit, last_bit, ockham, verify

from ockham.io.netcdf import write
from ockham.orders.collecting import collect
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of

ORDERS = {
    "study": "tiny",
    "model": "node_order",
    "root_seed": 3,
    "max_indegree": 2,
    "exact": {"orders": True, "graphs": True},
    "scorers": {
        "ais_1": {"sampler": "ais", "length": 1, "steps": 500, "runs": 3, "runs_per_job": 2, "graphs": 3},
        "mc3_2": {"sampler": "mc3", "ratios": 2, "thin": 2, "steps": 1800, "runs": 2, "count_every": 2},
    },
    "conditions": {
        "five": {"data": {"name": "random_network", "rows": 20, "variables": 5}},
        "six": {"data": {"name": "random_network", "rows": 10, "variables": 6}},
    },
}
FEW = {"n_steps": 5, "n_chains": 2, "n_tuning": 2}
MACHINES = {
    "model": "restricted_boltzmann",
    "study": "small",
    "root_seed": 1,
    "data": {"source": "simulated", "n_visible": 3, "n_hidden": 2},
    "n_hidden": [1, 2],
    "replicates": {"prior_draws": 2},
    "sizes": [10, 40],
    "scorers": {
        "ais": {"settings": FEW, "split": {"structure": 1}},
        "back": {"scorer": "ais", "from_truth": True, "structures": ["hidden-02"], "settings": FEW},
    },
}
SOUND = [
    "families.nc: scores of 55 families: as computed anew",
    "exact.nc: variable exact_log_evidence: prior orders: as computed anew",
    "exact.nc: variable exact_arcs: prior orders: as computed anew",
    "exact.nc: variable exact_log_evidence: prior graphs: as computed anew",
    "exact.nc: variable exact_arcs: prior graphs: as computed anew",
    ": ais_1: 2 of 2 files are sound; 3 of 3 runs that were repeated are the same",
    ": mc3_2: 2 of 2 files are sound; 2 of 2 runs that were repeated are the same",
]


def compute_orders(results, source):
    study = load(source)
    folder, paths = results / study.name, {}
    ockham("families", source, "--output", folder / "families.nc")
    ockham("exact-orders", source, folder / "families.nc", "--output", folder / "exact.nc")
    for scorer in study.scorers:
        paths[scorer] = [folder / f"samples/{scorer}/{block}.nc" for block in study.blocks(scorer)]
        for path in paths[scorer]:
            ockham("sample", source, scorer, path.stem, folder / "families.nc", "--output", path)
    collect_orders(folder, study)


def collect_orders(folder, study):
    paths = {s: [folder / f"samples/{s}/{block}.nc" for block in study.blocks(s)] for s in study.scorers}
    write(folder / "scores.nc", collect(study, paths, [folder / "exact.nc"]))


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("orders")
    (folder / "config").mkdir()
    (folder / "config/tiny.yaml").write_text(yaml.safe_dump(ORDERS))
    for source in conditions_of(folder / "config/tiny.yaml"):
        compute_orders(folder / "results", source)
    (folder / "results/tiny/linear_extensions.nc").touch()
    return folder


@pytest.fixture
def place(computed, tmp_path, monkeypatch):
    """A copy of the folder with the configuration and the results, as the working folder."""
    shutil.copytree(computed, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy/results/tiny/five"


def wrong(*arguments):
    """The lines that a verification of the first condition has besides those of an untouched folder."""
    lines = verify("--config", "config/tiny.yaml:five", *arguments, status=1)
    return [line.removeprefix("results/tiny/five") for line in lines if not line.endswith(tuple(SOUND))]


def test_sound_results_of_orders_pass(place):
    lines = verify()
    assert len(lines) == 2 * len(SOUND)
    assert all(line.endswith(end) for line, end in zip(lines, SOUND, strict=False))


@pytest.mark.parametrize(
    ("scorer", "block", "variable", "index", "run"),
    [
        ("ais_1", "run-000", "log_weight", (1, 2), 1),
        ("ais_1", "run-002", "log_extensions", (0, 1, 2), 2),
        ("mc3_2", "run-001", "log_ratio", (0, 99, 1), 1),
        ("mc3_2", "run-000", "accepted", (0, 2), 0),
    ],
)
def test_one_bit_of_a_run_is_found(scorer, block, variable, index, run, place):
    """In the run's file and in the store of all runs alike, so that nothing but the repetition can tell."""
    edit(place / f"samples/{scorer}/{block}.nc", variable, index, lambda x: np.nextafter(x, 9))
    collect_orders(place, load("config/tiny.yaml:five"))
    lines = wrong()
    assert (
        lines[0]
        == f"/samples/{scorer}/{block}.nc: variable {variable}: run {run}: DIFFERENT from the same run repeated"
    )
    assert len(lines) == 2
    assert f"{'2 of 3' if scorer == 'ais_1' else '1 of 2'} runs that were repeated are the same" in lines[1]


def test_times_may_differ(place):
    edit(place / "samples/ais_1/run-000.nc", "seconds", (1, 2), last_bit)
    collect_orders(place, load("config/tiny.yaml:five"))
    verify()


def test_one_bit_of_scores_exact_values_or_the_store_of_all_runs_is_found(place):
    edit(place / "families.nc", "log_score", (1, 2), last_bit)
    edit(place / "exact.nc", "exact_arcs", (1, 0, 2), last_bit)
    edit(place / "scores.nc", "log_weight", (2, 0), last_bit, group="ais_1")
    assert [line.partition(": DIFFERENT")[0] for line in wrong()] == [
        "/families.nc: scores of 55 families",
        "/scores.nc: variable exact_arcs",
        "/exact.nc: variable exact_arcs: prior graphs",
        "/scores.nc: group ais_1, variable log_weight",
        ": ais_1: 1 of 2 files are sound; 3 of 3 runs that were repeated are the same",
    ]


@pytest.mark.parametrize("name", ["families.nc", "exact.nc", "samples/mc3_2/run-001.nc", "scores.nc"])
@pytest.mark.parametrize("damage", ["missing", "truncated", "foreign"])
def test_a_file_of_orders_that_is_missing_or_broken_is_named(name, damage, place):
    path = place / name
    whole = path.read_bytes()
    path.unlink()
    if damage == "truncated":
        path.write_bytes(whole[:1000])
    elif damage == "foreign":
        netCDF4.Dataset(path, "w").close()
    lines = [line for line in wrong("--cells", 0) if "files are sound" not in line]
    assert lines
    assert all(line.startswith(f"/{name}: ") for line in lines)


def test_results_of_orders_of_another_configuration_are_found(place):
    (place.parents[2] / "config/tiny.yaml").write_text(yaml.safe_dump(ORDERS | {"root_seed": 4}))
    lines = wrong("--cells", 0)
    for name in ("families", "exact", "samples/ais_1/run-000", "samples/mc3_2/run-001"):
        assert any(line.startswith(f"/{name}.nc: attribute specification") for line in lines)


def test_machines_are_verified_like_networks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(MACHINES))
    compute(tmp_path / "results", "small.yaml")
    assert verify("--config", "small.yaml") == [
        "results/small: 2 of 2 data sets are as drawn anew",
        "results/small: ais: 2 of 2 blocks are sound; 8 of 8 cells that were recomputed are the same",
        "results/small: back: 2 of 2 blocks are sound; 4 of 4 cells that were recomputed are the same",
    ]
    path = "results/small/scores/back/replicate-002.nc"
    edit(path, "annealed_importance_sampling", (0, 0, 0, 0), last_bit)
    lines = [line for line in verify("--config", "small.yaml", status=1) if line.endswith("DIFFERENT")]
    assert [line.partition(": stored")[0] for line in lines] == [
        f"{path}: variable annealed_importance_sampling: replicate 2, n 10, structure hidden-02, run 0"
    ]
