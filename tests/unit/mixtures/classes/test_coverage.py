"""Claim: intervals of 95 % have the truth in 95 % of the cases, for every kind of item.

Truth: parameters drawn from the prior, under which the coverage is exact, with the labels that the fit has. Each data
set counts once, by the share of its intervals. Intervals of half the width must be noticed.
"""

import warnings

import numpy as np
import pytest
from reference.classes import coverage_z
from reference.mixed_items import mixture

from ockham.api.fitting import fit_classes
from ockham.errors import OckhamWarning
from ockham.mixtures.classes import sampling
from ockham.mixtures.data.drawing import draw_rows
from ockham.streams import Stream

MODEL = mixture(2)
N_DATA_SETS = 40


def of_one(seed):
    """Distance of the truth from the middle of each interval of a known class, in half widths."""
    truth = MODEL.sample(MODEL.nothing, np.random.default_rng(seed))
    rows = draw_rows(MODEL, truth, 60, 0.05, Stream(seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        found = fit_classes(MODEL, rows, seed=seed, n_draws=200)
    model = found.model
    point = np.concatenate([truth.log_weights, truth.natural.ravel()])
    flat = sampling._by_class(model, np.stack([point, point])[None])
    mean = sampling._by_class(model, sums_of(found, rows))
    point = sampling._by_entry(sampling._nearest(flat, mean))[0, 0]
    every = [(model.sizes(point), found.sizes), *zip_quantities(model.profiles(point), found.quantities)]
    away = [2 * np.abs(true - (s.lower + s.upper) / 2) / (s.upper - s.lower) for true, s in every]
    return np.array(away)[:, found.known]


def sums_of(found, rows):
    """Expected sums of the rows in the classes, over the draws."""
    from ockham.table_results.fitted.memberships import memberships

    shares = memberships(found.model, rows, found.points)
    statistics, _ = found.model.statistics(rows)
    return np.concatenate([shares.sum(axis=0), (shares.T @ statistics).ravel()])


def zip_quantities(true, summary):
    return [(true[:, j], type(summary)(*(part[:, j] for part in summary))) for j in range(true.shape[1])]


@pytest.fixture(scope="module")
def distances():
    return [away for away in map(of_one, range(N_DATA_SETS)) if away.size]


def test_intervals_have_the_truth_as_often_as_they_say(distances):
    assert len(distances) > N_DATA_SETS / 2
    assert abs(coverage_z(distances)) < 4


def test_intervals_of_half_the_width_are_noticed(distances):
    assert coverage_z(distances, 0.5) < -4
