"""``ockham verify`` passes a folder of results that is what it says, and names whatever is not.

Source of truth: small studies computed here by the ``ockham`` command and collected as the workflow does, then changed
in one place at a time. Every cell is recomputed but where the sample is what is tested. ``test_forgeries`` changes
everything.
"""

import shutil

import netCDF4
import numpy as np
import pytest
import yaml
from reference.stored_studies import collect, compute, edit, edited, last_bit, ockham, summarise, verify
from reference.tiny_study import MACHINES, NETWORKS, ORDERS, write

from ockham.studies.grids import DIMENSIONS
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of

CONFIG = NETWORKS | {
    "scorers": {
        "em": {"runs": 2},
        "exact": {"sizes": [5]},
        "ais": {"runs": 2, "split": {"n": 1, "run": 1}, "settings": {"n_steps": 4}},
    },
    "measurements": {"schedules": {"n_steps": 3}},
}
CONDITIONS = {name: value for name, value in ORDERS.items() if name not in ("data", "sizes")} | {
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
BACK = {
    "ais": {"settings": FEW, "split": {"structure": 1}},
    "back": {"scorer": "ais", "from_truth": True, "structures": ["hidden-02"], "settings": FEW},
}
SOUND = "{place}: {entry}: {blocks} of {blocks} blocks are sound; {n} of {n} cells that were recomputed are the same"
DATA = "{place}: {n} of {n} data sets are as drawn anew"
NETWORK = [
    DATA.format(place="results/tiny", n=2),
    *(
        SOUND.format(place="results/tiny", entry=entry, blocks=blocks, n=n)
        for entry, blocks, n in (("em", 2, 8), ("exact", 2, 4), ("ais", 4, 16))
    ),
    "results/tiny/summaries.nc: as made anew",
]


def orders_lines(name, n_sizes):
    place = f"results/tiny/{name}"
    found = [("ais_1", 2, 2 * n_sizes), ("mc3_2", 2, 2 * n_sizes), ("exact", 1, n_sizes)]
    return [
        DATA.format(place=place, n=1),
        *(SOUND.format(place=place, entry=entry, blocks=blocks, n=n) for entry, blocks, n in found),
    ]


def computed(folder, content):
    (folder / "config").mkdir()
    sources = conditions_of(write(folder / "config", content))
    for source in sources:
        compute(folder / "results", source)
    summarise(folder / "results", sources)
    return folder


@pytest.fixture(scope="module")
def networks(tmp_path_factory):
    return computed(tmp_path_factory.mktemp("networks"), CONFIG)


@pytest.fixture(scope="module")
def orders(tmp_path_factory):
    return computed(tmp_path_factory.mktemp("orders"), CONDITIONS)


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Make a copy of a folder with configuration and results the working folder."""

    def copy(folder, place):
        shutil.copytree(folder, tmp_path / "copy")
        monkeypatch.chdir(tmp_path / "copy")
        return tmp_path / "copy/results" / place

    return copy


@pytest.fixture
def place(networks, copied):
    """The results of networks."""
    return copied(networks, "tiny")


@pytest.fixture
def five(orders, copied):
    """The results of the first condition of orders."""
    return copied(orders, "tiny/five")


def wrong(*arguments):
    """The lines that a verification of networks has besides those that are no findings."""
    return [line for line in verify(*arguments, status=1) if not line.startswith("results/tiny: ")]


def wrong_of_five(*arguments):
    """The same of the first condition of orders."""
    lines = verify("--config", "config/tiny.yaml:five", *arguments, status=1)
    return [line.removeprefix("results/tiny/five") for line in lines if not line.startswith("results/tiny/five: ")]


def test_an_untouched_folder_passes_and_stays_as_it_is(place):
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert verify() == NETWORK
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before


def test_results_of_orders_pass_together_or_one_by_one(five):
    both = orders_lines("five", 2) + orders_lines("six", 1)
    assert verify() == [*both, "results/tiny/summaries.nc: as made anew"]
    (five.parent / "six/scores.nc").unlink()
    assert verify("--config", "config/tiny.yaml:five") == orders_lines("five", 2)
    verify("--config", "config/tiny.yaml:six", status=1)


def test_machines_are_verified_like_networks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compute(tmp_path / "results", write(tmp_path, MACHINES | {
        "data": {"source": "simulated", "n_visible": 3, "n_hidden": 2}, "scorers": BACK,
    }))  # fmt: skip
    assert verify("--config", "tiny.yaml") == [
        DATA.format(place="results/tiny", n=2),
        SOUND.format(place="results/tiny", entry="ais", blocks=2, n=8),
        SOUND.format(place="results/tiny", entry="back", blocks=2, n=4),
    ]
    path = "results/tiny/scores/back/replicate-002.nc"
    edit(path, "annealed_importance_sampling", (0, 0, 0, 0), last_bit)
    lines = [line for line in verify("--config", "tiny.yaml", status=1) if line.endswith("DIFFERENT")]
    assert [line.partition(": stored")[0] for line in lines] == [
        f"{path}: variable annealed_importance_sampling: replicate 2, n 5, structure hidden-02, run 0"
    ]


def test_mixtures_have_the_separation_of_their_classes_verified(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compute(tmp_path / "results", write(tmp_path, {k: v for k, v in NETWORKS.items() if k != "only"} | {
        "structures": {"space": "naive_bayes", "classes": [1, 2], "feature_cardinalities": [2, 3]},
        "true_structure": "classes-2", "data": {"source": "mixture"}, "scorers": {"em": {}},
    }))  # fmt: skip
    verify("--config", "tiny.yaml")
    edit("results/tiny/scores.nc", "separation", (1, 0), last_bit)
    lines = [line for line in verify("--config", "tiny.yaml", status=1) if "DIFFERENT" in line]
    assert [line.partition(": at (1, 0) is ")[0] for line in lines] == ["results/tiny/scores.nc: variable separation"]


@pytest.mark.parametrize(
    ("block", "variable"),
    [
        ("em/replicate-002", "map"),
        ("em/replicate-002", "n_iterations"),
        ("exact/replicate-001", "exact"),
        ("ais/n-00010_run-01", "annealed_importance_sampling"),
        ("ais/n-00005_run-00", "acceptance"),
    ],
)
def test_one_bit_of_one_value_is_found(block, variable, place):
    """In the block and in the store of all scores alike, so that nothing but the recomputation can tell."""
    path = place / f"scores/{block}.nc"
    with netCDF4.Dataset(path) as file:
        old = float(file[variable][0, 0, 1, 0])
    edit(path, variable, (0, 0, 1, 0), last_bit)
    collect(place.parent, "config/tiny.yaml")
    (line,) = wrong()
    assert line.startswith(f"results/tiny/scores/{block}.nc: variable {variable}: replicate ")
    assert line.endswith(f"stored {float(np.nextafter(old, 0))!r}, now {old!r}: DIFFERENT")


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
def test_one_bit_of_a_run_of_orders_is_found(scorer, block, variable, index, run, five):
    path = five / f"scores/{scorer}/{block}.nc"
    edit(path, variable, index, lambda x: np.nextafter(x, 9))
    collect(five.parents[1], "config/tiny.yaml:five")
    (line,) = wrong_of_five()
    n = (10, 20)[index[1]]
    start = f"/scores/{scorer}/{block}.nc: variable {variable}: replicate 1, n {n}, structure indegree-2, run {run}: "
    assert line.startswith(start)
    assert line.endswith(": DIFFERENT")
    cells = 2 if scorer == "exact" else 4
    total = f"{cells - 1} of {cells} cells that were recomputed are the same"
    assert total in "".join(verify("--config", "config/tiny.yaml:five", status=1))


def test_times_may_differ(five):
    edit(five / "scores/ais_1/run-00.nc", "seconds", (0, 0, 0, 1, 2), last_bit)
    collect(five.parents[1], "config/tiny.yaml:five")
    verify("--config", "config/tiny.yaml:five")


def test_blocks_of_orders_are_blocks_like_others(five):
    """They are complete after one ``score``, and ``cell`` finds the same bits: also of arrays that were filled up."""
    block, data = five / "scores/ais_1/run-00.nc", five / "data/replicate-001.nc"
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


def test_one_more_run_of_orders_leaves_the_others(five):
    config = five.parents[2] / "config/tiny.yaml"
    content = yaml.safe_load(config.read_text())
    content["scorers"]["ais"]["runs"] = 4
    write(config.parent, content)
    data, seen = five / "data/replicate-001.nc", []
    for block in ("run-00", "run-02"):
        path = five / f"scores/ais_1/{block}.nc"
        seen.append(ockham("score", "config/tiny.yaml:five", "ais_1", block, data, "--output", path).stdout)
    assert seen == ["ais_1 run-00: computed 0 of 4 cells\n", "ais_1 run-02: computed 2 of 4 cells\n"]


def test_the_store_has_nothing_beside_scores_that_an_entry_could_be_named_like(five):
    with netCDF4.Dataset(five / "scores.nc") as file:
        assert set(file.variables) <= {*load("config/tiny.yaml:five").family.beside_scores, *DIMENSIONS}
        assert file["ais_1"]["parents"].dtype == np.uint64
        np.testing.assert_array_equal(file["ais_1"]["n"][:], [10, 20])


def test_one_bit_of_the_store_of_all_scores_is_found(place):
    edit(place / "scores.nc", "cheeseman_stutz", (1, 1, 1, 1), last_bit, group="em")
    (line,) = wrong("--cells", 0)
    assert line.startswith("results/tiny/scores.nc: group em, variable cheeseman_stutz: at (1, 1, 1, 1) is -")
    assert line.endswith("; 1 of 16 differ: DIFFERENT from what is made anew; collect it again")


def test_one_bit_of_each_group_of_orders_is_found(five):
    edit(five / "scores.nc", "log_weight", (0, 1, 0, 2, 0), last_bit, group="ais_1")
    edit(five / "scores.nc", "exact_arcs", (0, 1, 0, 0, 1, 1, 0), last_bit, group="exact")
    assert [line.partition(" is ")[0] for line in wrong_of_five("--cells", 0)] == [
        "/scores.nc: group ais_1, variable log_weight: at (0, 1, 0, 2, 0)",
        "/scores.nc: group exact, variable exact_arcs: at (0, 1, 0, 0, 1, 1, 0)",
    ]


@pytest.mark.parametrize(("variable", "index"), [("states", (9, 2)), ("parameters", 3)])
def test_one_state_or_parameter_of_the_data_is_found(variable, index, place):
    edit(place / "data/replicate-001.nc", variable, index, lambda x: 1 - x)
    line, *_ = wrong("--cells", 0)
    assert line.startswith(f"results/tiny/data/replicate-001.nc: variable {variable}: at ")
    assert line.endswith(": DIFFERENT from what is made anew; remove the file and draw it again")


def test_a_key_of_other_data_is_found(place):
    edit(place / "scores/em/replicate-001.nc", "key", (0, 1, 1, 1), lambda x: x ^ 1)
    lines = wrong("--cells", 0)
    assert "/em/replicate-001.nc: variable key: at (0, 1, 1, 1) is " in lines[0]
    assert "; 1 of 8 differ: DIFFERENT from what is made anew; run the workflow again" in lines[0]
    assert "/scores.nc: group em, variable key: at (0, 1, 1, 1) is " in lines[1]


def test_what_could_not_be_told_from_scores_is_found(place):
    """Each passed when only the numbers of scores were compared; what follows from a forgery is not made again."""
    for path, change, message in (
        ("scores.nc", lambda file: _put(file["log_aliases"], 1, 500.0), "variable log_aliases: at (1,) is 500.0"),
        ("scores.nc", lambda file: _put(file["n_parameters"], 0, 1), "variable n_parameters: at (0,) is 1"),
        ("scores.nc", lambda file: file.setncattr("true_structure", "0-0"), "attribute true_structure: is '0-0'"),
        ("scores.nc", lambda file: file["em/map"].setncattr("over_runs", "mean"), "variable map, attribute over_runs"),
        ("scores.nc", lambda file: file.createGroup("vb"), "group vb: should not be there"),
        ("scores/em/replicate-001.nc", lambda file: file.setncattr("root_seed", "4"), "attribute root_seed: is '4'"),
        ("data/replicate-002.nc", lambda file: _put(file["hidden"], 0, 0), "variable hidden: at (0,) is 0, not 1"),
        ("schedules.nc", lambda file: _put(file["curvature"], 0, 0.03), "variable curvature: at (0,) is 0.03"),
        ("summaries.nc", lambda file: _put(file["ranks/rank"], (0, 0, 0, 0), 9), "group ranks, variable rank: at"),
    ):
        whole = (place / path).read_bytes()
        with edited(place / path) as file:
            change(file)
        lines = verify(status=1)
        assert any(line.startswith(f"results/tiny/{path}: ") and message in line for line in lines), lines
        follows = "results/tiny: what follows from its scores is not looked at, for they are not sound"
        assert (follows in lines) == (path != "summaries.nc")
        (place / path).write_bytes(whole)
    assert verify() == NETWORK


def _put(variable, index, value):
    variable[index] = value


@pytest.mark.parametrize(
    ("name", "of"),
    [(name, "place") for name in ("data/replicate-001.nc", "scores/em/replicate-002.nc", "scores.nc", "schedules.nc")]
    + [(name, "five") for name in ("data/replicate-001.nc", "scores/exact/all.nc", "scores/mc3_2/run-01.nc")],
)
@pytest.mark.parametrize("damage", ["missing", "truncated", "foreign"])
def test_a_file_that_is_missing_or_broken_is_named(name, of, damage, request):
    path = request.getfixturevalue(of) / name
    whole = path.read_bytes()
    path.unlink()
    if damage == "truncated":
        path.write_bytes(whole[:1000])
    elif damage == "foreign":
        netCDF4.Dataset(path, "w").close()
    lines, folder = (wrong("--cells", 0), "results/tiny") if of == "place" else (wrong_of_five("--cells", 0), "")
    assert lines
    assert all(line.startswith(f"{folder}/{name}: ") for line in lines)


def test_files_that_no_study_has_are_named(place):
    (place / "notes.txt").write_text("hello")
    (place / "scores/em/.replicate-001.nc.77.tmp").touch()
    netCDF4.Dataset(place.parent / "other.nc", "w").close()
    (place.parent / "logs").mkdir()
    (place.parent / "logs/log.txt").touch()
    lines = wrong("--cells", 0)
    names = ["other.nc", "tiny/notes.txt", "tiny/scores/em/.replicate-001.nc.77.tmp"]
    assert [line.split(":")[0] for line in lines if "belongs" in line] == [f"results/{name}" for name in names]
    assert verify("--config", "config/tiny.yaml", status=1)[0].startswith("results/tiny/notes.txt: belongs to none")


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"root_seed": 4}, ("data/replicate-001.nc", "scores/em/replicate-001.nc", "scores.nc", "schedules.nc")),
        ({"sizes": [5, 11]}, ("data/replicate-001.nc", "scores/em/replicate-001.nc", "scores.nc", "schedules.nc")),
        (
            {"scorers": CONFIG["scorers"] | {"em": {"runs": 2, "settings": {"tolerance": 0.1}}}},
            ("scores/em/replicate-001.nc", "scores.nc"),
        ),
    ],
    ids=str,
)
def test_results_of_another_configuration_are_found(change, names, place):
    write(place.parents[1] / "config", CONFIG | change)
    lines = wrong("--cells", 0)
    for name in names:
        of = "attribute specification: of another configuration or other code"
        assert any(line.startswith(f"results/tiny/{name}: {of}") for line in lines), lines


def test_the_sample_is_random_and_as_large_as_asked_for(place):
    """A value that is wrong is found in as many samples of half the cells as chance has it; 18 seeds, 4 deviations."""
    edit(place / "scores/exact/replicate-002.nc", "exact", (0, 0, 1, 0), last_bit)
    collect(place.parent, "config/tiny.yaml")
    summarise(place.parent, ["config/tiny.yaml"])
    found = 0
    for seed in range(18):
        done = ockham("verify", "results", "--cells", 2, "--seed", seed, status=None)
        assert "exact: 2 of 2 blocks are sound; " in done.stdout
        assert " of 2 cells that were recomputed" in done.stdout
        missed = "exact: 2 of 2 blocks are sound; 2 of 2 cells" in done.stdout
        assert missed == ("replicate-002.nc: variable exact" not in done.stdout) == (done.exit_code == 0)
        found += not missed
    assert abs(found - 9) < 4 * np.sqrt(18 * 0.25)


def test_what_cannot_be_verified_ends_in_one_line(place):
    (place.parents[1] / "config/other.yaml").write_text("study: other\nmodel: another\n")
    for arguments, message in (
        (("nowhere",), "nowhere: is not a folder; give the folder of results"),
        (("config",), "config: has no folder of a study in config; name the study's file"),
        (("results", "--config", "nowhere.yaml"), "nowhere.yaml: cannot be read"),
        (("results", "--config", "config/other.yaml"), "config/other.yaml: model: 'another' is unknown"),
    ):
        result = ockham("verify", *arguments, status=2)
        assert result.stderr.startswith(f"ockham: {message}")
        assert result.stdout == ""
