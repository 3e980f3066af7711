"""Summaries, tables and figures of Boltzmann machines, on scores made by hand."""

import numpy as np
import pytest
import xarray as xr

from ockham import families
from ockham.contracts import Doubt
from ockham.machines.summaries import STANDARD, summarise
from ockham.papers.chen_welling_2013 import PAPER
from ockham.papers.chen_welling_2013.accuracy import accuracy
from ockham.papers.chen_welling_2013.ground_truth import ground_truth

STRUCTURES = ["hidden-01", "hidden-02", "hidden-11"]
SIZES = [10, 100]
DIAGNOSTICS = ("acceptance", "scale_reduction", "independent_scale_reduction", "dic_monte_carlo_error")
DIMENSIONS = ("replicate", "n", "structure", "run")


def entry(scorer, scores, over_runs="median_without_error", structures=STRUCTURES, **attributes):
    """An entry of the scorers with these values over (structure, run), the same for every replicate and size."""
    variables = {}
    for name, values in scores.items():
        values = np.array(values, dtype=float)
        shape = (2, len(SIZES), *values.shape)
        plain = name.startswith("held_out") or name in DIAGNOSTICS
        about = {} if plain else {"units": "nats"}
        if about and not name.endswith("_standard_error"):
            about |= {"bound": "none", "local": 0, "over_runs": over_runs}
        variables[name] = DIMENSIONS, np.broadcast_to(values, shape), about
    n_runs = values.shape[1]
    coordinates = {"replicate": [1, 2], "n": SIZES, "structure": structures, "run": range(n_runs)}
    return xr.Dataset(variables, coordinates, {"scorer": scorer, "role": ""} | attributes)


def with_units(groups):
    """A store: every group has every structure, NaN where it was not scored."""
    groups = {name: group.reindex(structure=STRUCTURES) for name, group in groups.items()}
    root = xr.Dataset({"n_hidden": ("structure", [1, 2, 11])}, {"structure": STRUCTURES})
    return xr.DataTree.from_dict({"/": root, **groups})


def store():
    error = f"{STANDARD}_standard_error"
    ais = {STANDARD: [[-20, -22], [-18, -18]], error: [[0.3, 0.4], [0.1, 0.1]], "acceptance": [[0.8, 1.0]] * 2}
    back = {STANDARD: [[-17.0, -17.0]], error: [[0.2, 0.2]], "acceptance": [[0.9, 0.9]]}
    groups = {
        "ais": entry("ais", ais, "mean", STRUCTURES[:2]),
        "ais_reverse": entry("ais", back, "mean", STRUCTURES[1:2], from_truth=1, role="reverse"),
        "laplace": entry("laplace", {"laplace": [[-21.0] * 3, [-18.5, -18.0, -17.0], [-30.0] * 3]}),
        "laplace_again": entry(
            "laplace", {"laplace": [[-21.0, -23.0], [-19.0, -20.0], [-30.0, -31.0]]}, role="repeated"
        ),
        "cross_validation": entry("cross_validation", {
            "cross_validation": [[-2.0], [-3.0], [-1.0]], "held_out_mean": [[-0.2], [-0.3], [-0.1]],
            "held_out_deviation": [[0.01], [0.02], [0.03]],
        }),
    }  # fmt: skip
    return with_units(groups)


CONDITIONS = ("simulated", "both_sides", "five_words_sizes", "five_words_units", "all_words")


@pytest.fixture(scope="module")
def summaries():
    middle = np.linspace(-1.0, 1.0, 5)
    histograms = xr.Dataset(
        {"density": (("distribution", "parameter", "bin"), np.ones((3, 6, 5))),
         "value": (("parameter", "bin"), np.tile(middle, (6, 1)))},
        {"distribution": ["hamiltonian", "langevin", "laplace"], "parameter": range(6)},
    )  # fmt: skip
    return summarise({name: store() for name in CONDITIONS}, {"posterior_histograms": histograms})


def at(summaries, score, structure):
    return summaries["all_words"].to_dataset().sel(score=score, structure=structure, replicate=2, n=100)


def test_runs_are_combined_as_each_score_says(summaries):
    assert float(at(summaries, "laplace", "hidden-02").log_evidence) == -18.0
    mean = np.log((np.exp(-20) + np.exp(-22)) / 2)
    assert float(at(summaries, STANDARD, "hidden-01").log_evidence) == pytest.approx(mean)
    assert float(at(summaries, STANDARD, "hidden-02").standard_error) == pytest.approx(np.hypot(0.1, 0.1) / 2)
    assert float(at(summaries, STANDARD, "hidden-01").acceptance) == pytest.approx(0.9)
    assert np.isnan(float(at(summaries, STANDARD, "hidden-11").log_evidence))


def test_runs_that_differ_by_more_than_their_errors_are_doubted(summaries):
    """Runs at -20 and -22 with errors of .3 and .4: z is 4, and the error is that of their spread."""
    apart = at(summaries, STANDARD, "hidden-01")
    assert Doubt(int(apart.doubt)) == Doubt.RUNS_DIFFER | Doubt.FEW_EFFECTIVE_SAMPLES
    assert float(apart.standard_error) > 1
    assert not int(at(summaries, STANDARD, "hidden-02").doubt)


def test_how_well_chains_agree_is_kept_with_the_first_of_their_scores():
    """The mean of two runs; no other score has it, nor has an entry that does not know."""
    chains = {"harmonic_1": [[-3.0, -3.0]] * 3, "dic": [[-4.0, -4.0]] * 3, "scale_reduction": [[1.25, 1.75]] * 3}
    chains["independent_scale_reduction"] = [[1.0, 1.5]] * 3
    found = summarise({"c": with_units({"langevin": entry("langevin", chains)})}, {})["c"]
    for name, mean in (("scale_reduction", 1.5), ("independent_scale_reduction", 1.25)):
        assert (found[name].sel(score="harmonic_1") == mean).all()
        assert found[name].sel(score="dic").isnull().all()
        del chains[name]
        assert name not in summarise({"c": with_units({"langevin": entry("langevin", chains)})}, {})["c"]


def test_each_score_from_draws_keeps_the_error_of_its_own():
    chains = {"harmonic_1": [[-3.0, -3.0]] * 3, "dic": [[-4.0, -4.0]] * 3, "dic_monte_carlo_error": [[0.2, 0.4]] * 3}
    found = summarise({"c": with_units({"langevin": entry("langevin", chains)})}, {})["c"].sampling_error
    np.testing.assert_allclose(found.sel(score="dic"), 0.3)
    assert found.sel(score="harmonic_1").isnull().all()


def test_chains_from_the_truth_are_combined_as_means_of_one_over_the_evidence():
    ends = [[-17.0, -15.0]]
    error = f"{STANDARD}_standard_error"
    back = {STANDARD: ends, error: [[0.2, 0.2]], "acceptance": [[0.9, 0.9]]}
    tree = with_units({"b": entry("ais", back, "mean", STRUCTURES[:1], from_truth=1)})
    found = summarise({"c": tree}, {})["c"].log_evidence
    assert float(found.isel(replicate=0, n=0, structure=0, score=0)) == pytest.approx(
        -np.log((np.exp(17) + np.exp(15)) / 2)
    )


def test_scores_are_named_by_what_entries_are_for_and_not_by_their_labels():
    """Whatever it is called, the first entry without a role has a score's own name, and its folds are shown."""

    def value(number, role="", scorer="laplace", **more):
        return entry(scorer, {scorer: [[number]] * 3, **more}, role=role)

    def folds(number, role=""):
        return value(number, role, "cross_validation", held_out_mean=[[number]] * 3, held_out_deviation=[[0.0]] * 3)

    groups = {"laplace": value(-1.0, "repeated"), "long": value(-2.0), "longer": value(-3.0)}
    groups |= {"cross_validation": folds(-4.0, "repeated"), "ten_folds": folds(-5.0)}
    found = summarise({"c": with_units(groups)}, {})["c"].isel(replicate=0, n=0, structure=0)
    assert dict(zip(found.score.values.tolist(), found.log_evidence.values.tolist(), strict=True)) == {
        "laplace_laplace": -1.0, "laplace": -2.0, "laplace_longer": -3.0,
        "cross_validation_cross_validation": -4.0, "cross_validation": -5.0,
    }  # fmt: skip
    assert float(found.held_out_mean) == -5.0


def test_the_highest_score_selects_where_every_machine_has_one(summaries):
    selected = summaries["all_words"]["selected"].sel(replicate=1, n=10)
    assert float(selected.sel(score="laplace")) == 2
    assert float(selected.sel(score="cross_validation")) == 11
    assert float(selected.sel(score="laplace_laplace_again")) == 2
    assert np.isnan(float(selected.sel(score=STANDARD)))


def test_the_runs_of_a_score_are_counted_and_bounded(summaries):
    laplace = at(summaries, "laplace", "hidden-02")
    assert [float(laplace[name]) for name in ("n_runs", "run_lowest", "run_highest")] == [3, -18.5, -17.0]
    assert float(laplace.run_mean) == pytest.approx(-53.5 / 3)
    assert float(at(summaries, STANDARD, "hidden-11").n_runs) == 0


def test_tables_show_differences_from_ais_and_how_sure_it_is(summaries):
    row = accuracy(summaries, PAPER).query("condition == 'all_words' and replicate == 1 and N == 10 and K == 2")
    assert row["AIS"].item() == -18.0
    assert row["Laplace"].item() == 0.0
    assert set(accuracy(summaries, PAPER)["K"]) == {1, 2}
    sure = ground_truth(summaries, PAPER).query("condition == 'all_words' and replicate == 1 and N == 10 and K == 2")
    assert sure["entry"].tolist() == ["ais", "ais_reverse"]
    assert sure["log evidence"].tolist() == [-18.0, -17.0]


@pytest.mark.parametrize("name", PAPER.figures)
def test_figures_show_what_the_summaries_hold(summaries, name):
    figure = families.load(PAPER.figures[name].function)(summaries)
    lines = [{line.get_label(): line for line in axes.lines} for axes in figure.axes]
    assert all(lines)
    needs = PAPER.figures[name].needs
    assert set(needs.conditions) <= set(CONDITIONS)
    assert {*needs.scorers, *needs.roles} <= {"laplace", "repeated", "cross_validation"}
    assert set(needs.measurements) <= {"posterior_histograms"}
    if name in ("figure_6", "figure_7"):
        np.testing.assert_array_equal(lines[0]["Laplace"].get_xdata(), [1, 2, 11])
        np.testing.assert_allclose(lines[0]["Laplace"].get_ydata(), np.array([-21.0, -18.0, -30.0]) / 100)
        np.testing.assert_array_equal(np.isnan(lines[1]["AIS"].get_ydata()), [False, False, True])
        np.testing.assert_allclose(lines[2]["Laplace"].get_ydata()[1:], [0.0, np.nan], atol=1e-12)
    if name == "figure_4":
        np.testing.assert_array_equal(lines[0]["Laplace"].get_xdata(), SIZES)
