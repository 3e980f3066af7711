"""Every score is judged against the truth: by its distance, its order of the structures, and its choice.

Source of truth: numbers set by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.summaries.best import best
from ockham.summaries.league import league, truth

STRUCTURES, N = ["a", "b", "c"], [10, 100]
TRUTH = np.array([[-5.0, -4.0, -9.0], [-50.0, -55.0, -60.0]])
ALIASES = [0.0, 2.0, 0.0]


def group(name, values, bound="none", local=0, over_runs="max", doubt=0, passes=7.0, reference="none"):
    """One entry with one score, values over (n, structure, run), the same in both replicates."""
    values = np.broadcast_to(values, (2, *np.shape(values)))
    dims = ("replicate", "n", "structure", "run")
    coords = {"replicate": [0, 1], "n": N, "structure": STRUCTURES, "run": range(values.shape[-1])}
    score = xr.DataArray(
        values, coords, dims,
        attrs={
            "units": "nats", "long_name": name, "bound": bound, "local": local, "over_runs": over_runs,
            "reference": reference,
        },
    )  # fmt: skip
    doubts = xr.full_like(score, 0, dtype=np.uint8).drop_attrs() + np.uint8(doubt)
    passes = xr.full_like(score, passes).assign_attrs(units="1")
    return xr.Dataset({name: score, f"{name}_doubt": doubts.astype(np.uint8), "n_evaluations": passes})


def bridge(doubted=()):
    found = group("bridge_sampling", TRUTH[..., None], over_runs="median", reference="estimated")
    found["bridge_sampling_standard_error"] = xr.full_like(found.bridge_sampling, 0.1).drop_attrs()
    for n, structure in doubted:
        found.bridge_sampling_doubt.loc[{"n": n, "structure": structure}] = int(Doubt.NOT_MIXED)
    return found


def tree(**groups):
    root = xr.Dataset(
        {"n_parameters": ("structure", [18, 50, 66]), "log_aliases": ("structure", ALIASES)},
        coords={"structure": STRUCTURES},
        attrs={"study": "by_hand", "condition": "", "true_structure": "b"},
    )
    return xr.DataTree.from_dict({"/": root, **groups})


def judged(**groups):
    scores = tree(**groups)
    return league(scores, best(scores))


def test_errors_order_and_choice():
    # With ln S added, one nat too low for a, two too high for b, right for c at n = 10; the order is kept at 100.
    off = np.array([[-1.0, 2.0, 0.0], [-3.0, -4.0, -5.0]])
    found = judged(bridge=bridge(), bic=group("bic", (TRUTH + off - ALIASES)[..., None], local=1)).sel(score="bic")
    np.testing.assert_allclose(found.error_median, [1, 4])
    np.testing.assert_allclose(found.error_95, [np.quantile(both, 0.95) for both in ([1, 2, 0] * 2, [3, 4, 5] * 2)])
    np.testing.assert_allclose(found.rank_correlation, [1, 1])
    np.testing.assert_allclose(found.same_choice, [1, 1])
    np.testing.assert_allclose(found.success_rate, [1, 0])
    assert found.n_cells.values.tolist() == [6, 6]
    assert found.n_known.values.tolist() == [6, 6]
    np.testing.assert_allclose(found.truth_error, 0.1)
    np.testing.assert_allclose(found.n_evaluations, 7)


def test_another_order_is_noticed():
    reverse = TRUTH[:, ::-1] - ALIASES
    found = judged(bridge=bridge(), bic=group("bic", reverse[..., None], local=1)).sel(score="bic", n=100)
    assert found.rank_correlation == pytest.approx(-1)
    assert found.same_choice == 0
    assert found.success_rate == 0


def test_what_the_truth_is_not_known_of_is_left_out():
    found = judged(bridge=bridge([(10, "a")]), bic=group("bic", TRUTH[..., None] - 1.0)).sel(score="bic")
    assert found.n_cells.values.tolist() == [4, 6]
    assert np.isnan(found.rank_correlation[0])
    assert np.isnan(found.same_choice[0])
    assert found.error_median[0] == 1


def test_exact_values_come_before_those_by_bridge_sampling():
    exact = group("exact", TRUTH[..., None] + 0.05, reference="known").isel(n=[0])
    known = truth(best(tree(bridge=bridge([(10, "a")]), exact=exact)))
    np.testing.assert_allclose(known.log_evidence.sel(replicate=0), TRUTH + np.array([[0.05], [0.0]]))
    np.testing.assert_allclose(known.standard_error.sel(replicate=0).max("structure"), [0.0, 0.1])


def test_restarts_are_set_beside_the_first_three():
    low = np.repeat(TRUTH[..., None] - 9.0, 5, axis=-1)
    low[..., 4] += 8.0
    found = judged(bridge=bridge(), em=group("map", low))
    np.testing.assert_allclose(found.error_median.sel(score="map"), 1)
    np.testing.assert_allclose(found.error_median.sel(score="map_of_3"), 9)
    np.testing.assert_allclose(found.n_evaluations.sel(score="map"), 35)
    np.testing.assert_allclose(found.n_evaluations.sel(score="map_of_3"), 21)


def test_means_over_runs_have_no_such_twin():
    many = np.repeat(TRUTH[..., None], 5, axis=-1)
    found = judged(bridge=bridge(), ais=group("ais", many, over_runs="mean"))
    assert found.score.values.tolist() == ["ais"]


def test_doubts_are_counted():
    doubted = group("bic", TRUTH[..., None], doubt=int(Doubt.NOT_CONVERGED))
    assert (judged(bridge=bridge(), bic=doubted).doubted.sel(score="bic") == 1).all()


def test_a_score_of_any_name_stands_for_the_truth_if_its_scorer_says_so():
    other = group("from_elsewhere", TRUTH[..., None], reference="estimated")
    found = judged(other=other, bic=group("bic", TRUTH[..., None] - 2.0), exact=group("exact", TRUTH[..., None]))
    assert found.score.values.tolist() == ["bic", "exact"]
    np.testing.assert_allclose(found.error_median.sel(score="bic"), 2)


def test_a_study_without_bridge_sampling_has_none():
    assert not judged(bic=group("bic", TRUTH[..., None])).variables
