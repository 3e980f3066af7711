"""Missing cells of any observed variable of any network are summed out.

Sources of truth: the whole joint distribution, summed over all that a row does not have; the slow twin, to which a
missing cell is one more hidden variable of its row; for the evidence, the sum over all fillings of the missing cells of
the evidence of complete data; a second EM, in NumPy, on a table of 1,800 rows. A missing cell that is taken for the
most common value of its column must be noticed.
"""

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.derivatives import second_derivatives
from reference.enumeration import log_evidence as enumerated
from reference.network import em as em_twin
from reference.network import expected_counts, rows_of_cells
from reference.network import variational_em as variational_twin
from reference.network_cases import CASES, logs, observed_cardinalities, random_data, random_networks, random_parameters
from scipy.special import logsumexp

from ockham.errors import ModelError
from ockham.estimation import memory
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em, gibbs, variational_em
from ockham.networks.inference.completions import log_evidence, predicted_completions
from ockham.networks.inference.information import ObservedInformation
from ockham.networks.inference.likelihoods import log_likelihoods
from ockham.networks.inference.missing_cells import expand, fill, n_fillings, to_fill
from ockham.networks.inference.separation import separation
from ockham.networks.scorers import laplace, smc
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

build = DiscreteNetwork.build
GENERAL = build(
    {"a": 2, "h": 2, "b": 3, "c": 2, "d": 3, "e": 2},
    {"h": ["a"], "b": ["a", "h"], "c": ["b"], "d": ["h", "c"], "e": ["d"]},
    ["h"],
    {"b": 0.7, "a": 2.0, "d": 0.4},
)
NETWORKS = CASES | {
    "general": GENERAL,
    "chain": build({"a": 2, "b": 3, "c": 2, "d": 2}, {"b": ["a"], "c": ["b"], "d": ["c"]}),
}
networks = pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS.keys())
repeatable = settings(derandomize=True, max_examples=100, database=None)


def with_gaps(rows, seed, share=0.3):
    rows = np.array(rows)
    rows[np.random.default_rng([seed, 1]).random(rows.shape) < share] = -1
    return rows


def unique(network, rows):
    return UniqueRows.of(rows, observed_cardinalities(network), missing=True)


def joint(network, parameters):
    """p(all variables), one axis for each."""
    whole = np.ones((1,) * network.n_variables)
    for i, parents in enumerate(network.parents):
        axes = [*parents, i]
        table = network.family(i, parameters).reshape([network.cardinalities[v] for v in axes])
        shape = [network.cardinalities[v] if v in axes else 1 for v in range(network.n_variables)]
        whole = whole * table.transpose(np.argsort(axes)).reshape(shape)
    return whole


def part(network, row):
    """Where the joint distribution agrees with a row, as an index that keeps all axes."""
    index = [slice(None)] * network.n_variables
    for i, state in zip(network.observed, row, strict=True):
        if state >= 0:
            index[i] = slice(state, state + 1)
    return tuple(index)


def test_what_is_filled_in_by_hand():
    network = build({"a": 2, "b": 3, "c": 2}, {"b": ["a"], "c": ["b"]})
    rows = np.array([[-1, 1, 0], [0, -1, -1], [-1, -1, 1], [-1, -1, -1], [0, 0, 0], [0, 1, 0], [0, 1, 0]])
    data = unique(network, rows)
    assert data.rows.tolist() == [[-1, -1, -1], [-1, -1, 1], [-1, 1, 0], [0, -1, -1], [0, 0, 0], [0, 1, 0]]
    assert to_fill(network, data).astype(int).tolist() == [[0] * 3, [1, 1, 0], [1, 0, 0], [0] * 3, [0] * 3, [0] * 3]
    assert n_fillings(network, data).tolist() == [1, 6, 2, 1, 1, 1]
    filled = fill(network, data)
    assert filled.unique.rows.tolist() == [
        [0, -1, -1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 2, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1], [1, 2, 1],
    ]  # fmt: skip
    assert filled.weights.tolist() == [1, 1, 0, 2, 0, 0, 0, 0, 0, 0, 1, 1]
    assert filled.starts.tolist() == [0, 6, 8]
    assert filled.fillings.tolist() == [2, 4, 5, 6, 8, 9, 3, 7]


def test_the_first_cell_varies_slowest():
    rows, source = expand(np.array([[-1, 5, -1], [7, 5, 7]]), np.array([[1, 0, 1], [0, 0, 0]], dtype=bool), [2, 9, 3])
    assert rows.tolist() == [[a, 5, b] for a in range(2) for b in range(3)] + [[7, 5, 7]]
    assert source.tolist() == [0] * 6 + [1]


def test_rows_that_have_all_that_matters_are_left_as_they_are():
    network = build({"h": 2, "a": 2, "b": 3}, {"a": ["h"], "b": ["h"]}, ["h"])
    data = UniqueRows.of([[0, 1], [-1, 2]], [2, 3], missing=True)
    assert fill(network, data).unique is data


@repeatable
@given(random_networks(), st.integers(1, 6), st.integers(0, 1000))
def test_the_likelihood_is_the_joint_summed_over_all_that_is_not_there(network, n, seed):
    rows, parameters = with_gaps(random_data(network, n, seed), seed, 0.5), random_parameters(network, seed)
    whole = joint(network, parameters)
    expected = sum(np.log(whole[part(network, row)].sum()) for row in rows)
    found = em.init(network, unique(network, rows), np.log(parameters), network.prior).log_likelihood
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-12)
    again = log_likelihoods(network, unique(network, rows), np.log(parameters)[None])
    assert again[0] == pytest.approx(expected, rel=1e-11, abs=1e-12)


def check_em(network, rows, parameters, prior, n_steps):
    state = em.run(network, unique(network, rows), logs(parameters), prior, max_iterations=n_steps, tolerance=0.0,
                   n_history=n_steps + 1)  # fmt: skip
    theta, counts, history = em_twin(network, parameters, rows, prior, n_steps)
    np.testing.assert_allclose(state.parameters, theta, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(state.counts, counts, rtol=1e-10, atol=1e-13 * len(rows))
    np.testing.assert_allclose(state.history, history, rtol=1e-10, atol=1e-12)


@networks
@pytest.mark.parametrize("maximum_likelihood", [False, True], ids=["MAP", "ML"])
def test_em_equals_the_slow_twin(network, maximum_likelihood):
    rows = with_gaps(random_data(network, 13, 1), 1)
    prior = np.zeros(network.n_entries) if maximum_likelihood else network.prior
    check_em(network, rows, random_parameters(network, 2), prior, 5)


@repeatable
@given(random_networks(), st.integers(1, 6), st.integers(0, 1000))
def test_one_step_on_random_networks_equals_the_slow_twin(network, n, seed):
    rows = with_gaps(random_data(network, n, seed), seed, 0.5)
    check_em(network, rows, random_parameters(network, seed), network.prior, 1)


LONG = build(
    {f"y{i}": 2 + i % 2 for i in range(20)} | {"s": 2},
    {"y0": ["s"]} | {f"y{i}": ["s", f"y{i - 1}"] for i in range(1, 20)},
    ["s"],
)


@pytest.mark.parametrize("network", [GENERAL, LONG], ids=["halves", "groups"])
@pytest.mark.parametrize("size", [1e-90, 1e-65, 1e-30, 1e-3])
def test_rows_that_underflow_are_summed_in_logs(network, size):
    """Parameters so small that a row, some fillings of it, or the product of four rows underflow."""
    rng = np.random.default_rng(8)
    parameters = random_parameters(network, 8)
    parameters = np.where(rng.random(len(parameters)) < 0.8, size, parameters)
    check_em(network, with_gaps(random_data(network, 12, 8), 8, 0.2), parameters, network.prior, 2)


@pytest.mark.parametrize("size", [1e-300, 1e-255, 1e-249, 1e-240, 0.3])
@pytest.mark.parametrize("goal", ["MAP", "ML"])
def test_a_row_may_underflow_where_the_incomplete_row_that_it_fills_does_not(size, goal):
    """And the other way round: an observed row, and another that has its first cell missing."""
    network = build({"a": 2, "b": 2}, {"b": ["a"]})
    parameters, rows = np.array([0.5, 0.5, 1e-260, 1.0, size, 1.0]), np.array([[0, 0], [0, 0], [-1, 0], [1, 1]])
    check_em(network, rows, parameters, network.prior * (goal == "MAP"), 0)


def test_an_impossible_row_counts_nowhere():
    network = build({"a": 2, "b": 2}, {"b": ["a"]})
    parameters = np.array([0.5, 0.5, 1.0, 0.0, 1.0, 0.0])
    state = em.init(network, UniqueRows.of([[-1, 1], [0, 0]], [2, 2], missing=True), logs(parameters), network.prior)
    assert state.log_likelihood == -np.inf
    assert state.counts.tolist() == [1, 0, 1, 0, 0, 0]


@networks
def test_variational_em_equals_the_slow_twin(network):
    rows, parameters = with_gaps(random_data(network, 11, 3), 3), random_parameters(network, 4)
    state = variational_em.run(network, unique(network, rows), np.log(parameters), max_iterations=6, tolerance=0.0,
                               n_history=6)  # fmt: skip
    posterior, counts, history = variational_twin(network, parameters, rows, 6)
    np.testing.assert_allclose(state.posterior, posterior, rtol=1e-10)
    np.testing.assert_allclose(state.counts, counts, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(state.history, history, rtol=1e-10, atol=1e-12)


SMALL = [name for name in sorted(NETWORKS) if NETWORKS[name].n_parameters < 25 and "small prior" not in name]


@pytest.mark.parametrize("name", SMALL)
def test_the_information_is_minus_the_hessian(name):
    network = NETWORKS[name]
    rows, theta = with_gaps(random_data(network, 6, 4), 4, 0.4), random_parameters(network, 4)
    found = ObservedInformation(network, unique(network, rows), np.log(theta))
    expected = -second_derivatives(network, np.log(theta), rows)
    np.testing.assert_allclose(found.whole(), expected, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(found.diagonal(), np.diag(expected), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", [name for name in SMALL if NETWORKS[name].hidden])
def test_the_separation_is_the_entropy_of_the_hidden_variables_alone(name):
    network, rows = NETWORKS[name], with_gaps(random_data(NETWORKS[name], 9, 5), 5)
    theta = random_parameters(network, 5)
    whole, others = joint(network, theta), network.observed
    entropy, n = 0.0, (rows >= 0).any(axis=1).sum()
    for row in rows[(rows >= 0).any(axis=1)]:
        p = whole[part(network, row)].sum(axis=others).ravel()
        entropy -= (p / p.sum() * np.log(p / p.sum())).sum()
    expected = 1 - entropy / n / np.log(network.n_hidden_configurations)
    assert separation(network, unique(network, rows), theta) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", [name for name in sorted(NETWORKS) if "small prior" not in name])
@pytest.mark.parametrize("size", [None, 1e-90], ids=["ordinary", "in logs"])
def test_gibbs_sampling_draws_missing_cells_from_their_distribution(name, size):
    """Completed counts average to the expected ones, of which the twin's are the truth."""
    network = NETWORKS[name]
    rows, theta = with_gaps(random_data(network, 15, 2), 2), random_parameters(network, 2)
    if size:
        theta = theta * size
    data, rng, n = unique(network, rows), np.random.default_rng(7), 1000
    counts = np.array([gibbs.run(network, data, np.log(theta), rng, 1).best_counts for _ in range(n)])
    assert (counts == np.round(counts)).all()
    expected = expected_counts(network, theta, rows)
    error = np.sqrt(expected / n)  # a sum of independent 0s and 1s varies by less than its mean
    np.testing.assert_array_less(np.abs(counts.mean(axis=0) - expected), 4 * error + 1e-9)


def test_prior_and_data_redrawn_stay_the_prior():
    """Geweke's joint test with gaps that fall anywhere."""
    network, rng = GENERAL, np.random.default_rng(11)
    mean = np.empty((3000, network.n_entries))
    for i in range(len(mean)):
        log_theta = sample_log(network, rng)
        rows = draw(network, np.exp(log_theta), 4, rng)[:, network.observed]
        rows[rng.random(rows.shape) < 0.4] = -1
        mean[i] = np.exp(gibbs.run(network, unique(network, rows), log_theta, rng, 2).log_parameters)
    totals = np.add.reduceat(network.prior, network.row_starts[:-1])[network.rows]
    z = (mean.mean(axis=0) - network.prior / totals) / (mean.std(axis=0, ddof=1) / np.sqrt(len(mean)))
    assert np.abs(z).max() < 4


MOST_FILLINGS = 300


def n_data_sets(network, rows):
    """In how many ways all missing cells can be filled in."""
    return prod(observed_cardinalities(network)[column] for _, column in np.argwhere(rows == -1))


def over_fillings(network, rows):
    """ln of the sum, over every filling of every missing cell, of the evidence of the complete data."""
    assert n_data_sets(network, rows) <= MOST_FILLINGS
    gaps, cardinalities = np.argwhere(rows == -1), observed_cardinalities(network)
    values = []
    for states in product(*(range(cardinalities[column]) for _, column in gaps)):
        filled = rows.copy()
        filled[tuple(gaps.T)] = states
        values.append(log_evidence(network, UniqueRows.of(filled, cardinalities)))
    return logsumexp(values)


ENUMERABLE = {name: network for name, network in NETWORKS.items() if network.n_hidden_configurations < 6}
REPEATED = [0, 1, 0, 2, 1]


@pytest.mark.parametrize("name", ENUMERABLE)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_exact_evidence_is_the_sum_over_all_fillings(name, seed):
    network = ENUMERABLE[name]
    rows = with_gaps(random_data(network, 3, seed), seed)[REPEATED]
    found = log_evidence(network, unique(network, rows))
    assert found == pytest.approx(enumerated(network, rows), abs=1e-10)
    if n_data_sets(network, rows) <= MOST_FILLINGS:
        assert found == pytest.approx(over_fillings(network, rows), abs=1e-10)
    shuffled = unique(network, np.random.default_rng(seed).permutation(rows))
    assert log_evidence(network, shuffled) == found


@pytest.mark.parametrize("seed", range(6))
def test_the_exact_evidence_of_a_general_network_is_the_sum_over_all_fillings(seed):
    rows = with_gaps(random_data(GENERAL, 4, seed), seed, 0.25)
    rows = rows[np.cumsum((rows == -1).sum(axis=1)) <= 5]
    assert (rows == -1).any()
    assert log_evidence(GENERAL, unique(GENERAL, rows)) == pytest.approx(over_fillings(GENERAL, rows), abs=1e-10)


def test_a_missing_cell_taken_for_the_most_common_value_is_noticed():
    rows = with_gaps(random_data(GENERAL, 4, 1), 1, 0.2)
    assert 2 < (rows == -1).sum() < 6
    common = [np.bincount(column[column >= 0]).argmax() for column in rows.T]
    imputed = np.where(rows == -1, common, rows)
    assert abs(log_evidence(GENERAL, unique(GENERAL, imputed)) - over_fillings(GENERAL, rows)) > 1
    theta = random_parameters(GENERAL, 2)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(
            em.init(GENERAL, unique(GENERAL, imputed), np.log(theta), GENERAL.prior).counts,
            expected_counts(GENERAL, theta, rows),
            rtol=0.05,
        )


def test_without_hidden_variables_a_long_table_with_few_gaps_is_summed():
    """The rows that are complete are in the closed form, so 800 of them add no completion."""
    network = build({"a": 2, "b": 3, "c": 2}, {"b": ["a"], "c": ["b", "a"]}, prior=0.7)
    rows = random_data(network, 800, 1)
    rows[[3, 70, 71], [0, 1, 2]] = -1
    assert predicted_completions(network, unique(network, rows)) == 2 * 3
    assert log_evidence(network, unique(network, rows)) == pytest.approx(over_fillings(network, rows), abs=1e-8)


EIGHT = build(
    {"h1": 2, "h2": 3, "y1": 3, "y2": 2, "y3": 3, "y4": 2, "y5": 3, "y6": 2},
    {"y1": ["h1"], "y2": ["h1", "y1"], "h2": ["y2"], "y3": ["h2"], "y4": ["h2", "y3"], "y5": ["y4", "y1"],
     "y6": ["h1", "y5"]},
    ["h1", "h2"],
)  # fmt: skip


def table_of_1800():
    rng = np.random.default_rng(18)
    states = draw(EIGHT, np.exp(sample_log(EIGHT, rng)), 1800, rng)[:, EIGHT.observed]
    states[rng.random(states.shape) < 0.1] = -1
    return states


def numpy_em(rows, parameters, n_steps):
    """MAP parameters and the log likelihood before each step and after the last.

    Every row is an index into the joint distribution of all eight variables. A family is counted at a row unless its
    variable is missing and so is all that descends from it.
    """
    network, log_likelihoods = EIGHT, []
    for step in range(n_steps + 1):
        whole, log_likelihood = joint(network, parameters), 0.0
        counts = [np.zeros([network.cardinalities[v] for v in (*ps, i)]) for i, ps in enumerate(network.parents)]
        for row, copies in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
            at = part(network, row)
            total = whole[at].sum()
            log_likelihood += copies * np.log(total)
            posterior = np.zeros_like(whole)
            posterior[at] = whole[at] * copies / total
            has = {i for i, state in zip(network.observed, row, strict=True) if state >= 0} | {*network.hidden}
            for i in reversed(network.topological_order):
                if i in has:
                    has |= {*network.parents[i]}
            for i in has if any(row >= 0) else ():
                axes = [*network.parents[i], i]
                margin = posterior.sum(axis=tuple(v for v in range(network.n_variables) if v not in axes))
                counts[i] += margin.transpose(np.argsort(np.argsort(axes)))
        log_likelihoods.append(log_likelihood)
        if step < n_steps:
            weights = np.concatenate([c.ravel() for c in counts]) + network.prior
            parameters = np.concatenate([weights[row] / weights[row].sum() for row in rows_of_cells(network)])
    return parameters, log_likelihoods


def test_em_equals_a_second_one_on_1800_rows_of_a_general_network():
    rows, start = table_of_1800(), random_parameters(EIGHT, 3)
    state = em.run(EIGHT, unique(EIGHT, rows), np.log(start), EIGHT.prior, max_iterations=20, tolerance=0.0)
    parameters, log_likelihoods = numpy_em(rows, start, 20)
    assert state.log_likelihood == pytest.approx(log_likelihoods[-1], abs=1e-8)
    np.testing.assert_allclose(state.parameters, parameters, rtol=1e-8)


def test_a_row_without_a_value_says_nothing():
    network = GENERAL
    rows = with_gaps(random_data(network, 9, 6), 6)
    more = np.concatenate([rows, np.full((5, rows.shape[1]), -1)])
    theta = np.log(random_parameters(network, 6))
    few, many = unique(network, rows), unique(network, more)
    assert many.n == few.n + 5
    for run in (em.run, variational_em.run):
        options = {"prior": network.prior} if run is em.run else {}
        found = [run(network, data, theta, max_iterations=9, tolerance=0.0, **options) for data in (few, many)]
        np.testing.assert_allclose(found[1].counts, found[0].counts, rtol=1e-12)
    assert log_evidence(network, unique(network, more[4:])) == log_evidence(network, unique(network, rows[4:]))
    information = [ObservedInformation(network, data, theta).whole() for data in (few, many)]
    np.testing.assert_allclose(information[1], information[0], atol=1e-9)


@networks
def test_data_without_any_value_have_probability_1(network):
    nothing = unique(network, np.full((4, len(network.observed)), -1))
    theta = np.log(random_parameters(network, 7))
    assert predicted_completions(network, nothing) == 0
    assert log_evidence(network, nothing) == 0
    assert em.init(network, nothing, theta, network.prior).log_likelihood == pytest.approx(0, abs=1e-12)
    assert variational_em.run(network, nothing, theta, max_iterations=3, tolerance=0.0).bound == pytest.approx(
        0, abs=1e-12
    )


def test_a_column_without_any_value_is_a_hidden_variable():
    rows = random_data(GENERAL, 5, 8)
    rows[:, GENERAL.observed.index(3)] = -1
    also_hidden = DiscreteNetwork(GENERAL.names, GENERAL.cardinalities, GENERAL.parents, (1, 3), GENERAL.prior)
    theta, others = np.log(random_parameters(GENERAL, 8)), np.delete(rows, GENERAL.observed.index(3), axis=1)
    found = em.run(GENERAL, unique(GENERAL, rows), theta, GENERAL.prior, max_iterations=9, tolerance=0.0)
    other = em.run(also_hidden, unique(also_hidden, others), theta, GENERAL.prior, max_iterations=9, tolerance=0.0)
    np.testing.assert_allclose(found.counts, other.counts, rtol=1e-10)
    assert log_evidence(GENERAL, unique(GENERAL, rows)) == pytest.approx(
        log_evidence(also_hidden, unique(also_hidden, others)), abs=1e-10
    )


WIDE = build({f"x{i}": 2 for i in range(41)}, {f"x{i}": [f"x{i - 1}"] for i in range(1, 41)})


def test_a_row_that_can_be_filled_in_too_many_ways_is_refused_before_work():
    """A chain of 40 missing cells that ends in a value: 2 ** 40 fillings, which no estimator goes through."""
    rows = np.full((2, 41), -1)
    rows[:, 40] = [0, 1]
    rows[1, :39] = 0
    data, start = UniqueRows.of(rows, [2] * 41, missing=True), np.log(np.full(WIDE.n_entries, 0.5))
    for run in (
        lambda: em.init(WIDE, data, start, WIDE.prior),
        lambda: smc.score(WIDE, data, smc.Settings(), Stream(1)),
        lambda: laplace.score(WIDE, data, laplace.Settings(), Stream(1)),
    ):
        with pytest.raises(ModelError, match=r"up to 1,099,511,627,776 ways .* GB, 8 are allowed; .*missing cells"):
            run()
    with pytest.raises(ModelError, match=r"up to 1,099,511,627,776 ways to complete one: .* GB"):
        log_evidence(WIDE, data)


def test_more_fillings_than_floats_reach_are_refused():
    n = 1100
    network = build({f"x{i}": 2 for i in range(n)}, {f"x{i}": [f"x{i - 1}"] for i in range(1, n)})
    rows = np.full((1, n), -1)
    rows[0, -1] = 0
    data = UniqueRows.of(rows, [2] * n, missing=True)
    with pytest.raises(ModelError, match=r"inf GB"):
        em.init(network, data, np.log(np.full(network.n_entries, 0.5)), network.prior)


def test_the_prediction_of_memory_counts_fillings(monkeypatch):
    """A limit between what the E step of the table takes with and without its gaps."""
    rows = table_of_1800()
    complete, gaps = unique(EIGHT, rows[(rows >= 0).all(axis=1)]), unique(EIGHT, rows)
    start = np.log(random_parameters(EIGHT, 3))
    monkeypatch.setattr(memory, "MAX_BYTES", 4e5)
    em.init(EIGHT, complete, start, EIGHT.prior)
    with pytest.raises(ModelError, match=r"distinct rows, with up to \d+ ways to fill in one: "):
        em.init(EIGHT, gaps, start, EIGHT.prior)


def test_partitions_leave_rows_without_a_value_out():
    """One hidden root, few cases: the shorter sum, over set partitions."""
    network = naive_bayes([8], [2] * 20)["classes-8"]
    rows = with_gaps(np.random.default_rng(1).integers(0, 2, size=(10, 20)), 1)
    more = np.concatenate([rows, np.full((3, 20), -1)])
    found, padded = (UniqueRows.of(each, [2] * 20, missing=True) for each in (rows, more))
    assert predicted_completions(network, padded) == predicted_completions(network, found) == 3**10 * 8
    assert log_evidence(network, padded) == log_evidence(network, found)
