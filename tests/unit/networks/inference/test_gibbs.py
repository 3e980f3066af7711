"""A Gibbs sweep draws hidden states and parameters from their conditionals.

Sources of truth: the expected counts of the E step (their mean over completions); the exact posterior of the counts by
Geweke's joint test, in which data are redrawn as well; for the average over relabellings, every one of them.
"""

from itertools import permutations

import numpy as np
import pytest
from reference.network import expected_counts, rows_of_cells
from reference.network_cases import CASES, observed_cardinalities, random_data, random_parameters
from scipy.special import gammaln, logsumexp

from ockham.errors import ModelError
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import gibbs
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.structure_space import bipartite_network, naive_bayes

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


RELABELLED = {f"{r} classes": naive_bayes([r], [3, 2])[f"classes-{r}"] for r in (2, 3, 4, 5, 6)} | {
    name: CASES[name] for name in ("bipartite 12-12-12-12", "bipartite 1-12-12-2", "asymmetric prior", "hidden chain")
}


def log_density(network, shape, log_points):
    """Mean over the points of the density of Dirichlet rows in the softmax basis."""
    log_beta = sum(gammaln(shape[row]).sum() - gammaln(shape[row].sum()) for row in rows_of_cells(network))
    return logsumexp(log_points @ shape) - np.log(len(log_points)) - log_beta


def swept(network, log_point):
    rows = random_data(network, 12, 8)
    data, start = UniqueRows.of(rows, observed_cardinalities(network)), np.log(random_parameters(network, 9))
    return gibbs.run(network, data, start, np.random.default_rng(3), 1, log_point)


@pytest.mark.parametrize("name", RELABELLED)
def test_the_density_is_averaged_over_every_relabelling(name):
    network = RELABELLED[name]
    log_point = np.log(random_parameters(network, 10))
    chain = swept(network, log_point)
    expected = log_density(network, network.prior + chain.best_counts, log_point[network.aliases])
    assert chain.log_density[0] == pytest.approx(expected, rel=1e-12)
    alone = log_density(network, network.prior + chain.best_counts, log_point[None])
    assert (alone == pytest.approx(expected, rel=1e-9)) == (network.n_aliases == 1)


def test_the_relabellings_of_a_class_are_its_permutations():
    """The permanent's classes against every permutation written out; 6! = 720 of them."""
    network = RELABELLED["6 classes"]
    same = relabellings(network)
    assert (same.classes.shape, len(same.shared), len(same.aliases)) == ((6, 6), 0, 1)
    listed = {tuple(np.concatenate(same.classes[list(order)])) for order in permutations(range(6))}
    assert len(listed) == network.n_aliases == 720
    order = np.argsort(np.concatenate(same.classes))
    assert {tuple(entries) for entries in network.aliases} == {tuple(np.array(entries)[order]) for entries in listed}


def test_a_large_class_is_averaged_over_and_one_too_large_is_refused():
    """12! relabellings of classes that are alike: their mean is the density itself."""
    network = naive_bayes([12], [2])["classes-12"]
    flat = np.log(np.concatenate([np.full(12, 1 / 12), np.tile([0.3, 0.7], 12)]))
    chain = swept(network, flat)
    expected = log_density(network, network.prior + chain.best_counts, flat[None])
    assert chain.log_density[0] == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ModelError, match="21 values has too many relabellings; 20 are allowed"):
        relabellings(naive_bayes([21], [2])["classes-21"])


def test_a_prior_that_tells_classes_apart_leaves_none_to_permute():
    network = bipartite_network([[1], [1]], [3], [2, 2])
    prior = network.prior.copy()
    prior[0] = 2.0
    uneven = type(network)(network.names, network.cardinalities, network.parents, network.hidden, prior)
    assert len(relabellings(uneven).classes) == 1
    assert len(relabellings(uneven).aliases) == uneven.n_aliases == 2
