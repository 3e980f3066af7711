"""EM for a discrete network, MAP in the softmax basis and maximum likelihood.

Sources of truth: the slow twin (reference/network.py, row by row and completion by completion, in logs); the identities
of EM (the objective rises at every step, counts sum to n, fixed points are stationary); closed forms without hidden
variables.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.network import em as twin
from reference.network import log_likelihood, map_objective, relabelled, rows_of_cells
from reference.network_cases import CASES, logs, observed_cardinalities, random_data, random_networks, random_parameters

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.expectation import layout
from ockham.networks.structure_space import bipartite_network, naive_bayes

networks = pytest.mark.parametrize("network", CASES.values(), ids=CASES.keys())
goals = pytest.mark.parametrize("maximum_likelihood", [False, True], ids=["MAP", "ML"])


def prior_for(network, maximum_likelihood):
    return np.zeros(network.n_entries) if maximum_likelihood else network.prior


def unique(network, data):
    return UniqueRows.of(data, observed_cardinalities(network))


def run(network, data, parameters, prior, n_steps, **options):
    options = {"tolerance": 0.0, "n_history": n_steps + 1} | options
    return em.run(network, unique(network, data), logs(parameters), prior, max_iterations=n_steps, **options)


def check_against_twin(network, data, parameters, prior, n_steps):
    state = run(network, data, parameters, prior, n_steps)
    theta, counts, history = twin(network, parameters, data, prior, n_steps)
    np.testing.assert_allclose(state.parameters, theta, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(state.counts, counts, rtol=1e-10, atol=1e-13 * len(data))
    np.testing.assert_allclose(state.history, history, rtol=1e-10, atol=1e-12)
    assert state.objective == state.history[-1]
    assert state.log_likelihood == pytest.approx(log_likelihood(network, theta, data), rel=1e-10, abs=1e-12)
    assert (state.n_iterations, state.converged) == (n_steps, False)


@goals
@networks
@pytest.mark.parametrize("n_steps", [0, 1, 20])
def test_equals_the_slow_twin(network, maximum_likelihood, n_steps):
    data, parameters = random_data(network, 13, 1), random_parameters(network, 2)
    check_against_twin(network, data, parameters, prior_for(network, maximum_likelihood), n_steps)


@goals
@networks
def test_equals_the_slow_twin_on_one_row(network, maximum_likelihood):
    data, parameters = random_data(network, 1, 3), random_parameters(network, 4)
    check_against_twin(network, data, parameters, prior_for(network, maximum_likelihood), 2)


@settings(derandomize=True, max_examples=150, database=None)
@given(random_networks(), st.integers(1, 6), st.integers(0, 1000), st.booleans())
def test_one_step_on_random_networks_equals_the_slow_twin(network, n, seed, maximum_likelihood):
    data, parameters = random_data(network, n, seed), random_parameters(network, seed)
    check_against_twin(network, data, parameters, prior_for(network, maximum_likelihood), 1)


MANY_FACTORS = {
    "binary and other features": naive_bayes([3], [2, 2, 2, 2, 17, 3, 2, 2, 5, 2, 2, 2, 2, 2, 2, 3, 2, 2, 2], 0.7)[
        "classes-3"
    ],
    "observed parents": DiscreteNetwork.build(
        {f"y{i}": 2 + i % 2 for i in range(20)} | {"s": 2},
        {"y0": ["s"]} | {f"y{i}": ["s", f"y{i - 1}"] for i in range(1, 20)},
        ["s"],
    ),
}


@goals
@pytest.mark.parametrize("network", MANY_FACTORS.values(), ids=MANY_FACTORS.keys())
@pytest.mark.parametrize("smallest", [0.0, 1e-80], ids=["ordinary", "in logs"])
def test_many_factors_are_multiplied_in_groups_as_one_by_one(network, maximum_likelihood, smallest):
    """Parameters of 1e-80 make every row underflow, which takes another path."""
    data, parameters = random_data(network, 12, 8), random_parameters(network, 8)
    plan = layout(network, unique(network, data))
    assert len(plan.group_rows) > 1
    assert plan.group_rows.shape[1] > 2
    if smallest:
        parameters = np.where(np.random.default_rng(8).random(len(parameters)) < 0.9, smallest, parameters)
    check_against_twin(network, data, parameters, prior_for(network, maximum_likelihood), 2)


def test_a_relative_tolerance_is_one_in_units_of_the_objective():
    network = naive_bayes([2], [2, 3, 2])["classes-2"]
    data, parameters = random_data(network, 50, 9), random_parameters(network, 9)
    everything = run(network, data, parameters, network.prior, 500).history
    changes = np.abs(np.diff(everything) / everything[1:])
    found = run(network, data, parameters, network.prior, 500, relative_tolerance=1e-6)
    assert 2 < found.n_iterations == 1 + np.argmax(changes < 1e-6) < 400
    assert found.converged


@goals
@networks
@pytest.mark.parametrize("seed", range(3))
def test_the_objective_rises_at_every_step(network, maximum_likelihood, seed):
    prior = prior_for(network, maximum_likelihood)
    history = run(network, random_data(network, 40, seed), random_parameters(network, seed), prior, 200).history
    assert np.isfinite(history).all()
    assert np.diff(history).min() >= -1e-12 * np.abs(history).max()


@goals
@networks
def test_counts_and_parameters_add_up(network, maximum_likelihood):
    data, parameters = random_data(network, 31, 5), random_parameters(network, 5)
    state = run(network, data, parameters, prior_for(network, maximum_likelihood), 7)
    for i in range(network.n_variables):
        assert network.family(i, state.counts).sum() == pytest.approx(31, rel=1e-12)
    for row in rows_of_cells(network):
        assert state.parameters[row].sum() == pytest.approx(1, rel=1e-12)
    assert (state.counts >= 0).all()


@networks
def test_counts_of_observed_families_are_tallies(network):
    data = random_data(network, 25, 6)
    counts = run(network, data, random_parameters(network, 6), network.prior, 1).counts
    columns = {i: data[:, c] for c, i in enumerate(network.observed)}
    for i, family in enumerate(network.parents):
        if {i, *family} <= set(columns):
            shape = [network.cardinalities[v] for v in (*family, i)]
            tally = np.zeros(shape)
            np.add.at(tally, tuple(columns[v] for v in (*family, i)), 1)
            np.testing.assert_allclose(network.family(i, counts).ravel(), tally.ravel(), rtol=1e-12)


@networks
def test_the_order_of_rows_does_not_matter(network):
    data, parameters = random_data(network, 30, 7), random_parameters(network, 7)
    shuffled = np.random.default_rng(7).permutation(data)
    first, second = (run(network, rows, parameters, network.prior, 10) for rows in (data, shuffled))
    assert first.objective == second.objective
    np.testing.assert_array_equal(first.parameters, second.parameters)


@goals
@networks
def test_relabelled_hidden_values_give_the_relabelled_fit(network, maximum_likelihood):
    values = {h: np.roll(np.arange(network.cardinalities[h]), 1).tolist() for h in network.hidden}
    check_relabelling(network, maximum_likelihood, None, values)


@goals
@pytest.mark.parametrize("name", ["bipartite 12-12-12-12"])
def test_exchanged_hidden_variables_give_the_relabelled_fit(name, maximum_likelihood):
    check_relabelling(CASES[name], maximum_likelihood, {0: 1, 1: 0}, {1: [1, 0]})


def check_relabelling(network, maximum_likelihood, variables, values):
    data, parameters = random_data(network, 20, 8), random_parameters(network, 8)
    prior = prior_for(network, maximum_likelihood)
    here = run(network, data, parameters, prior, 15)
    there_from = relabelled(network, parameters, variables, values)
    there = run(network, data, there_from, relabelled(network, prior, variables, values), 15)
    assert there.objective == pytest.approx(here.objective, rel=1e-11)
    assert there.log_likelihood == pytest.approx(here.log_likelihood, rel=1e-11)
    expected = relabelled(network, here.parameters, variables, values)
    np.testing.assert_allclose(there.parameters, expected, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("name", ["observed only", "one observed variable"])
def test_without_hidden_variables_one_step_is_the_closed_form(name):
    network = CASES[name]
    data = random_data(network, 30, 9)
    state = run(network, data, random_parameters(network, 9), network.prior, 1)
    for row in rows_of_cells(network):
        expected = (network.prior[row] + state.counts[row]) / (network.prior[row] + state.counts[row]).sum()
        np.testing.assert_allclose(state.parameters[row], expected, rtol=1e-14)
    again = em.step(network, unique(network, data), state, network.prior)
    np.testing.assert_allclose(again.parameters, state.parameters, rtol=1e-14)


@networks
def test_maximum_likelihood_improves_on_the_likelihood_of_map(network):
    data = random_data(network, 24, 10)
    fit = run(network, data, random_parameters(network, 10), network.prior, 400)
    best = run(network, data, fit.parameters, np.zeros(network.n_entries), 100)
    assert best.log_likelihood >= fit.log_likelihood - 1e-12 * abs(fit.log_likelihood)


@pytest.mark.parametrize("name", ["naive Bayes, 3 classes", "asymmetric prior", "hidden with observed parent"])
def test_map_converges_to_a_stationary_point(name):
    """No small step within the simplices raises the softmax objective by more than second order."""
    network = CASES[name]
    data = random_data(network, 24, 11)
    theta = run(network, data, random_parameters(network, 11), network.prior, 20_000, tolerance=1e-13).parameters
    logits, direction = np.log(theta), np.random.default_rng(11).normal(size=network.n_entries)

    def objective(size):
        moved = np.exp(logits + size * direction)
        for row in rows_of_cells(network):
            moved[row] /= moved[row].sum()
        return map_objective(network, moved, data, network.prior)

    assert abs(objective(1e-4) - objective(-1e-4)) / 2e-4 < 1e-3
    assert objective(0.0) >= max(objective(1e-2), objective(-1e-2))


def wide_naive_bayes():
    """Three classes, 300 features: a row has a probability of about e^-900 at the start."""
    network = bipartite_network([[1]] * 300, [3], [9, 12, 20] * 100)
    return network, random_data(network, 7, 12), random_parameters(network, 12)


@goals
def test_rows_that_underflow_equal_the_slow_twin(maximum_likelihood):
    network, data, parameters = wide_naive_bayes()
    assert log_likelihood(network, parameters, data[:1]) < -760
    prior = prior_for(network, maximum_likelihood)
    check_against_twin(network, data, parameters, prior, 0)
    check_against_twin(network, data, parameters, prior, 3)
    history = run(network, data, parameters, prior, 50).history
    assert np.diff(history).min() >= -1e-12 * np.abs(history).max()


def test_rows_near_the_switch_to_logs_equal_the_slow_twin():
    """Row probabilities from e^-500 to e^-700, on both sides of the switch, in one data set."""
    network = bipartite_network([[1]] * 40, [2], [2] * 40)
    rng = np.random.default_rng(13)
    data = rng.integers(0, 2, (12, 40))
    parameters = np.concatenate([[0.3, 0.7], np.tile([1 - 1e-12, 1e-12, 1 - 2e-13, 2e-13], 40)])
    logs = [log_likelihood(network, parameters, [row]) for row in data]
    assert min(logs) < -580 < -570 < max(logs)
    check_against_twin(network, data, parameters, network.prior, 0)
    check_against_twin(network, data, parameters, network.prior, 3)


@pytest.mark.parametrize("name", ["naive Bayes, 3 classes", "bipartite 1-12-12-2", "hidden chain"])
def test_a_hidden_value_that_starts_at_zero(name):
    network = CASES[name]
    data, parameters = random_data(network, 20, 14), random_parameters(network, 14)
    row = rows_of_cells(network)[0]
    parameters[row] = np.eye(len(row))[0]
    for prior in (network.prior, np.zeros(network.n_entries)):
        state = run(network, data, parameters, prior, 20)
        for result in (state.parameters, state.counts, state.history[1:]):
            assert np.isfinite(result).all()
        assert np.diff(state.history[1:]).min() >= -1e-12 * abs(state.objective)
    assert state.parameters[row].tolist() == parameters[row].tolist()


def test_data_that_the_start_makes_impossible():
    """A row without probability counts nowhere; MAP recovers at once, maximum likelihood never does. Nothing is NaN."""
    network = CASES["naive Bayes, 2 features"]
    parameters = random_parameters(network, 15)
    network.family(1, parameters)[:] = [1.0, 0.0]
    data = np.array([[0, 0], [1, 1], [0, 2], [0, 0]])
    start = em.init(network, unique(network, data), logs(parameters), np.zeros(network.n_entries))
    assert start.log_likelihood == start.objective == -np.inf
    assert network.family(0, start.counts).sum() == pytest.approx(3)
    fit = run(network, data, parameters, network.prior, 5)
    assert np.isfinite(fit.history[1:]).all()
    assert network.family(0, fit.counts).sum() == pytest.approx(4)
    stuck = run(network, data, parameters, np.zeros(network.n_entries), 5)
    assert np.isfinite(stuck.parameters).all()
    assert stuck.log_likelihood == -np.inf


def test_the_map_objective_is_minus_infinity_where_theta_is_zero():
    """The sum of lambda ln theta with lambda > 0 has no finite value on the border."""
    network = DiscreteNetwork.build({"a": 3}, {})
    state = em.init(network, UniqueRows.of([[0], [1]], [3]), logs(np.array([0.5, 0.5, 0.0])), network.prior)
    assert state.log_likelihood == pytest.approx(2 * np.log(0.5), rel=1e-15)
    assert state.objective == -np.inf


def test_a_row_without_weight_keeps_its_value():
    network = DiscreteNetwork.build({"a": 2, "b": 2}, {"b": ["a"]})
    parameters = np.array([0.5, 0.5, 0.3, 0.7, 0.2, 0.8])
    state = run(network, np.array([[0, 1], [0, 0]]), parameters, np.zeros(6), 3)
    np.testing.assert_allclose(state.parameters, [1, 0, 0.5, 0.5, 0.2, 0.8], rtol=1e-15)
    assert state.log_likelihood == pytest.approx(2 * np.log(0.5))


NAIVE = CASES["naive Bayes, 3 classes"]
ROWS, START = random_data(NAIVE, 30, 16), random_parameters(NAIVE, 16)


def test_stops_at_the_first_change_below_the_tolerance():
    every = run(NAIVE, ROWS, START, NAIVE.prior, 3000).history
    for tolerance in (1e-1, 1e-4, 1e-8):
        first = int(np.argmax(np.abs(np.diff(every)) < tolerance)) + 1
        state = run(NAIVE, ROWS, START, NAIVE.prior, 3000, tolerance=tolerance)
        assert (state.n_iterations, state.converged) == (first, True)
        assert state.objective == every[first]
        np.testing.assert_array_equal(state.history[: first + 1], every[: first + 1])
        assert np.isnan(state.history[first + 1 :]).all()


def test_the_cap_stops_it_unconverged():
    state = run(NAIVE, ROWS, START, NAIVE.prior, 4, tolerance=1e-12)
    assert (state.n_iterations, state.converged) == (4, False)
    state = run(NAIVE, ROWS, START, NAIVE.prior, 1, tolerance=1e9)
    assert (state.n_iterations, state.converged) == (1, True)


def test_init_does_no_m_step_and_run_is_repeated_steps():
    data = unique(NAIVE, ROWS)
    state = em.init(NAIVE, data, logs(START), NAIVE.prior)
    np.testing.assert_allclose(state.parameters, START, rtol=1e-15)
    assert (state.n_iterations, state.converged) == (0, False)
    for n in range(1, 6):
        state = em.step(NAIVE, data, state, NAIVE.prior)
        whole = run(NAIVE, ROWS, START, NAIVE.prior, n)
        np.testing.assert_allclose(state.parameters, whole.parameters, rtol=1e-13)
        assert state.objective == pytest.approx(whole.objective, rel=1e-13)


@pytest.mark.parametrize("n_history", [0, 1, 3, 9])
def test_history_reaches_as_far_as_asked(n_history):
    every = run(NAIVE, ROWS, START, NAIVE.prior, 5).history
    history = run(NAIVE, ROWS, START, NAIVE.prior, 5, n_history=n_history).history
    assert len(history) == n_history
    np.testing.assert_array_equal(history[:6], every[:n_history])
    assert np.isnan(history[6:]).all()


def test_the_arguments_are_left_alone():
    parameters, rows = START.copy(), ROWS.copy()
    run(NAIVE, rows, parameters, NAIVE.prior, 5)
    np.testing.assert_array_equal(parameters, START)
    np.testing.assert_array_equal(rows, ROWS)


@pytest.mark.parametrize("change", [-1, 1])
def test_vectors_of_the_wrong_length_are_refused(change):
    size = NAIVE.n_entries + change
    with pytest.raises(ValueError, match="do not fit together"):
        run(NAIVE, ROWS, np.full(size, 0.5), NAIVE.prior, 1)
    with pytest.raises(ValueError, match=r"do not fit together|out of range"):
        run(NAIVE, ROWS, START, np.ones(size), 1)
