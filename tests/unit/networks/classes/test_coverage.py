"""Claim: intervals of 95 % have the truth in 95 % of the cases.

Truth: parameters drawn from the prior, under which the coverage is exact, with the labels that the fit has. Each data
set counts once, by the share of its intervals. Intervals of half the width must be noticed.
"""

import warnings

import numpy as np
import pytest
from reference.classes import coverage_z

from ockham.api.fitting import fit_classes
from ockham.errors import OckhamWarning
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference.labelling import Labelling
from ockham.networks.structure_space import naive_bayes

NETWORK = naive_bayes([3], [2] * 8)["classes-3"]
N_DATA_SETS = 40


def of_one(seed):
    """Distance of the truth from the middle of each interval of a known class, in half widths."""
    rng = np.random.default_rng(seed)
    log_theta = sample_log(NETWORK, rng)
    rows = draw(NETWORK, np.exp(log_theta), 80, rng)[:, 1:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        found = fit_classes(NETWORK, rows, seed=seed, n_draws=200)
    model, reference = found.model, np.exp(0.5 * found.draws).mean(axis=(0, 1))
    (truth,), _ = Labelling(model.relabellings, reference).apply(log_theta[None])
    summaries = [(np.exp(model.log_sizes(truth)), found.sizes)] + [
        (model.of_item(j, np.exp(model.log_profiles(truth)))[:, 1], type(s)(*(part[:, 1] for part in s)))
        for j, s in enumerate(found.profiles.values())
    ]
    away = [2 * np.abs(true - (s.lower + s.upper) / 2) / (s.upper - s.lower) for true, s in summaries]
    return np.array(away)[:, found.known]


@pytest.fixture(scope="module")
def distances():
    return [away for away in map(of_one, range(N_DATA_SETS)) if away.size]


def test_intervals_have_the_truth_as_often_as_they_say(distances):
    assert len(distances) > N_DATA_SETS / 2
    assert abs(coverage_z(distances)) < 4


def test_intervals_of_half_the_width_are_noticed(distances):
    assert coverage_z(distances, 0.5) < -4
