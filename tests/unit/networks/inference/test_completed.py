"""Claim: the density given completed counts is averaged over the relabellings, listed ones and those of classes.

Source of truth: the densities of the relabelled points, one after another; and ``gibbs``, which has them of one point.
"""

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp

from ockham.networks.dirichlet import sample_log
from ockham.networks.inference.completed import log_densities
from ockham.networks.inference.relabellings import Relabellings, relabellings
from ockham.networks.structure_space import bipartite, naive_bayes

NETWORKS = {
    "three classes": naive_bayes([3], [2, 3])["classes-3"],
    "two hidden variables": bipartite([2, 2], [2, 2, 2])["1-2-12"],
}


def by_hand(network, log_points, counts):
    """The softmax densities, one relabelling and one completion after another."""
    found = []
    for completion in network.prior + counts:
        sizes = np.add.reduceat(completion, network.row_starts[:-1])
        normaliser = gammaln(completion).sum() - gammaln(sizes).sum()
        logs = [log_points[:, alias] @ completion - normaliser for alias in network.aliases]
        found.append(logsumexp(logs, axis=0) - np.log(len(network.aliases)))
    return np.stack(found, axis=1)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_average_over_relabellings(name):
    network, rng = NETWORKS[name], np.random.default_rng(1)
    points = np.array([sample_log(network, rng) for _ in range(5)])
    counts = rng.integers(0, 6, (4, network.n_entries)).astype(float)
    truth = by_hand(network, points, counts)
    for same in (relabellings(network), Relabellings.none(network, network.aliases)):
        assert log_densities(network, same, points, counts) == pytest.approx(truth, rel=1e-12)
