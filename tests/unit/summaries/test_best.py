"""The best score takes the highest run, pools what is unbiased, and adds ln S only where it may be added.

Source of truth: numbers set by hand.
"""

from math import log

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.summaries.best import best


def test_takes_the_highest_run(scores):
    cs = best(scores).log_evidence.sel(score="cheeseman_stutz", alias_correction="none", n=10, replicate=0)
    assert cs.values.tolist() == [-4, -5, -9]


def test_adds_log_aliases_to_local_scores_only(scores):
    highest = best(scores).log_evidence
    added = highest.sel(alias_correction="log_aliases") - highest.sel(alias_correction="none")
    at = added.sel(replicate=0, n=10)
    for score in ("bic", "cheeseman_stutz", "variational_bayes"):
        np.testing.assert_allclose(at.sel(score=score), [0, 2, 0])
    for score in ("map", "exact"):
        np.testing.assert_allclose(at.sel(score=score), [0, 0, 0])


def test_finds_scores_and_not_other_variables(scores):
    assert best(scores).score.values.tolist() == ["map", "bic", "cheeseman_stutz", "variational_bayes", "exact"]


def test_is_nan_outside_a_groups_own_grid(scores):
    exact = best(scores).log_evidence.sel(score="exact", alias_correction="none")
    assert exact.sel(replicate=0, n=10).notnull().all()
    assert int(exact.notnull().sum()) == 3


def test_ignores_a_missing_run_and_keeps_a_missing_structure(store):
    values = np.tile([-1.0, -2.0], (5, 2, 3, 1))
    values[0, 0, 0] = np.nan, -7
    values[0, 0, 1] = np.nan
    highest = best(store(em=store.fit(bic=store.score("bic", values)))).log_evidence
    np.testing.assert_array_equal(highest.sel(alias_correction="none", replicate=0, n=10).squeeze(), [-7, np.nan, -1])


def test_counts_the_runs_that_have_a_score(store):
    values = np.tile([-1.0, -2.0], (5, 2, 3, 1))
    values[0, 0, 0] = np.nan, -7
    values[0, 0, 1] = np.nan
    counted = best(store(em=store.fit(bic=store.score("bic", values)))).n_runs.sel(score="bic", replicate=0)
    np.testing.assert_array_equal(counted, [[1, np.nan, 2], [2, 2, 2]])


def test_averages_the_evidence_of_unbiased_runs(store):
    values = np.tile(np.log([1.0, 3.0, np.nan]), (5, 2, 3, 1))
    values[1, 0, 0] = np.nan
    ais = store.score("ais", values, runs=3).assign_attrs(over_runs="mean")
    highest = best(store(ais=xr.Dataset({"ais": ais}))).log_evidence.sel(score="ais", alias_correction="none")
    np.testing.assert_allclose(highest.sel(replicate=0), log(2))
    np.testing.assert_allclose(highest.sel(replicate=1, n=10), [np.nan, log(2), log(2)])


def test_the_error_of_one_run_has_the_degrees_of_freedom_that_are_stored_with_it(store):
    values = np.full((5, 2, 3, 1), -1.0)
    ais = store.score("ais", values, runs=1).assign_attrs(over_runs="mean")
    error, freedom = ais.copy(data=values * -0.1).drop_attrs(), ais.copy(data=values * -7).drop_attrs()
    found = best(store(ais=xr.Dataset({"ais": ais, "ais_standard_error": error, "ais_degrees_of_freedom": freedom})))
    assert (found.degrees_of_freedom.sel(score="ais") == 7).all()
    found = best(store(ais=xr.Dataset({"ais": ais, "ais_standard_error": error})))
    assert np.isinf(found.degrees_of_freedom.sel(score="ais")).all()


def flags(found, score, **at):
    return [Doubt(int(value)) for value in found.doubt.sel(score=score, replicate=0, n=10, **at).values]


def test_below_a_proven_bound_is_doubted_and_the_bound_is_known(store):
    """With ln S, 2 nats for structure b, the second is above the bound; an error of .5 nats reaches it from -5.9."""
    bound = store.score("cheeseman_stutz", [[[-5.0], [-5.0], [-5.0]]])
    bic = store.score("bic", [[[-6.0], [-6.0], [-4.0]]])
    ais = store.score("ais", [[[-5.9], [-9.0], [-5.9]]], runs=1).assign_attrs(over_runs="mean")
    groups = {"em": store.fit(bic=bic, cheeseman_stutz=bound), "ais": xr.Dataset({"ais": ais})}
    groups["ais"]["ais_standard_error"] = xr.full_like(ais, 0.5).drop_attrs()
    found = best(store(**groups))
    assert flags(found, "bic") == [Doubt.BELOW_BOUND, Doubt(0), Doubt(0)]
    assert flags(found, "ais") == [Doubt(0), Doubt.BELOW_BOUND, Doubt(0)]
    assert flags(found, "cheeseman_stutz") == [Doubt(0)] * 3
    assert (found.at_least == -5).all()
    assert found.doubt.attrs["flag_meanings"].startswith("few_effective_samples runs_differ below_bound")


def test_an_unbiased_score_bounds_the_evidence_however_few_its_samples(store):
    ais = store.score("ais", [[[-6.0], [-9.0], [-6.0]]], runs=1).assign_attrs(over_runs="mean")
    found = best(store(ais=xr.Dataset({"ais": ais})))
    assert flags(found, "ais") == [Doubt.FEW_EFFECTIVE_SAMPLES] * 3
    np.testing.assert_allclose(found.at_least.sel(score="ais", replicate=0, n=10), np.array([-6, -9, -6]) + log(0.05))
    bic = store.score("bic", [[[-6.0], [-9.0], [-4.0]]])
    assert best(store(em=store.fit(bic=bic))).at_least.isnull().all()


def test_doubts_of_runs_are_kept_and_a_run_without_a_value_is_one(store):
    values = np.tile([-1.0, -1.1, np.nan], (5, 2, 3, 1))
    ais = store.score("ais", values, runs=3).assign_attrs(over_runs="mean")
    group = xr.Dataset({"ais": ais, "key": xr.ones_like(ais, dtype=int)})
    group["ais_doubt"] = xr.full_like(ais, int(Doubt.NOT_MIXED), dtype=np.uint8).drop_attrs()
    group["ais_standard_error"] = xr.full_like(ais, 0.1).where(ais.notnull()).drop_attrs()
    assert flags(best(store(ais=group)), "ais") == [Doubt.NOT_MIXED | Doubt.RUN_FAILED] * 3
    group["key"] = group.key.where(ais.notnull(), 0)
    assert flags(best(store(ais=group)), "ais") == [Doubt.NOT_MIXED] * 3


@pytest.mark.parametrize(("error", "doubt"), [(1.1, Doubt(0)), (1.3, Doubt.FEW_EFFECTIVE_SAMPLES)])
def test_an_error_of_more_than_half_a_nat_is_doubted_though_most_runs_are_sure(store, error, doubt):
    """Three runs of which one has an error: that of their median is sqrt(pi / 2) / 3 of it, .46 and .54."""
    values = np.full((5, 2, 3, 3), -1.0)
    errors = np.broadcast_to([0.0, 0.0, error], values.shape)
    score = store.score("ais", values, runs=3).assign_attrs(over_runs="median")
    group = xr.Dataset({"ais": score, "ais_standard_error": score.copy(data=errors).drop_attrs()})
    assert flags(best(store(ais=group)), "ais") == [doubt] * 3
