"""Violations count real breaches among the prior draws, and every breach of an exact value.

Source of truth: breaches planted by hand.
"""

import numpy as np

from ockham.networks.summaries.violations import violations
from ockham.summaries.best import best


def test_counts_vb_below_cs_over_the_prior_draws(scores):
    """One breach in draw 2; the one in replicate 0 and the one of 1e-12 nats do not count."""
    found = violations(scores, best(scores))
    assert found.n_vb_below_cs.values.tolist() == [1, 0]
    assert found.n_vb_cs_compared.values.tolist() == [12, 12]


def test_does_not_compare_what_has_no_score(scores):
    scores["vb"]["variational_bayes"][2, 0, 2] = np.nan
    found = violations(scores, best(scores))
    assert found.n_vb_below_cs.values.tolist() == [0, 0]
    assert found.n_vb_cs_compared.values.tolist() == [11, 12]


def test_compares_without_alias_correction(scores, store):
    """Were ln S added to one side only, structure b would break the order by 2 nats less 0.5."""
    scores["em"]["cheeseman_stutz"].attrs["local"] = 1
    scores["vb"]["variational_bayes"].attrs["local"] = 0
    assert violations(scores, best(scores)).n_vb_below_cs.values.tolist() == [1, 0]


def test_counts_vb_below_cs_of_the_run_with_the_highest_map(scores, store):
    """The highest CS is -3, of a run whose MAP is lower; that of the run with the highest MAP is below VB."""
    assert (
        violations(scores, best(scores)).n_vb_below_linked_cs <= violations(scores, best(scores)).n_vb_below_cs
    ).all()
    scores["em"]["cheeseman_stutz"][2, 0, 2] = [-3.0, -30.0]
    scores["em"]["map"][2, 0, 2] = [-2.0, -1.0]
    scores["vb"]["variational_bayes"][2, 0, 2] = -4.0
    found = violations(scores, best(scores))
    assert (found.n_vb_below_cs.values[0], found.n_vb_below_linked_cs.values[0]) == (1, 0)
    scores["em"]["map"][2, 0, 2] = [-1.0, -2.0]
    assert violations(scores, best(scores)).n_vb_below_linked_cs.values[0] == 1


def test_counts_runs_at_the_cap_over_the_prior_draws(scores):
    found = violations(scores, best(scores))
    assert found.fit.values.tolist() == ["em", "vb"]
    assert found.n_hit_cap.sel(fit="em").values.tolist() == [0, 0]
    assert found.n_hit_cap.sel(fit="vb").values.tolist() == [2, 1]
    assert (found.n_runs == 24).all()


def test_does_not_count_runs_that_were_not_made(scores):
    scores["vb"]["variational_bayes"][1, 0, 0, 0] = np.nan
    found = violations(scores, best(scores)).sel(fit="vb")
    assert found.n_hit_cap.values.tolist() == [1, 1]
    assert found.n_runs.values.tolist() == [23, 24]


def test_finds_lower_bounds_above_the_exact_value(scores):
    """VB is -3.5, -4.5 and -9.25 against -3, -4 and -8."""
    found = violations(scores, best(scores))
    assert found.n_above_exact.to_series().to_dict() == {"cheeseman_stutz": 0, "variational_bayes": 0}
    assert found.n_exact_compared.to_series().to_dict() == {"cheeseman_stutz": 3, "variational_bayes": 3}
    scores["vb"]["variational_bayes"][0, 0, 0, 0] = -3 + 1e-8
    found = violations(scores, best(scores))
    assert found.n_above_exact.to_series().to_dict() == {"cheeseman_stutz": 0, "variational_bayes": 1}


def test_compares_nothing_where_scores_are_absent(store):
    tree = store(em=store.fit(map=store.score("map", -1.0)))
    found = violations(tree, best(tree))
    assert int(found.n_vb_cs_compared.sum()) == 0
    assert found.n_above_exact.size == 0
