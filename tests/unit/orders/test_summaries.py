"""Summaries of orders are the estimators applied to the stored runs, and figures and tables show them.

Sources of truth: the estimators of ``order_estimates``, called on arrays made here, and sums written out.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from ockham import families
from ockham.errors import StoreError
from ockham.estimation.combining import combine
from ockham.orders.estimates import arc_posteriors, arcs_of, corrected, lower_bound, mean_of_corrected
from ockham.orders.plots import figure_arcs
from ockham.orders.summaries import summarise
from ockham.papers.claims.stored import read_stored
from ockham.papers.niinimaki_koivisto_2013.evidence import evidence
from ockham.papers.niinimaki_koivisto_2013.figure_2 import figure_2
from ockham.papers.niinimaki_koivisto_2013.figure_3 import figure_3
from ockham.papers.niinimaki_koivisto_2013.figure_numbers import samplers_at_the_end
from ockham.papers.niinimaki_koivisto_2013.upper_bounds import upper_bounds

N, RUNS, SAMPLES, GRAPHS, BLOCKS = 3, 2, 40, 2, 10
NAMES = ["a", "b", "c"]


def annealing(rng):
    parents = np.array([[0, 1, 2], [0, 0, 1], [2, 0, 3]], dtype=np.uint64)[
        rng.integers(3, size=(RUNS, SAMPLES, GRAPHS))
    ]
    return xr.Dataset(
        {
            "log_weight": (("run", "sample"), rng.normal(-50, 1, (RUNS, SAMPLES))),
            "parents": (("run", "sample", "graph", "node"), parents),
            "log_extensions": (("run", "sample", "graph"), np.log(rng.integers(1, 7, (RUNS, SAMPLES, GRAPHS)))),
            "seconds": (("run", "sample"), np.full((RUNS, SAMPLES), 0.5)),
            "graph_seconds": (("run", "sample"), np.full((RUNS, SAMPLES), 0.25)),
        },
        {"run": range(RUNS), "node": NAMES},
    )


def tempering(rng):
    arcs = rng.random((2, RUNS, BLOCKS, N, N))
    dims = ("run", "block", "parent", "child")
    return xr.Dataset(
        {
            "log_ratio": (("run", "block", "step"), rng.normal(-25, 1, (RUNS, BLOCKS, 2))),
            "arcs": (dims, arcs[0]),
            "weighted_arcs": (dims, arcs[1]),
            "log_inverse_extensions": (("run", "block"), rng.normal(-1, 0.1, (RUNS, BLOCKS))),
            "seconds": (("run", "block"), np.full((RUNS, BLOCKS), 2.0)),
            "graph_seconds": (("run", "block"), np.full((RUNS, BLOCKS), 1.0)),
        },
        {"run": range(RUNS), "parent": NAMES, "child": NAMES},
    )


def group(runs, scorer, role="", **settings):
    """An entry as the store of scores has it: one replicate and structure, two sizes, of which the larger counts."""
    runs = runs.assign(key=("run", np.arange(1, runs.sizes["run"] + 1)))
    whole = (
        xr.concat([runs.where(runs.key < 0, 0), runs], "n")
        .assign_coords(n=[10, 20])
        .expand_dims(replicate=[1], structure=["indegree-2"])
    )
    cells = ("replicate", "n", "structure", "run")
    settings = {"curvature": None} | settings
    return whole.transpose(*cells, ...).assign_attrs(scorer=scorer, role=role, scorer_settings=json.dumps(settings))


def store(seed, known=True, counted=True):
    rng = np.random.default_rng(seed)
    exact = rng.random((2, N, N)) if known else np.full((2, N, N), np.nan)
    root = xr.Dataset(
        {"log_scale": (("structure", "prior"), [[-1.5, 0.5]]), "data": ((), "random_network")},
        {"prior": ["orders", "graphs"], "node": NAMES, "parent": NAMES, "child": NAMES, "structure": ["indegree-2"]},
        {"beyond_paper": 0},
    )
    runs = {"ais_1": annealing(rng), "ais_4": annealing(rng), "mc3_2": tempering(rng)}
    if not counted:
        for one in runs.values():
            for name in ("log_extensions", "log_inverse_extensions", "weighted_arcs"):
                if name in one:
                    one[name] = one[name] * np.nan
    about = {"ais_1": ("ais", "length", 1), "ais_4": ("ais", "length", 4), "mc3_2": ("mc3", "ratios", 2)}
    groups = {name: group(runs[name], scorer, **{field: value}) for name, (scorer, field, value) in about.items()}
    if known:
        values = xr.Dataset(
            {
                "exact_log_evidence": (("run", "prior"), [[-51.0, -49.5]]),
                "exact_arcs": (("run", "prior", "parent", "child"), exact[None]),
            },
            {"run": [0]},
        )
        groups["exact"] = group(values, "exact", orders=True, graphs=True)
        bounds = {f"blocks_{prior}": ("run", [bound]) for prior, bound in (("orders", -48.0), ("graphs", -47.0))}
        groups["blocks"] = group(xr.Dataset(bounds, {"run": [0]}), "blocks", most_nodes=2)
    return xr.DataTree.from_dict({"/": root, **groups})


def runs_of(store, entry):
    """The runs of an entry at the largest size."""
    return store[entry].to_dataset().isel(replicate=0, n=-1, structure=0)


def root_of(store, prior):
    return store.to_dataset().isel(structure=0).sel(prior=prior)


def exact_arcs_of(store, prior):
    return store["exact"].exact_arcs.isel(replicate=0, n=-1, structure=0, run=0).sel(prior=prior).values


@pytest.fixture(scope="module")
def stores():
    return {"first": store(1), "second": store(2, known=False), "third": store(3, known=False, counted=False)}


@pytest.fixture(scope="module")
def summaries(stores):
    return summarise(stores, {})


@pytest.mark.parametrize("prior", ["orders", "graphs"])
@pytest.mark.parametrize("part", [-1, 12])
def test_annealing_is_estimated_from_the_samples_so_far(stores, summaries, prior, part):
    found = summaries["first"].to_dataset().sel(prior=prior, scorer="ais_4", run=1).isel(fraction=part)
    runs = runs_of(stores["first"], "ais_4").sel(run=1)
    count = max(round(float(found.fraction) * SAMPLES), 1)
    log_weights, log_extensions = runs.log_weight.values[:count], runs.log_extensions.values[:count]
    arcs, root = arcs_of(runs["parents"].values[:count]), root_of(stores["first"], prior)
    by_sample, by_graph, seconds = log_weights, log_weights[:, None] + 0 * log_extensions, 0.5
    if prior == "graphs":
        by_sample, by_graph, seconds = corrected(log_weights, log_extensions), by_graph - log_extensions, 0.75
    scale = float(root.log_scale)
    assert np.isclose(found.log_evidence, combine(by_sample, "mean")[0] + scale)
    assert np.isclose(found.seconds, seconds * count)
    assert np.isclose(
        found.arc_error, np.abs(arc_posteriors(by_graph, arcs) - exact_arcs_of(stores["first"], prior)).max()
    )
    if count >= 9:
        assert np.isclose(found.lower_bound, lower_bound(by_sample) + scale)
    else:
        assert np.isnan(found.lower_bound)


def test_tempered_chains_lose_their_first_half(stores, summaries):
    found = summaries["first"].to_dataset().sel(scorer="mc3_2", run=0).isel(fraction=-1)
    run = runs_of(stores["first"], "mc3_2").sel(run=0).isel(block=slice(5, None))
    ratios = sum(np.log(np.mean(np.exp(run.log_ratio.values[:, step]))) for step in range(2))
    inverse = np.log(np.mean(np.exp(run.log_inverse_extensions.values)))
    assert np.isclose(found.log_evidence.sel(prior="orders"), ratios - 1.5)
    assert np.isclose(found.log_evidence.sel(prior="graphs"), ratios + inverse + 0.5)
    assert found.lower_bound.isnull().all()
    assert np.isclose(found.seconds.sel(prior="graphs"), 30.0)
    error = np.abs(run.arcs.values.mean(axis=0) - exact_arcs_of(stores["first"], "orders")).max()
    assert np.isclose(found.arc_error.sel(prior="orders"), error)


def test_everything_is_pooled_over_the_runs(stores, summaries):
    found = summaries["second"].to_dataset().sel(prior="orders", scorer="ais_1")
    log_mean, error, size = combine(runs_of(stores["second"], "ais_1").log_weight.values.ravel(), "mean")[:3]
    assert np.isclose(found.pooled_log_evidence, log_mean - 1.5)
    assert np.isclose(found.standard_error, error)
    assert np.isclose(found.effective_sample_size, size)
    assert np.isclose(found.at_least, log_mean - 1.5 + np.log(0.05))
    weights = runs_of(stores["second"], "ais_1").log_weight.values.ravel()
    assert np.isclose(found.pooled_lower_bound, lower_bound(weights) - 1.5)
    assert summaries["second"].pooled_lower_bound.sel(scorer="mc3_2").isnull().all()
    assert int(found.n_samples) == RUNS * SAMPLES
    runs = runs_of(stores["first"], "ais_4")
    weights = corrected(runs.log_weight.values.ravel(), runs.log_extensions.values.reshape(RUNS * SAMPLES, -1))
    found = summaries["first"].to_dataset().sel(prior="graphs", scorer="ais_4")
    assert np.isclose(found.standard_error, mean_of_corrected(weights).standard_error)
    assert not np.isclose(found.standard_error, combine(weights, "mean").standard_error)


def test_what_was_not_counted_or_is_not_known_is_missing(summaries):
    third = summaries["third"].to_dataset()
    assert third.log_evidence.sel(prior="graphs").isnull().all()
    assert third.log_evidence.sel(prior="orders").notnull().all()
    assert summaries["second"].to_dataset().arc_error.isnull().all()


def on(group, replicates, sizes):
    """An entry on another part of the grid: the same numbers, but log evidences are higher by 1000 r + n."""
    cells = group.to_dataset().isel(replicate=0, n=-1, drop=True).expand_dims(replicate=replicates, n=sizes)
    higher, steps = 1000 * cells.replicate + cells.n, cells.sizes.get("step")
    by = {"log_weight": higher, "exact_log_evidence": higher, "log_ratio": steps and higher / steps}
    return cells.assign({name: cells[name] + by[name] for name in by if name in cells})


def test_samplers_are_compared_at_the_first_replicate_and_the_largest_size_that_all_have(stores, summaries):
    """Were each at its own, curves of different data would stand beside each other."""
    tree = stores["first"].copy()
    grids = {"ais_1": ([1, 2, 3], [10, 20]), "ais_4": ([2, 3], [5, 10, 20]), "mc3_2": ([2, 3], [5, 10])}
    for label, grid in grids.items():
        tree[label] = xr.DataTree(on(tree[label], *grid))
    tree["exact"] = xr.DataTree(on(tree["exact"], [1, 2], [10, 20]))
    found, before = summarise({"c": tree}, {})["c"], summaries["first"]
    for name in ("log_evidence", "lower_bound", "pooled_log_evidence", "exact_log_evidence"):
        np.testing.assert_allclose(found[name], before[name] + 2010)
    tree["exact"] = xr.DataTree(on(tree["exact"], [1], [10, 20]))
    found = summarise({"c": tree}, {})["c"]
    assert found.exact_log_evidence.isnull().all()
    assert found.arc_error.isnull().all()


@pytest.mark.parametrize(("grid", "dimension"), [(([2], [10, 20]), "replicate"), (([1], [30]), "n")])
def test_samplers_without_a_cell_in_common_are_refused(grid, dimension, stores):
    tree = stores["first"].copy()
    tree["mc3_2"] = xr.DataTree(on(tree["mc3_2"], *grid))
    with pytest.raises(StoreError, match=f"c: scores.nc: the samplers have no {dimension} in common; give them one"):
        summarise({"c": tree}, {})


def test_what_fills_the_arrays_of_shorter_cells_is_no_sample(stores, summaries):
    """A cell of another size may have more samples: this one's are then followed by NaN, or 0 in whole numbers."""
    tree = stores["first"].copy()
    for label in ("ais_1", "ais_4"):
        group = tree[label].to_dataset()
        fill = {name: 0 if array.dtype.kind in "iu" else np.nan for name, array in group.items()}
        tree[label] = xr.DataTree(group.pad(sample=(0, SAMPLES), constant_values=fill))
    xr.testing.assert_identical(summarise({"first": tree}, {})["first"], summaries["first"])


@pytest.fixture(scope="module")
def compared(stores):
    """The summaries with entries for a comparison, whose log evidences are far away, in all conditions."""

    def far(runs):
        return runs.assign({name: runs[name] + 500 for name in ("log_weight", "log_ratio") if name in runs})

    trees = {}
    for number, (name, tree) in enumerate(stores.items()):
        rng = np.random.default_rng(number)
        more = {
            "ais_curved": group(far(annealing(rng)), "ais", "curved_schedule", length=4, curvature=0.2),
            "mc3_linear": group(far(tempering(rng)), "mc3", "linear_schedule", ratios=2),
        }
        trees[name] = xr.DataTree.from_dict(tree.to_dict() | more)
    return summarise(trees, {})


def test_entries_are_known_by_their_role_and_their_schedule(compared):
    data = compared["second"].to_dataset()
    assert dict(zip(data.scorer.values, data.role.values, strict=True)) == {
        "ais_1": "", "ais_4": "", "mc3_2": "", "ais_curved": "curved_schedule", "mc3_linear": "linear_schedule"
    }  # fmt: skip
    assert data.curvature.sel(scorer="ais_curved") == 0.2
    assert data.curvature.drop_sel(scorer="ais_curved").isnull().all()


def test_entries_with_a_role_change_nothing_that_the_paper_shows(summaries, compared):
    paper = families.paper("niinimaki_koivisto_2013")
    for table in (evidence, samplers_at_the_end, upper_bounds):
        assert table(compared, paper).equals(table(summaries, paper))
    for figure in (figure_2, figure_3):
        axes = zip(figure(compared).axes, figure(summaries).axes, strict=True)
        for one, other in axes:
            assert [line.get_label() for line in one.lines] == [line.get_label() for line in other.lines]
            for ours, theirs in zip(one.lines, other.lines, strict=True):
                np.testing.assert_array_equal(ours.get_xydata(), theirs.get_xydata())
    assert figure_2(compared).axes[0].lines


def test_figures_draw_the_medians(summaries):
    figure = figure_2(summaries)
    assert len(figure.axes) == 3
    data = summaries["first"].to_dataset().sel(prior="orders")
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert list(lines) == ["AIS 1 $nm$", "AIS 4 $nm$", "AISL 4 $nm$", "MC$^3$ 2", "exact"]
    medians = data.sel(scorer="ais_4").median("run") + 51.0
    np.testing.assert_allclose(lines["AIS 4 $nm$"].get_ydata(), medians.log_evidence)
    np.testing.assert_allclose(lines["AISL 4 $nm$"].get_ydata(), medians.lower_bound)
    assert list(lines["exact"].get_ydata()) == [0.0, 0.0]
    assert figure.axes[0].get_ylabel() == "log evidence + 51.0 (nats)"
    ends = summaries["second"].to_dataset().sel(prior="orders").log_evidence.isel(fraction=-1).median("run")
    second = {line.get_label(): line for line in figure.axes[1].lines}
    assert second["AIS 4 $nm$"].get_ydata()[-1] == pytest.approx(float(ends.sel(scorer="ais_4") - ends.median()))
    assert "median at the end" in second
    figure = figure_3(summaries)
    assert len(figure.axes) == 3  # two conditions were counted, one has exact arcs
    assert {line.get_label()[:4] for line in figure.axes[2].lines} == {"AIS ", "cAIS", "MC$^", "cMC$"}


def test_lines_are_told_apart_without_colour(summaries):
    for figure in (figure_2(summaries), figure_3(summaries)):
        for axes in figure.axes:
            looks = [(line.get_linestyle(), line.get_marker(), line.get_fillstyle()) for line in axes.lines]
            known = [look for look, line in zip(looks, axes.lines, strict=True) if line.get_color() != "#CC79A7"]
            assert len(set(known)) == len(known)


def test_what_all_runs_leave_unknown_has_no_markers(summaries):
    tree, data = summaries.copy(), summaries["first"].to_dataset()
    unknown = xr.zeros_like(data.doubt)
    unknown.loc[{"scorer": "ais_4"}] = 1
    tree["first"] = xr.DataTree(data.assign(doubt=unknown))
    lines = {line.get_label(): line.get_markevery() for line in figure_2(tree).axes[0].lines}
    assert lines["AIS 4 $nm$"] == []
    assert lines["MC$^3$ 2"] is None


def test_a_point_that_a_run_lacks_breaks_the_line(summaries):
    """That another entry has more runs does not."""
    tree, data = summaries.copy(), summaries["first"].to_dataset()
    lacking = (data.sampler == "ais") & (data.run == 1) & (data.fraction == data.fraction[7])
    changed = data.assign({name: data[name].where(~lacking) for name in ("log_evidence", "arc_error")})
    tree["first"] = xr.DataTree(changed.pad(run=(0, 1)))
    lines = {line.get_label(): line.get_ydata() for line in figure_2(tree).axes[0].lines}
    assert np.flatnonzero(np.isnan(lines["AIS 4 $nm$"])).tolist() == [7]
    before = {line.get_label(): line.get_ydata() for line in figure_2(summaries).axes[0].lines}
    np.testing.assert_array_equal(lines["MC$^3$ 2"], before["MC$^3$ 2"])
    whole, broken = (
        {line.get_label(): line.get_ydata() for line in figure_3(shown).axes[2].lines} for shown in (summaries, tree)
    )
    annealed = {label for label in whole if "AIS" in label}
    assert {label for label in whole if np.isnan(broken[label]).any()} == annealed != set()
    assert not any(np.isnan(line).any() for line in whole.values())


def test_the_table_has_the_papers_bounds_beside_ours(summaries, tmp_path):
    (tmp_path / "numbers").mkdir()
    (tmp_path / "numbers/lower_bounds.csv").write_text(
        "condition,prior,factor,least\nfirst,orders,2,\nsecond,orders,,0.33\n"
    )
    table = evidence(summaries, replace(families.paper("niinimaki_koivisto_2013"), folder=tmp_path)).set_index(
        ["condition", "prior"]
    )
    assert list(table.index) == [("first", "orders"), ("first", "graphs"), ("second", "orders"), ("second", "graphs"),
                                 ("third", "orders")]  # fmt: skip
    data = summaries["first"].to_dataset().sel(prior="orders", scorer="ais_4").isel(fraction=-1).median("run")
    row = table.loc[("first", "orders")]
    assert row["bound below"] == round(-51.0 - float(data.lower_bound), 2)
    assert row["bound below (paper)"] == 0.69
    pooled = summaries["first"].pooled_lower_bound.sel(prior="orders", scorer="ais_4")
    assert row["all runs: bound below"] == round(-51.0 - float(pooled), 2)
    data = summaries["second"].to_dataset().sel(prior="orders", scorer="ais_4").isel(fraction=-1).median("run")
    gap = round(float(data.log_evidence) - float(data.lower_bound), 2)
    assert table.loc[("second", "orders")]["bound below"] == gap
    assert table.loc[("second", "orders")]["bound below (paper)"] == 0.33


def test_the_bounds_of_both_sides_are_in_one_table(summaries):
    table = upper_bounds(summaries, families.paper("niinimaki_koivisto_2013")).set_index(["condition", "prior"])
    assert list(table.index) == [("first", "orders"), ("first", "graphs")]  # the only one that has upper bounds
    about = read_stored(families.paper("niinimaki_koivisto_2013")).tables["upper_bounds"]
    assert {*table.columns, "condition", "prior"} == {*about.rows, *about.columns}
    assert table["upper"].tolist() == [-48, -47]
    assert table["exact"].tolist() == [-51, -49.5]
    lower = summaries["first"].to_dataset().lower_bound.sel(scorer="ais_4").isel(fraction=-1).median("run")
    np.testing.assert_allclose(table["lower"], lower, atol=0.006)
    np.testing.assert_allclose(table["between"], table["upper"] - lower, atol=0.006)


def test_the_matrix_of_arcs_has_parents_in_rows():
    arcs = np.array([[0.0, 0.9, 0.1], [0.1, 0.0, 0.2], [0.3, 0.4, 0.0]])
    axes = figure_arcs(NAMES, arcs).axes[0]
    assert (axes.images[0].get_array() == arcs).all()
    assert [label.get_text() for label in axes.get_yticklabels()] == NAMES
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("parent", "child")
