"""Variational Bayesian EM for a discrete network.

Sources of truth: the slow twin (reference/network.py), whose bound writes out q(s), its entropy and every
Kullback-Leibler divergence; the exact evidence as a sum over all completions of at most four rows; the closed form
without hidden variables.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.network import complete_log_evidence, completions, relabelled, rows_of_cells
from reference.network import variational_em as twin
from reference.network_cases import CASES, logs, observed_cardinalities, random_data, random_networks, random_parameters
from scipy.special import digamma, logsumexp

from ockham.kernels import complete_data
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em, variational_em
from ockham.networks.structure_space import bipartite_network

networks = pytest.mark.parametrize("network", CASES.values(), ids=CASES.keys())
OBSERVED_ONLY = ["observed only", "one observed variable"]


def unique(network, data):
    return UniqueRows.of(data, observed_cardinalities(network))


def run(network, data, parameters, n_steps, **options):
    options = {"tolerance": 0.0, "n_history": n_steps} | options
    return variational_em.run(network, unique(network, data), logs(parameters), max_iterations=n_steps, **options)


def exact_log_evidence(network, data):
    """Log p(y | m): every completion of every row, each complete data set in closed form."""
    return logsumexp([complete_log_evidence(network, z) for z in product(*(completions(network, row) for row in data))])


def check_against_twin(network, data, parameters, n_steps):
    state = run(network, data, parameters, n_steps)
    posterior, counts, history = twin(network, parameters, data, n_steps)
    np.testing.assert_allclose(state.posterior, posterior, rtol=1e-10)
    np.testing.assert_allclose(state.counts, counts, rtol=1e-10, atol=1e-13 * len(data))
    np.testing.assert_allclose(state.history, history, rtol=1e-10, atol=1e-12)
    assert state.bound == state.history[-1]
    assert (state.n_iterations, state.converged) == (n_steps, False)


@networks
@pytest.mark.parametrize("n_steps", [1, 20])
def test_equals_the_slow_twin(network, n_steps):
    check_against_twin(network, random_data(network, 13, 1), random_parameters(network, 2), n_steps)


@networks
def test_equals_the_slow_twin_on_one_row(network):
    check_against_twin(network, random_data(network, 1, 3), random_parameters(network, 4), 2)


@settings(derandomize=True, max_examples=150, database=None)
@given(random_networks(), st.integers(1, 6), st.integers(0, 1000))
def test_one_step_on_random_networks_equals_the_slow_twin(network, n, seed):
    check_against_twin(network, random_data(network, n, seed), random_parameters(network, seed), 1)


@networks
@pytest.mark.parametrize("seed", range(3))
def test_the_bound_rises_at_every_step(network, seed):
    history = run(network, random_data(network, 40, seed), random_parameters(network, seed), 200).history
    assert np.isfinite(history).all()
    assert np.diff(history).min() >= -1e-12 * np.abs(history).max()


@networks
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_bound_stays_below_the_exact_evidence(network, n):
    data = random_data(network, n, 5)
    if network.n_hidden_configurations**n > 2000:
        data = data[:1]
    exact = exact_log_evidence(network, data)
    for seed in range(5):
        history = run(network, data, random_parameters(network, seed), 50).history
        assert history.max() <= exact + 1e-12 * abs(exact)


@settings(derandomize=True, max_examples=60, database=None)
@given(random_networks(max_variables=4), st.integers(1, 4), st.integers(0, 1000))
def test_the_bound_of_random_networks_stays_below_the_exact_evidence(network, n, seed):
    data = random_data(network, n, seed)
    if network.n_hidden_configurations**n > 300:
        data = data[:1]
    exact = exact_log_evidence(network, data)
    assert run(network, data, random_parameters(network, seed), 30).bound <= exact + 1e-12 * abs(exact)


@pytest.mark.parametrize("name", OBSERVED_ONLY)
@pytest.mark.parametrize("n", [1, 7, 60])
def test_without_hidden_variables_the_bound_is_the_closed_form(name, n):
    network = CASES[name]
    data = random_data(network, n, 6)
    exact = complete_log_evidence(network, data)
    state = run(network, data, random_parameters(network, 6), 3, tolerance=1e-9)
    assert state.bound == pytest.approx(exact, rel=1e-12)
    assert state.history[0] == pytest.approx(exact, rel=1e-12)
    assert (state.n_iterations, state.converged) == (2, True)


def test_a_childless_hidden_variable_changes_nothing_else():
    """The bound splits into the two parts, and the childless one, whose evidence is ln 1, adds at most 0."""
    both = CASES["bipartite 0-0-1-0, s2 childless"]
    one = bipartite_network([[], [], [1], []], [2], [3, 2, 4, 2])
    data, start = random_data(both, 20, 7), random_parameters(both, 7)
    kept = np.delete(np.arange(both.n_entries), [2, 3])
    with_it, without = run(both, data, start, 10), run(one, data, start[kept], 10)
    np.testing.assert_allclose(with_it.posterior[kept], without.posterior, rtol=1e-11)
    assert (with_it.history <= without.history).all()


@networks
def test_counts_and_posterior_add_up(network):
    state = run(network, random_data(network, 31, 8), random_parameters(network, 8), 7)
    for i in range(network.n_variables):
        assert network.family(i, state.counts).sum() == pytest.approx(31, rel=1e-12)
        assert network.family(i, state.posterior - network.prior).sum() == pytest.approx(31, rel=1e-12)
    assert (state.posterior >= network.prior).all()


@networks
def test_at_the_fixed_point_the_counts_are_those_of_the_posterior(network):
    data, parameters = random_data(network, 20, 9), random_parameters(network, 9)
    state = run(network, data, parameters, 20_000, tolerance=1e-13, n_history=0)
    assert state.converged
    np.testing.assert_allclose(network.prior + state.counts, state.posterior, atol=1e-4)


@networks
def test_the_order_of_rows_does_not_matter(network):
    data, parameters = random_data(network, 30, 10), random_parameters(network, 10)
    shuffled = np.random.default_rng(10).permutation(data)
    first, second = (run(network, rows, parameters, 10) for rows in (data, shuffled))
    assert first.bound == second.bound
    np.testing.assert_array_equal(first.posterior, second.posterior)


@networks
def test_relabelled_hidden_values_give_the_relabelled_posterior(network):
    values = {h: np.roll(np.arange(network.cardinalities[h]), 1).tolist() for h in network.hidden}
    check_relabelling(network, None, values)


def test_exchanged_hidden_variables_give_the_relabelled_posterior():
    check_relabelling(CASES["bipartite 12-12-12-12"], {0: 1, 1: 0}, {1: [1, 0]})


def check_relabelling(network, variables, values):
    data, parameters = random_data(network, 20, 11), random_parameters(network, 11)
    here = run(network, data, parameters, 15)
    prior = relabelled(network, network.prior, variables, values)
    twin_network = DiscreteNetwork(network.names, network.cardinalities, network.parents, network.hidden, prior)
    there = run(twin_network, data, relabelled(network, parameters, variables, values), 15)
    assert there.bound == pytest.approx(here.bound, rel=1e-11)
    expected = relabelled(network, here.posterior, variables, values)
    np.testing.assert_allclose(there.posterior, expected, rtol=1e-9)


def test_many_copies_of_the_data_bring_it_to_the_map_parameters():
    """The geometric mean exp E[ln theta] tends to the softmax MAP estimate as the counts grow; eq. (61)."""
    network = CASES["naive Bayes, 3 classes"]
    data = UniqueRows.of(random_data(network, 30, 12), observed_cardinalities(network))
    large = UniqueRows(data.rows, data.counts * 1_000_000)
    options = {"max_iterations": 20, "tolerance": 0.0}
    start = random_parameters(network, 12)
    posterior = variational_em.run(network, large, logs(start), **options).posterior
    theta = em.run(network, large, logs(start), network.prior, **options).parameters
    for row in rows_of_cells(network):
        geometric_mean = np.exp(digamma(posterior[row]) - digamma(posterior[row].sum()))
        np.testing.assert_allclose(geometric_mean, theta[row], atol=1e-5)


def test_rows_that_underflow_equal_the_slow_twin():
    network = bipartite_network([[1]] * 300, [3], [9, 12, 20] * 100)
    data, parameters = random_data(network, 7, 13), random_parameters(network, 13)
    check_against_twin(network, data, parameters, 1)
    check_against_twin(network, data, parameters, 3)
    history = run(network, data, parameters, 50).history
    assert np.diff(history).min() >= -1e-12 * np.abs(history).max()


@pytest.mark.parametrize("prior", [1e-3, 1e-4])
def test_hyperparameters_whose_geometric_means_underflow(prior):
    """At 1e-3 the geometric mean of an unseen value is about e^-1000, below the smallest double."""
    network = bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5, 5, 5, 5], prior)
    data, parameters = random_data(network, 12, 14), random_parameters(network, 14)
    check_against_twin(network, data, parameters, 1)
    check_against_twin(network, data, parameters, 10)
    assert np.diff(run(network, data, parameters, 100).history).min() >= -1e-9


def test_more_hidden_values_than_the_exponential_can_hold():
    """One row shared among a thousand classes: E[ln theta] is near -1000 in each, and still the row has a bound."""
    network = bipartite_network([[1]], [1000], [2], prior=1e-6)
    check_against_twin(network, np.array([[0]]), np.append(np.full(1000, 1e-3), np.full(2000, 0.5)), 1)


@pytest.mark.parametrize("seed", range(4))
def test_a_start_from_a_sparse_prior(seed):
    """Draws at 1e-3 hold exact zeros that leave rows without probability; VB gives them one, if only e^-1000."""
    network = bipartite_network([[1]] * 4, [2], [2] * 4, prior=1e-3)
    data = random_data(network, 13, seed)
    parameters = np.exp(sample_log(network, np.random.default_rng(seed)))
    check_against_twin(network, data, parameters, 1)
    check_against_twin(network, data, parameters, 10)


@pytest.mark.parametrize("name", ["naive Bayes, 3 classes", "bipartite 1-12-12-2", "hidden chain"])
def test_a_hidden_value_that_starts_at_zero(name):
    network = CASES[name]
    data, parameters = random_data(network, 20, 15), random_parameters(network, 15)
    row = rows_of_cells(network)[0]
    parameters[row] = np.eye(len(row))[0]
    check_against_twin(network, data, parameters, 5)


def test_data_that_the_start_makes_impossible():
    """A row without probability enters no count of the first step, and all of them from the second; nothing is NaN."""
    network = CASES["naive Bayes, 2 features"]
    parameters = random_parameters(network, 16)
    network.family(1, parameters)[:] = [1.0, 0.0]
    data = np.array([[0, 0], [1, 1], [0, 2], [0, 0]])
    check_against_twin(network, data, parameters, 1)
    state = run(network, data, parameters, 5)
    assert np.isfinite(state.history).all()
    assert network.family(0, state.counts).sum() == pytest.approx(4)


NAIVE = CASES["naive Bayes, 3 classes"]
ROWS, START = random_data(NAIVE, 30, 17), random_parameters(NAIVE, 17)


def test_stops_at_the_first_change_below_the_tolerance():
    every = run(NAIVE, ROWS, START, 3000).history
    for tolerance in (1e-1, 1e-4, 1e-8):
        last = int(np.argmax(np.abs(np.diff(every)) < tolerance)) + 1
        state = run(NAIVE, ROWS, START, 3000, tolerance=tolerance)
        assert (state.n_iterations, state.converged) == (last + 1, True)
        assert state.bound == every[last]
        np.testing.assert_array_equal(state.history[: last + 1], every[: last + 1])
        assert np.isnan(state.history[last + 1 :]).all()


def test_the_cap_stops_it_unconverged():
    state = run(NAIVE, ROWS, START, 4, tolerance=1e-12)
    assert (state.n_iterations, state.converged) == (4, False)
    state = run(NAIVE, ROWS, START, 1, tolerance=1e9)
    assert (state.n_iterations, state.converged) == (1, False)  # nothing to compare the first bound with
    state = run(NAIVE, ROWS, START, 2, tolerance=1e9)
    assert (state.n_iterations, state.converged) == (2, True)


def test_no_iteration_leaves_the_prior_and_no_bound():
    state = run(NAIVE, ROWS, START, 0)
    np.testing.assert_array_equal(state.posterior, NAIVE.prior)
    assert (state.bound, state.n_iterations, state.converged) == (-np.inf, 0, False)


def test_the_start_is_a_conventional_e_step():
    first = run(NAIVE, ROWS, START, 1)
    counts = em.init(NAIVE, unique(NAIVE, ROWS), logs(START), NAIVE.prior).counts
    np.testing.assert_array_equal(first.posterior, NAIVE.prior + counts)


@pytest.mark.parametrize("n_history", [0, 1, 3, 9])
def test_history_reaches_as_far_as_asked(n_history):
    every = run(NAIVE, ROWS, START, 5).history
    history = run(NAIVE, ROWS, START, 5, n_history=n_history).history
    assert len(history) == n_history
    np.testing.assert_array_equal(history[:5], every[:n_history])
    assert np.isnan(history[5:]).all()


def test_the_arguments_are_left_alone():
    parameters, rows = START.copy(), ROWS.copy()
    run(NAIVE, rows, parameters, 5)
    np.testing.assert_array_equal(parameters, START)
    np.testing.assert_array_equal(rows, ROWS)


@pytest.mark.parametrize("change", [-1, 1])
def test_parameters_of_the_wrong_length_are_refused(change):
    with pytest.raises(ValueError, match="do not fit together"):
        run(NAIVE, ROWS, np.full(NAIVE.n_entries + change, 0.5), 1)


def bound_and_cheeseman_stutz(network, start):
    """The bound after one iteration from EM's solution, or from another start, and Cheeseman-Stutz at the solution."""
    data = unique(network, random_data(network, 40, 31))
    fit = em.run(network, data, logs(random_parameters(network, 31)), network.prior, max_iterations=50, tolerance=0.0)
    completed = complete_data.log_evidence(network.rows, network.prior, fit.counts, network.n_rows)
    cheeseman_stutz = completed + fit.log_likelihood - complete_data.log_joint(fit.counts, fit.parameters)
    start = fit.parameters if start is None else start
    bound = variational_em.run(network, data, logs(start), max_iterations=1, tolerance=0.0).bound
    return bound, cheeseman_stutz


@networks
def test_started_from_the_cheeseman_stutz_solution_it_is_never_below(network):
    """Corollary 6.2 of [BealGhahramani2006]."""
    bound, cheeseman_stutz = bound_and_cheeseman_stutz(network, None)
    assert bound >= cheeseman_stutz - 1e-12 * abs(bound)


def test_started_elsewhere_it_can_be_below():
    pairs = [bound_and_cheeseman_stutz(network, random_parameters(network, 32)) for network in CASES.values()]
    assert any(bound < cheeseman_stutz - 1e-6 for bound, cheeseman_stutz in pairs)
