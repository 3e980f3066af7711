"""A Gibbs sweep draws hidden states and parameters from their conditionals.

Sources of truth: the expected counts of the E step (their mean over completions); the exact posterior of the counts by
Geweke's joint test, in which data are redrawn as well.
"""

import numpy as np
import pytest
from reference.network import expected_counts
from reference.network_cases import CASES, observed_cardinalities, random_data, random_parameters

from ockham.datasets.ancestral_sampling import draw
from ockham.datasets.unique_rows import UniqueRows
from ockham.inference import gibbs
from ockham.models.dirichlet import sample_log

NAMES = sorted(name for name in CASES if "small prior" not in name)


@pytest.mark.parametrize("name", NAMES)
def test_completed_counts_average_to_the_expected_ones(name):
    network = CASES[name]
    rows = random_data(network, 15, 2)
    data = UniqueRows.of(rows, observed_cardinalities(network))
    theta = random_parameters(network, 2)
    rng, n = np.random.default_rng(7), 1500
    counts = np.array([gibbs.run(network, data, np.log(theta), rng, 1).best_counts for _ in range(n)])
    assert (counts == np.round(counts)).all()
    expected = expected_counts(network, theta, rows)
    error = np.sqrt(expected / n)  # a sum of independent 0s and 1s varies by less than its mean
    np.testing.assert_array_less(np.abs(counts.mean(axis=0) - expected), 4 * error + 1e-9)


@pytest.mark.parametrize("name", ["asymmetric prior", "hidden chain"])
def test_prior_and_data_redrawn_stay_the_prior(name):
    """Geweke (2004): parameters that alternate with data drawn from them have the prior as their distribution."""
    network, rng = CASES[name], np.random.default_rng(11)
    observed = list(network.observed)
    mean = np.empty((4000, network.n_entries))
    for i in range(len(mean)):
        log_theta = sample_log(network, rng)
        rows = draw(network, np.exp(log_theta), 4, rng)[:, observed]
        data = UniqueRows.of(rows, observed_cardinalities(network))
        mean[i] = np.exp(gibbs.run(network, data, log_theta, rng, 2).log_parameters)
    totals = np.add.reduceat(network.prior, network.row_starts[:-1])[network.rows]
    z = (mean.mean(axis=0) - network.prior / totals) / (mean.std(axis=0, ddof=1) / np.sqrt(len(mean)))
    assert np.abs(z).max() < 4
