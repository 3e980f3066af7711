"""Steps leave p(theta) p(y | theta)^beta as it is, whatever the temperature, and estimate its mean log likelihood.

Sources of truth: integrals by quadrature where there are three parameters; the closed form where nothing is hidden;
draws of the prior weighted by the likelihood elsewhere. Statistical claims hold within 4 standard errors, and fail for
chains that temper what is completed, and for a next state that is drawn without its weight.
"""

import numpy as np
import pytest
from reference.network import rows_of_cells
from reference.network_cases import CASES, observed_cardinalities, random_data
from scipy.special import digamma, roots_jacobi

from ockham.errors import ModelError
from ockham.estimation.autocorrelation import autocorrelation_time
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs, tempered_gibbs
from ockham.networks.inference.likelihoods import log_likelihoods

HALVES = DiscreteNetwork.build({"h": 2, "y": 2}, {"y": ["h"]}, ["h"], {"h": 1.5, "y": 0.7})
COUNTS = np.array([9, 2])
ROWS = UniqueRows.of(np.repeat([[0], [1]], COUNTS, axis=0), [2])


def steps(network, data, beta, seed=1, n_steps=1500, n_states=12):
    rng = np.random.default_rng(seed)
    begun = tempered_gibbs.run(network, data, beta, sample_log(network, rng), rng, 50, n_states).log_parameters
    return tempered_gibbs.run(network, data, beta, begun, rng, n_steps, n_states)


def deviation(found, truth, error=0.0):
    """Of the mean over steps, in standard errors."""
    values = found.log_likelihoods
    own = values.std(ddof=1) * np.sqrt(autocorrelation_time([values]) / len(values))
    return (values.mean() - truth) / np.hypot(own, error)


def tempered_mean(beta, n_nodes=40):
    """The mean of ln p(y | theta) of ``HALVES`` by quadrature over p(h = 1), p(y = 1 | h = 0) and p(y = 1 | h = 1)."""
    (of_h, share), (of_y, weights) = (
        ((1 + nodes) / 2, w / w.sum())
        for nodes, w in (roots_jacobi(n_nodes, a - 1, a - 1) for a in (HALVES.prior[0], HALVES.prior[-1]))
    )
    p = (1 - of_h[:, None, None]) * of_y[:, None] + of_h[:, None, None] * of_y
    log_likelihood = COUNTS[0] * np.log1p(-p) + COUNTS[1] * np.log(p)
    density = share[:, None, None] * weights[:, None] * weights * np.exp(beta * (log_likelihood - log_likelihood.max()))
    return float((density * log_likelihood).sum() / density.sum())


@pytest.mark.parametrize("beta", [0.05, 0.27, 0.417, 0.8, 1.0, 1.44, 3.0])
def test_the_mean_log_likelihood_is_the_integral(beta):
    truth = tempered_mean(beta)
    assert truth == pytest.approx(tempered_mean(beta, 80), abs=2e-3)
    assert abs(deviation(steps(HALVES, ROWS, beta), truth, 2e-3)) < 4


def test_the_temperature_matters():
    assert abs(deviation(steps(HALVES, ROWS, 0.417), tempered_mean(0.6))) > 4


@pytest.mark.parametrize("n_states", [2, 3, 40])
def test_the_number_of_states_changes_nothing_but_the_cost(n_states):
    assert abs(deviation(steps(HALVES, ROWS, 0.417, n_states=n_states, n_steps=3000), tempered_mean(0.417), 2e-3)) < 4


def test_a_state_that_is_drawn_without_its_weight_is_noticed(monkeypatch):
    """Rounding alone is another data set."""
    monkeypatch.setattr(tempered_gibbs, "_probabilities", lambda logs: np.full(len(logs), 1 / len(logs)))
    assert abs(deviation(steps(HALVES, ROWS, 0.417, n_steps=4000), tempered_mean(0.417), 2e-3)) > 4


def importance(network, data, beta, rng, n):
    """The mean log likelihood from draws of the prior, and its standard error."""
    logs = log_likelihoods(network, data, np.array([sample_log(network, rng) for _ in range(n)]))
    weights = np.exp(beta * (logs - logs.max()))
    mean = float(weights @ logs / weights.sum())
    return mean, float(np.sqrt((weights**2) @ (logs - mean) ** 2) / weights.sum())


NAMES = ["asymmetric prior", "hidden chain", "hidden with observed parent", "bipartite, 12 hidden configurations"]


@pytest.mark.parametrize("name", NAMES)
def test_the_mean_log_likelihood_is_that_of_weighted_draws_of_the_prior(name):
    network = CASES[name]
    data = UniqueRows.of(random_data(network, 9, 3), observed_cardinalities(network))
    truth, error = importance(network, data, 1 / np.log(9), np.random.default_rng(2), 60_000)
    assert error < 0.05
    assert abs(deviation(steps(network, data, 1 / np.log(9)), truth, error)) < 4


def completed_and_tempered(network, data, beta, rng, n_sweeps):
    """A chain whose parameters are drawn from a Dirichlet distribution with beta times the completed counts."""
    log_parameters, found = sample_log(network, rng), []
    for _ in range(n_sweeps):
        counts = gibbs.run(network, data, log_parameters, rng, 1).best_counts
        log_parameters = sample_log(network, rng, network.prior + beta * counts)
        found.append(log_parameters)
    return tempered_gibbs.State(log_parameters, log_likelihoods(network, data, np.array(found)), 1.0)


def test_tempering_what_is_completed_is_another_distribution():
    network, beta = CASES["hidden chain"], 1 / np.log(9)
    data = UniqueRows.of(random_data(network, 9, 3), observed_cardinalities(network))
    truth, error = importance(network, data, beta, np.random.default_rng(2), 200_000)
    assert (
        abs(deviation(completed_and_tempered(network, data, beta, np.random.default_rng(1), 20_000), truth, error)) > 4
    )


def test_cells_may_be_missing():
    network = CASES["hidden with observed parent"]
    rows = random_data(network, 10, 3)
    rows[[0, 3, 4], [1, 0, 2]] = -1
    rows[7] = -1
    data, whole = (
        UniqueRows.of(given, observed_cardinalities(network), missing=True) for given in (rows, np.maximum(rows, 0))
    )
    truth, error = importance(network, data, 0.4, np.random.default_rng(2), 60_000)
    assert abs(deviation(steps(network, data, 0.4), truth, error)) < 4
    assert abs(deviation(steps(network, whole, 0.4), truth, error)) > 4


@pytest.mark.parametrize("beta", [0.2, 1.3])
def test_where_nothing_is_hidden_it_is_the_closed_form(beta):
    """Tempered, the posterior is Dirichlet, with beta times the counts."""
    network = CASES["observed only"]
    rows = random_data(network, 60, 5)
    counts = np.zeros(network.n_entries)
    np.add.at(counts, network.offsets[:-1] + rows @ network.strides.T, 1.0)
    posterior = network.prior + beta * counts
    truth = sum(
        counts[row] @ (digamma(posterior[row]) - digamma(posterior[row].sum())) for row in rows_of_cells(network)
    )
    found = steps(network, UniqueRows.of(rows, observed_cardinalities(network)), beta)
    assert abs(deviation(found, truth)) < 4


def test_at_the_temperature_1_nothing_is_rounded_and_every_state_is_as_good():
    assert steps(HALVES, ROWS, 1.0, n_steps=20).share == pytest.approx(1.0, rel=1e-9)
    assert steps(HALVES, ROWS, 0.417, n_steps=20).share < 0.99


@pytest.mark.parametrize("seed", range(5))
def test_rounding_is_to_the_next_whole_numbers_and_unbiased(seed):
    rng = np.random.default_rng(seed)
    values = np.append(rng.exponential(1.5, 30), [0.0, 2.0, 0.25])
    drawn = np.array([tempered_gibbs._rounded(values, rng) for _ in range(4000)])
    assert ((drawn == np.floor(values)) | (drawn == np.ceil(values))).all()
    assert np.abs(drawn.sum(axis=1) - values.sum()).max() < 1
    error = np.sqrt((values % 1) * (1 - values % 1) / len(drawn))
    np.testing.assert_array_less(np.abs(drawn.mean(axis=0) - values), 4 * error + 1e-12)


def test_entries_next_to_zero_give_no_nan():
    network = CASES["asymmetric small prior"]
    data = UniqueRows.of(random_data(network, 30, 2), observed_cardinalities(network))
    found = steps(network, data, 1 / np.log(30), n_steps=200)
    assert np.isfinite(found.log_likelihoods).all()
    assert np.isfinite(found.log_parameters).all()


def test_states_that_memory_has_no_room_for_are_refused():
    tempered_gibbs.check_states(HALVES, 10**5)
    with pytest.raises(ModelError, match=r"states of 6 parameters: .* GB, 8 are allowed; take fewer n_states"):
        tempered_gibbs.check_states(HALVES, 10**9)
