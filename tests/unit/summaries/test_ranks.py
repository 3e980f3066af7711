"""Rank is one more than the number of structures strictly above the true one; the difference is never positive.

Source of truth: numbers set by hand.
"""

import numpy as np

from ockham.summaries.best import best
from ockham.summaries.ranks import ranks


def test_counts_the_structures_above(scores):
    cs = ranks(best(scores)).sel(score="cheeseman_stutz", alias_correction="none")
    assert cs["rank"].sel(n=10).values.tolist() == [2, 1, 2, 3, 3]
    assert cs["rank"].sel(n=100).values.tolist() == [1] * 5
    assert cs.difference.sel(n=10).values.tolist() == [-1, 0, -1, -8, -2]


def test_alias_correction_changes_a_rank(scores):
    cs = ranks(best(scores)).sel(score="cheeseman_stutz", n=10)
    assert cs["rank"].sel(alias_correction="none", replicate=0) == 2
    assert cs["rank"].sel(alias_correction="log_aliases", replicate=0) == 1
    assert cs["rank"].sel(alias_correction="log_aliases").values.tolist() == [1, 1, 1, 3, 1]


def test_shares_the_rank_of_a_tie(store):
    tied = ranks(best(store(em=store.fit(map=store.score("map", -1.0)))))
    assert (tied["rank"] == 1).all()
    assert (tied.difference == 0).all()


def test_is_nan_where_a_structure_has_no_score(store):
    values = np.tile([[-1.0], [-2.0], [-3.0]], (5, 2, 1, 2))
    values[0, 0, 2] = np.nan
    values[1, 0, 1] = np.nan
    ranked = ranks(best(store(em=store.fit(map=store.score("map", values))))).sel(score="map", alias_correction="none")
    np.testing.assert_array_equal(ranked["rank"].sel(n=10), [np.nan, np.nan, 2, 2, 2])
    np.testing.assert_array_equal(ranked.difference.sel(n=10), [np.nan, np.nan, -1, -1, -1])


def test_a_structure_that_excludes_the_data_ranks_last(store):
    minus_infinity = [[[-1.0], [-np.inf], [-3.0]]]
    ranked = ranks(best(store(em=store.fit(map=store.score("map", minus_infinity)))))
    assert (ranked["rank"] == 3).all()
    assert (ranked.difference == -np.inf).all()


def test_labels_its_units(scores):
    ranked = ranks(best(scores))
    assert ranked["rank"].attrs["units"] == "1"
    assert ranked.difference.attrs["units"] == "nats"
    assert all("long_name" in variable.attrs for variable in ranked.data_vars.values())
