"""The best score takes the highest run, pools what is unbiased, and adds ln S only where it may be added.

Source of truth: numbers set by hand.
"""

from math import log

import numpy as np
import xarray as xr

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


def test_averages_the_evidence_of_unbiased_runs(store):
    values = np.tile(np.log([1.0, 3.0, np.nan]), (5, 2, 3, 1))
    values[1, 0, 0] = np.nan
    ais = store.score("ais", values, runs=3).assign_attrs(over_runs="mean")
    highest = best(store(ais=xr.Dataset({"ais": ais}))).log_evidence.sel(score="ais", alias_correction="none")
    np.testing.assert_allclose(highest.sel(replicate=0), log(2))
    np.testing.assert_allclose(highest.sel(replicate=1, n=10), [np.nan, log(2), log(2)])
