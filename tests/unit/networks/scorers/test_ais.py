"""Claim: without a strength AIS finds one by which a quarter of the proposals is accepted at every temperature, and the
estimate stays unbiased.

Truth: the exact evidence. A strength that is not tuned misses the acceptance.
"""

import numpy as np
import pytest

from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.scorers import ais, exact
from ockham.networks.structure_space import bipartite, bipartite_network
from ockham.streams import Stream

NAME = "annealed_importance_sampling"
NETWORK = bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5] * 4)


def acceptances(n, **settings):
    """By quarter of the schedule, on n rows of the network."""
    rng = np.random.default_rng(1)
    rows = draw(NETWORK, np.exp(sample_log(NETWORK, rng)), n, rng)[:, list(NETWORK.observed)]
    found = ais.score(NETWORK, UniqueRows.of(rows, [5] * 4), ais.Settings(n_steps=4000, **settings), Stream(1))[NAME]
    return np.array([found.diagnostics[f"acceptance_quarter_{q}"] for q in (1, 2, 3, 4)])


@pytest.mark.parametrize("n", [1, 40, 480, 10_240])
def test_about_a_quarter_is_accepted_in_every_quarter_of_the_schedule(n):
    assert ((acceptances(n) > 0.12) & (acceptances(n) < 0.4)).all()


def test_a_strength_that_is_not_tuned_misses_it():
    assert acceptances(10_240, strength=2200.0)[3] < 0.12
    assert acceptances(40, strength=2200.0)[3] > 0.4


def test_the_estimate_is_unbiased():
    network = bipartite([2, 2], [2, 2, 2])["12-12-12"]
    rows = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
    data = UniqueRows.of(rows, [2] * 3)
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    settings = ais.Settings(n_steps=512)
    ratios = np.exp(
        [ais.score(network, data, settings, Stream(1, "run", r))[NAME].log_evidence - truth for r in range(120)]
    )
    assert abs(ratios.mean() - 1) < 4 * ratios.std(ddof=1) / np.sqrt(len(ratios))


def test_passes_of_tuning_are_counted():
    data = UniqueRows.of([[0, 1, 2, 3]], [5] * 4)
    tuned, given = (
        ais.score(NETWORK, data, ais.Settings(n_steps=100, **of), Stream(1))[NAME].n_evaluations
        for of in ({}, {"strength": 20.0})
    )
    assert tuned > given == 101
