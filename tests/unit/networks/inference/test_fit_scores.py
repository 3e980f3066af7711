"""The number of aliases that differ is that of the distinct relabellings of the fitted parameters.

Source of truth: every relabelling applied, and the distinct results counted.
"""

from dataclasses import replace
from math import log

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import em
from ockham.networks.inference.fit_scores import log_alike
from ockham.networks.structure_space import bipartite_network, naive_bayes
from ockham.streams import Stream

NETWORKS = {
    "one class variable": naive_bayes([4], [2, 3])["classes-4"],
    "two hidden variables": bipartite_network([[1], [1, 2], [2]], [3, 2], [2, 2, 2]),
}


def fit_with(network, unused):
    """A MAP fit of counts that leave these values of the first hidden variable without a case."""
    counts = np.random.default_rng(3).integers(1, 9, network.n_entries).astype(float)
    first = network.hidden[0]
    for i in range(network.n_variables):
        stride = network.strides[i, first]
        if stride:
            entries = np.arange(network.offsets[i + 1] - network.offsets[i])
            value = entries // stride % network.cardinalities[first]
            counts[network.offsets[i] : network.offsets[i + 1]][np.isin(value, unused)] = 0.0
    totals = np.add.reduceat(network.prior + counts, network.row_starts[:-1])[network.rows]
    data = UniqueRows.of([[0] * len(network.observed)], [network.cardinalities[i] for i in network.observed])
    fit = em.init(network, data, np.log((network.prior + counts) / totals), network.prior)
    return replace(fit, counts=counts)


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS.keys())
@pytest.mark.parametrize("n_unused", [0, 1, 2])
def test_log_alike_counts_the_relabellings_that_change_nothing(network, n_unused):
    fit = fit_with(network, range(n_unused))
    distinct = len(np.unique(fit.parameters[network.aliases], axis=0))
    assert log(network.n_aliases) - log_alike(network, fit) == pytest.approx(log(distinct), abs=1e-12)


def test_two_groups_of_cases_leave_two_classes_of_four_unused():
    network = naive_bayes([4], [2] * 12)["classes-4"]
    data = UniqueRows.of([[0] * 12] * 30 + [[1] * 12] * 30, [2] * 12)
    found = [log_alike(network, em.search(network, data, Stream(run), em.Search())) for run in range(10)]
    np.testing.assert_allclose(found, log(2))
