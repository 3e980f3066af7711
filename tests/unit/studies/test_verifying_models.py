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
from ockham.studies.collecting import collect
from ockham.studies.grids import DIMENSIONS
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of

ORDERS = {
    "study": "tiny",
    "model": "node_order",
    "root_seed": 3,
    "max_indegree": 2,
    "replicates": {"prior_draws": 1},
    "scorers": {
        "ais": {"runs": 3, "split": {"run": 2}, "vary": {"length": [1]}, "settings": {"steps": 600, "graphs": 3}},
        "mc3_2": {
            "scorer": "mc3", "runs": 2, "split": {"run": 1},
            "settings": {"ratios": 2, "thin": 2, "steps": 1800, "count_every": 2},
        },
        "exact": {"split": {}},
    },
    "conditions": {
        "five": {"data": {"source": "random_network", "variables": 5}, "sizes": [10, 20]},
        "six": {"data": {"source": "random_network", "variables": 6}, "sizes": [10]},
    },
}  # fmt: skip
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
    ": 1 of 1 data sets are as drawn anew",
    ": ais_1: 2 of 2 blocks are sound; {n} of {n} cells that were recomputed are the same",
    ": mc3_2: 2 of 2 blocks are sound; {n} of {n} cells that were recomputed are the same",
    ": exact: 1 of 1 blocks are sound; {m} of {m} cells that were recomputed are the same",
]
FIVE = tuple(line.format(n=4, m=2) for line in SOUND)
"""Of two sizes and two blocks; there is one structure."""


def collect_all(place, study):
    paths = {s: [place / f"scores/{s}/{block}.nc" for block in study.blocks(s)] for s in study.scorers}
    data = [place / f"data/replicate-{r:03d}.nc" for r in study.replicates.indices()]
    write(place / "scores.nc", collect(study, paths, data), write_inherited_coords=True)


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("orders")
    (folder / "config").mkdir()
    (folder / "config/tiny.yaml").write_text(yaml.safe_dump(ORDERS, sort_keys=False))
    for source in conditions_of(folder / "config/tiny.yaml"):
        compute(folder / "results", source)
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
    return [line.removeprefix("results/tiny/five") for line in lines if not line.endswith(FIVE)]


def test_sound_results_of_orders_pass(place):
    six = [line.format(n=2, m=1) for line in SOUND]
    assert verify() == [f"results/tiny/five{line}" for line in FIVE] + [f"results/tiny/six{line}" for line in six]


def test_blocks_of_orders_are_blocks_like_others(place):
    """They are complete after one ``score``, and ``cell`` finds the same bits: also of arrays that were filled up."""
    block, data = place / "scores/ais_1/run-00.nc", place / "data/replicate-001.nc"
    done = ockham("score", "config/tiny.yaml:five", "ais_1", "run-00", data, "--output", block)
    assert done.stdout == "ais_1 run-00: computed 0 of 4 cells\n"
    cell = ("cell", "config/tiny.yaml:five", "--replicate", 1, "--n", 20, "--structure", "indegree-2")
    lines = ockham(*cell, "--scorer", "ais_1").stdout.splitlines()
    assert all(line.endswith("  same") for line in lines)
    names = {line.split()[0] for line in lines}
    assert {"ais_orders", "ais_graphs_standard_error", "acceptance", "log_weight", "parents"} < names
    assert not names & {"seconds", "graph_seconds"}
    for scorer in ("mc3_2", "exact"):
        assert all(line.endswith("  same") for line in ockham(*cell, "--scorer", scorer).stdout.splitlines())
    edit(block, "log_weight", (0, 1, 0, 1, 2), last_bit)
    lines = ockham(*cell, "--scorer", "ais_1", status=1).stdout.splitlines()
    assert [line.split()[:3] for line in lines if line.endswith("DIFFERENT")] == [["log_weight", "run", "1"]]
    ockham(*cell, "--scorer", "ais_1", "--write")
    ockham(*cell, "--scorer", "ais_1")


def test_one_more_run_leaves_the_others(place):
    content = yaml.safe_load((place.parents[2] / "config/tiny.yaml").read_text())
    content["scorers"]["ais"]["runs"] = 4
    (place.parents[2] / "config/tiny.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    data, seen = place / "data/replicate-001.nc", []
    for block in ("run-00", "run-02"):
        path = place / f"scores/ais_1/{block}.nc"
        seen.append(ockham("score", "config/tiny.yaml:five", "ais_1", block, data, "--output", path).stdout)
    assert seen == ["ais_1 run-00: computed 0 of 4 cells\n", "ais_1 run-02: computed 2 of 4 cells\n"]


def test_the_store_has_nothing_beside_scores_that_an_entry_could_be_named_like(place):
    with netCDF4.Dataset(place / "scores.nc") as file:
        assert set(file.variables) <= {*load("config/tiny.yaml:five").family.beside_scores, *DIMENSIONS}
        assert file["ais_1"]["parents"].dtype == np.uint64
        np.testing.assert_array_equal(file["ais_1"]["n"][:], [10, 20])


@pytest.mark.parametrize(
    ("scorer", "block", "variable", "index", "run"),
    [
        ("ais_1", "run-00", "log_weight", (0, 0, 0, 1, 2), 1),
        ("ais_1", "run-02", "log_extensions", (0, 1, 0, 0, 1, 2), 2),
        ("ais_1", "run-00", "ais_graphs", (0, 1, 0, 1), 1),
        ("mc3_2", "run-01", "log_ratio", (0, 0, 0, 0, 99, 1), 1),
        ("mc3_2", "run-00", "accepted", (0, 1, 0, 0, 2), 0),
        ("exact", "all", "exact_arcs", (0, 0, 0, 0, 1, 0, 2), 0),
    ],
)
def test_one_bit_of_a_run_is_found(scorer, block, variable, index, run, place):
    """In the block and in the store of all scores alike, so that nothing but the recomputation can tell."""
    path = place / f"scores/{scorer}/{block}.nc"
    edit(path, variable, index, lambda x: np.nextafter(x, 9))
    collect_all(place, load("config/tiny.yaml:five"))
    line, total = wrong()
    n = (10, 20)[index[1]]
    start = f"/scores/{scorer}/{block}.nc: variable {variable}: replicate 1, n {n}, structure indegree-2, run {run}: "
    assert line.startswith(start)
    assert line.endswith(": DIFFERENT")
    cells = 2 if scorer == "exact" else 4
    assert f"{cells - 1} of {cells} cells that were recomputed are the same" in total


def test_times_may_differ(place):
    edit(place / "scores/ais_1/run-00.nc", "seconds", (0, 0, 0, 1, 2), last_bit)
    collect_all(place, load("config/tiny.yaml:five"))
    verify()


def test_one_bit_of_the_store_of_all_scores_is_found(place):
    edit(place / "scores.nc", "log_weight", (0, 1, 0, 2, 0), last_bit, group="ais_1")
    edit(place / "scores.nc", "exact_arcs", (0, 1, 0, 0, 1, 1, 0), last_bit, group="exact")
    assert [line for line in wrong("--cells", 0) if "blocks are sound" not in line] == [
        "/scores.nc: group ais_1, variable log_weight: DIFFERENT from results/tiny/five/scores/ais_1/run-02.nc",
        "/scores.nc: group exact, variable exact_arcs: DIFFERENT from results/tiny/five/scores/exact/all.nc",
    ]


@pytest.mark.parametrize(
    "name", ["data/replicate-001.nc", "scores/exact/all.nc", "scores/mc3_2/run-01.nc", "scores.nc"]
)
@pytest.mark.parametrize("damage", ["missing", "truncated", "foreign"])
def test_a_file_of_orders_that_is_missing_or_broken_is_named(name, damage, place):
    path = place / name
    whole = path.read_bytes()
    path.unlink()
    if damage == "truncated":
        path.write_bytes(whole[:1000])
    elif damage == "foreign":
        netCDF4.Dataset(path, "w").close()
    lines = [line for line in wrong("--cells", 0) if "blocks are sound" not in line and "of 1 data sets" not in line]
    assert lines
    assert all(line.startswith(f"/{name}: ") for line in lines)


def test_results_of_orders_of_another_configuration_are_found(place):
    (place.parents[2] / "config/tiny.yaml").write_text(yaml.safe_dump(ORDERS | {"root_seed": 4}, sort_keys=False))
    lines = wrong("--cells", 0)
    for name in ("data/replicate-001", "scores/exact/all", "scores/ais_1/run-00", "scores/mc3_2/run-01"):
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
