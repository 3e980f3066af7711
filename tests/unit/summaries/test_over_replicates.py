"""Averages are over the prior draws that have every score, never over the published parameters.

Source of truth: quartiles and fractions by hand; Wilson's interval from its closed form.
"""

from math import sqrt

import numpy as np
import pytest
import xarray as xr

from ockham.summaries.best import best
from ockham.summaries.over_replicates import over_replicates
from ockham.summaries.posteriors import posteriors
from ockham.summaries.ranks import ranks

LEVEL = 1.959963984540054


@pytest.fixture
def average(scores):
    """Over the draws 1 to 4 the Cheeseman-Stutz ranks at n = 10 are 1, 2, 3, 3."""
    highest = best(scores)
    found = over_replicates(ranks(highest), posteriors(highest))
    return found.sel(score="cheeseman_stutz", alias_correction="none", n=10)


def wilson(hits, trials):
    fraction, z = hits / trials, LEVEL
    centre = fraction + z**2 / (2 * trials)
    half = z * sqrt(fraction * (1 - fraction) / trials + z**2 / (4 * trials**2))
    return (centre - half) / (1 + z**2 / trials), (centre + half) / (1 + z**2 / trials)


def test_quartiles_of_the_rank(average):
    names = ("rank_best", "rank_lower_quartile", "rank_median", "rank_upper_quartile")
    assert [float(average[name]) for name in names] == [1, 1.75, 2.5, 3]
    assert average.n_replicates == 4


def test_success_rate_and_its_interval(average):
    assert average.success_rate == 1 / 4
    np.testing.assert_allclose((average.success_rate_lower, average.success_rate_upper), wilson(1, 4), rtol=1e-8)


def test_posterior_of_the_true_structure(average):
    evidence = np.exp([[-4, -3, -9], [-4, -5, -9], [-4, -12, -9], [-4, -5, -3]])
    true = (evidence / evidence.sum(axis=1, keepdims=True))[:, 1]
    np.testing.assert_allclose(average.posterior_mean, true.mean())
    np.testing.assert_allclose(average.posterior_standard_error, true.std(ddof=1) / 2)
    assert average.above_uniform == 1 / 4
    np.testing.assert_allclose((average.above_uniform_lower, average.above_uniform_upper), wilson(1, 4), rtol=1e-8)


def test_leaves_out_draws_without_every_score(scores):
    scores["em"]["cheeseman_stutz"][3, 0, 0] = np.nan
    highest = best(scores)
    found = over_replicates(ranks(highest), posteriors(highest))
    found = found.sel(score="cheeseman_stutz", alias_correction="none", n=10)
    assert found.n_replicates == 3
    assert found.rank_median == 2
    assert found.success_rate == 1 / 3


@pytest.mark.parametrize("kept", [[0], [0, 1]])
def test_is_nan_without_the_draws_it_needs(scores, kept):
    highest = best(select(scores, kept))
    found = over_replicates(ranks(highest), posteriors(highest)).sel(score="map", alias_correction="none", n=10)
    assert found.n_replicates == len(kept) - 1
    assert found.posterior_standard_error.isnull()
    assert bool(found.success_rate.isnull()) == (len(kept) == 1)
    assert bool(found.rank_median.isnull()) == (len(kept) == 1)


def select(scores, replicates):
    groups = {name: group.to_dataset() for name, group in scores.children.items()}
    kept = {name: data.sel(replicate=[r for r in replicates if r in data.replicate]) for name, data in groups.items()}
    return xr.DataTree.from_dict({"/": scores.to_dataset(), **kept})


def test_labels_every_variable(average):
    assert all({"long_name", "units"} <= set(variable.attrs) for variable in average.data_vars.values())
