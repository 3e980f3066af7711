"""A study of node orders is validated once and whole; the cells of its samplers are the same however they are spread.

Sources of truth: broken configurations, each the valid one with one change, and equality of what is computed twice.
"""

import copy

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from ockham.cli import main
from ockham.errors import ConfigError
from ockham.orders.scorers.mc3 import N_BLOCKS
from ockham.orders.settings import OrderSettings
from ockham.studies import keys, records
from ockham.studies.cells import complete_block, draw_replicate
from ockham.studies.loading import load

VALID = {
    "study": "tiny",
    "model": "node_order",
    "root_seed": 3,
    "max_indegree": 2,
    "data": {"source": "random_network", "variables": 6},
    "replicates": {"prior_draws": 1},
    "sizes": [20],
    "scorers": {
        "ais_1": {"scorer": "ais", "runs": 2, "split": {"run": 1}, "settings": {"length": 1, "steps": 2400}},
        "mc3_2": {"scorer": "mc3", "runs": 2, "split": {"run": 1}, "settings": {"ratios": 2, "thin": 2, "steps": 1800}},
        "exact": {},
    },
}
AIS, MC3 = "scorers.ais_1.settings", "scorers.mc3_2.settings"


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
        (f"{AIS}.steps", 200), r"scorers\.ais_1\.settings: steps: not enough for two samples; set it to 240 or more",
    ),
    "budget of ais with the longest data": (
        ("sizes", [20, 300]), r"scorers\.ais_1\.settings: steps: not enough for two samples; set it to 3600 or more",
    ),
    "budget of merged samples": ((f"{AIS}.merge", 11), "steps: not enough for two samples; set it to 2640 or more"),
    "budget of mc3": (
        (f"{MC3}.steps", 500), r"scorers\.mc3_2\.settings: steps: not enough for 100 records; set it to 600 or more",
    ),
    "exact sums that take too long": (
        ("scorers.exact.settings", {"max_seconds": 1e-9}),
        r"scorers\.exact\.settings: the exact sum over orders .* predicted to take",
    ),
    "exact sums of too many variables": (
        ("data.variables", 40), r"exact\.settings: the exact sum over orders of 40 nodes .*25 nodes are allowed",
    ),
    "data": (("data.name", "mice"), "data.random_network.name: unknown key"),
    "data set": (("data", {"source": "data_set", "name": "mice", "variables": 6}), "data.data_set.name: .*'mushroom'"),
    "source": (("data.source", "web"), "data: .*'web'.*'data_set', 'random_network'"),
    "scorer": (("scorers.ais_1.scorer", "gibbs"), "unknown scorer 'gibbs'; known are ais, blocks, exact, mc3"),
    "setting of another scorer": ((f"{AIS}.thin", 3), "scorers.ais_1.settings.thin: unknown key"),
    "settings beside an entry": (("scorers.ais_1.length", 3), "scorers.ais_1.length: unknown key"),
    "unknown setting of exact": (("scorers.exact.settings", {"arcs": True}), "exact.settings.arcs: unknown key"),
    "curvature": ((f"{AIS}.curvature", 0.0), "scorers.ais_1.settings.curvature: .*greater than 0"),
    "graphs": ((f"{AIS}.graphs", 0), "scorers.ais_1.settings.graphs: .*greater than or equal to 1"),
    "no scorer": (("scorers", {}), "scorers: "),
    "dropped": ((f"{AIS}.dropped", 0.1), "scorers.ais_1.settings.dropped: .*less than or equal to 0.001"),
    "published": (("replicates.published", True), "replicates: give prior_draws: 1 or more, and no published ones"),
    "no replicate": (("replicates", {"prior_draws": 0}), "replicates: "),
    "from the truth": (("scorers.ais_1.from_truth", True), "scorers.ais_1.from_truth: "),
    "a name of the store's": (("scorers.node", {"scorer": "ais"}), "scorers.node: the name means something else"),
    "measurement": (("measurements", {"times": {}}), "measurements.times: is unknown; known are linear_extensions"),
    "setting of a measurement": (
        ("measurements", {"linear_extensions": {"size": [3]}}), "measurements.linear_extensions.size: unknown key",
    ),
    "value of a measurement": (
        ("measurements", {"linear_extensions": {"graphs": 0}}),
        "measurements.linear_extensions.graphs: .*greater than or equal to 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "variables", "size", "draws", "message"),
    [
        ("mushroom", 23, 10, 1, "data.variables: mushroom has 22"),
        ("promoters", 6, 107, 1, "sizes: promoters has 106 rows"),
        ("promoters", 6, 106, 2, "promoters is one table"),
    ],
)
def test_tables_of_fixed_extent_are_refused_beyond_it(name, variables, size, draws, message):
    """And one that is not drawn at random has no replicates: they would be copies."""
    data = {"source": "data_set", "name": name, "variables": variables}
    settings = OrderSettings(data=data, max_indegree=2)
    with pytest.raises(ValueError, match=message):
        settings.check_grid([size], False, draws)
    fitting = OrderSettings(data=data | {"variables": 6}, max_indegree=2)
    fitting.check_grid([10], False, 1)


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


def test_check_counts_the_runs(tmp_path):
    result = CliRunner().invoke(main, ["check", str(written(tmp_path))])
    assert "tiny, 6 variables, indegree 2, 1 sizes, 1 replicates" in result.output
    assert "ais_1: 2 cells in 2 jobs" in result.output


def test_a_setting_that_is_varied_makes_entries(tmp_path):
    entry = {"runs": 2, "split": {}, "vary": {"length": [1, 2]}, "settings": {"steps": 4800}}
    study = load(written(tmp_path, ("scorers", {"ais": entry})))
    assert list(study.scorers) == ["ais_1", "ais_2"]
    assert [(s.length, s.steps) for s in study.scorer_settings.values()] == [(1, 4800), (2, 4800)]
    one, two = (computed(study, name, "all").arrays for name in study.scorers)
    assert one["log_weight"].shape[-1] == 2 * two["log_weight"].shape[-1] == 40
    assert not np.isin(two["log_weight"], one["log_weight"]).any()


def computed(study, entry, block):
    block = study.blocks(entry)[block]
    values = records.empty_block(study, block)
    draws = {replicate: draw_replicate(study, replicate) for replicate in block.replicates}
    assert complete_block(study, block, draws, values) == block.n_cells
    return values


def same(one, other):
    """Whether two runs are the same bit for bit, but for the times."""
    assert one.keys() == other.keys()
    return all(one[name].tobytes() == other[name].tobytes() for name in one if "seconds" not in name)


@pytest.mark.parametrize("method", ["table", "lists"])
@pytest.mark.parametrize("entry", ["ais_1", "mc3_2"])
def test_a_run_does_not_depend_on_the_others(tmp_path, method, entry):
    """Blocks in any order give the same bits, but for the times; and runs differ from each other."""
    study = load(written(tmp_path, (f"scorers.{entry}.settings.method", method)))
    first = [computed(study, entry, block).variables() for block in study.blocks(entry)]
    again = [computed(study, entry, block).variables() for block in reversed(study.blocks(entry))][::-1]
    for one, other in zip(first, again, strict=True):
        assert same(one, other)
    name = "log_weight" if entry == "ais_1" else "log_ratio"
    assert (first[0][name] != first[1][name]).all()


def test_runs_do_not_depend_on_the_cut_into_jobs(tmp_path):
    """Two runs in one job have the bits of two jobs; run 2, added, does not change the names of the first jobs."""
    apart = load(written(tmp_path))
    together = load(written(tmp_path, ("scorers.ais_1.split", {"run": 2}), ("scorers.ais_1.runs", 3)))
    assert list(apart.blocks("ais_1")) == ["run-00", "run-01"]
    assert {name: block.runs for name, block in together.blocks("ais_1").items()} == {"run-00": [0, 1], "run-02": [2]}
    both = computed(together, "ais_1", "run-00").variables()
    for run, block in enumerate(apart.blocks("ais_1")):
        alone = computed(apart, "ais_1", block).variables()
        assert same({name: array[..., :1, *[slice(None)] * (array.ndim - 4)] for name, array in alone.items()},
                    {name: array[:, :, :, run : run + 1] for name, array in both.items()})  # fmt: skip


@pytest.mark.parametrize("entry", ["ais_1", "mc3_2"])
def test_one_more_run_computes_only_that_run(entry, tmp_path):
    """The values of the others stay as they are: they have a mark that a computation would take away."""
    two = load(written(tmp_path, (f"scorers.{entry}.split", {})))
    path, block = tmp_path / "all.nc", two.blocks(entry)["all"]
    values = computed(two, entry, "all")
    for array in values.variables().values():
        array += np.ones((), array.dtype)
    records.write_block(path, two, block, values)
    three = load(written(tmp_path, (f"scorers.{entry}.split", {}), (f"scorers.{entry}.runs", 3)))
    block = three.blocks(entry)["all"]
    found = records.read_block(path, three, block)
    assert complete_block(three, block, {1: draw_replicate(three, 1)}, found) == 1
    fresh, marked = computed(three, entry, "all").variables(), values.variables()
    for name, array in found.variables().items():
        np.testing.assert_array_equal(array[:, :, :, :2], marked[name], err_msg=name)
        if "seconds" not in name:
            np.testing.assert_array_equal(array[:, :, :, 2:], fresh[name][:, :, :, 2:], err_msg=name)


def test_budgets_are_steps(tmp_path):
    study = load(written(tmp_path, (f"{AIS}.graphs", 3)))
    ais, mc3 = (computed(study, entry, "run-00").arrays for entry in ("ais_1", "mc3_2"))
    assert ais["log_weight"].shape == (1, 1, 1, 1, 2400 // (6 * 20))
    assert ais["parents"].shape == (1, 1, 1, 1, 20, 3, 6)
    assert mc3["log_ratio"].shape == (1, 1, 1, 1, N_BLOCKS, 2)


def test_cells_of_two_sizes_whose_arrays_differ_in_length_come_back(tmp_path):
    """A schedule is in units of n m: half as many samples fit a budget with twice the rows; the rest is filled."""
    study = load(written(tmp_path, ("sizes", [10, 20]), ("scorers.ais_1.split", {})))
    block, values = study.blocks("ais_1")["all"], computed(study, "ais_1", "all")
    weights, parents = values.arrays["log_weight"][0, :, 0], values.arrays["parents"][0, :, 0]
    assert weights.shape == (2, 2, 40)
    assert np.isfinite(weights[0]).all()
    assert np.isfinite(weights[1, :, :20]).all()
    assert np.isnan(weights[1, :, 20:]).all()
    assert (parents.dtype, (parents[1, :, 20:] == 0).all()) == (np.uint64, True)
    records.write_block(tmp_path / "all.nc", study, block, values)
    found = records.read_block(tmp_path / "all.nc", study, block)
    assert (found.keys == values.keys).all()
    for name, array in values.variables().items():
        assert (found.variables()[name].dtype, found.variables()[name].tobytes()) == (array.dtype, array.tobytes())
    single = load(written(tmp_path, ("sizes", [20]), ("scorers.ais_1.split", {})))
    alone = computed(single, "ais_1", "all")
    np.testing.assert_array_equal(alone.arrays["log_weight"][0, 0, 0], weights[1, :, :20])
    assert alone.arrays["log_weight"].shape[-1] == 20


def test_specifications_follow_what_the_numbers_depend_on(tmp_path):
    def specifications(*changes):
        study = load(written(tmp_path, *changes))
        blocks = study.blocks("ais_1")["run-01"], study.blocks("exact")["replicate-001"]
        of_blocks = [keys.block_specification(study, block) for block in blocks]
        return keys.draw_specification(study, 1), *of_blocks

    data, samples, exact = specifications()
    assert specifications() == (data, samples, exact)
    assert specifications((f"{MC3}.steps", 3600)) == (data, samples, exact)
    for change in ((f"{AIS}.steps", 4800), (f"{AIS}.dropped", 1e-6)):
        assert specifications(change)[::2] == (data, exact)
        assert specifications(change)[1] != samples
    for change in (("max_indegree", 1), ("equivalent_sample_size", 2.0)):
        assert specifications(change)[0] == data
        assert specifications(change)[1] != samples
        assert specifications(change)[2] != exact
    for change in (("root_seed", 4), ("sizes", [19]), ("data.variables", 5)):
        assert all(a != b for a, b in zip(specifications(change), (data, samples, exact), strict=True)), change


def test_data_of_another_study_are_refused(tmp_path):
    """The job names the file and the remedy, and writes nothing."""
    config = written(tmp_path)
    (tmp_path / "data.nc").write_bytes(b"not netCDF")
    arguments = ["score", str(config), "ais_1", "run-00", str(tmp_path / "data.nc"), "--output", str(tmp_path / "x.nc")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "data.nc: not a readable netCDF file" in result.stderr
    assert isinstance(result.exception, SystemExit)
    result = CliRunner().invoke(main, [*arguments[:2], "ais_7", *arguments[3:]])
    assert "scorers: 'ais_7' is not one of ais_1, exact, mc3_2" in result.stderr
    study = load(written(tmp_path, ("root_seed", 4)))
    records.write_draw(tmp_path / "data.nc", study, draw_replicate(study, 1))
    written(tmp_path)  # the study with its own seed again
    result = CliRunner().invoke(main, arguments)
    assert "data.nc: attribute specification: the data were drawn under another" in result.stderr
    assert not (tmp_path / "x.nc").exists()
