"""Expected counts of any family are sums over completions, and their score bounds the evidence of every graph.

Sources of truth: the completions of every row, one by one, and sums over all completions of the data.
"""

from math import lgamma

import numpy as np
import pytest
from reference import enumeration
from reference.searches import every_graph
from scipy.special import xlogy

import ockham
from ockham.errors import ModelError
from ockham.networks.classes.priors import Prior, distinct_rows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import em
from ockham.networks.inference.fit_scores import cheeseman_stutz
from ockham.networks.searches.expected_counts import CompletedRows, check_completed, n_completed
from ockham.networks.searches.fits import Fitter
from ockham.networks.searches.graphs import Graph
from ockham.streams import Stream

ONE = Prior(1.0)


def fitter_of(table, prior=ONE, score="cheeseman_stutz"):
    return Fitter(table, prior, score, Stream(5))


def completed_one_by_one(network, log_parameters, states):
    """(joint state, weight) of every completion of every row with a value, in the order of columns, then hidden."""
    order = [*network.observed, *network.hidden]
    found = []
    for row in states.tolist():
        if all(state == -1 for state in row):
            continue
        ways = []
        for joint in np.ndindex(*(network.cardinalities[i] for i in order)):
            if all(given in (-1, state) for given, state in zip(row, joint, strict=False)):
                state = dict(zip(order, joint, strict=True))
                entry = [
                    network.offsets[i] + int(network.strides[i] @ [state[v] for v in range(network.n_variables)])
                    for i in range(network.n_variables)
                ]
                ways.append((joint, float(np.exp(log_parameters[entry].sum()))))
        total = sum(weight for _, weight in ways)
        found += [(joint, weight / total) for joint, weight in ways]
    return found


@pytest.fixture
def hidden_parent():
    return Graph.without_arcs((2, 3, 2)).with_hidden(2, frozenset([0, 1, 2]), 3)


def test_counts_of_any_family_are_sums_over_completions(tiny, hidden_parent):
    fitter = fitter_of(tiny)
    network = fitter.network(hidden_parent)
    log_parameters = sample_log(network, np.random.default_rng(2))
    completed = CompletedRows.of(network, fitter.data, log_parameters)
    truth = completed_one_by_one(network, log_parameters, tiny.states)
    for variable, parents in ((0, [3]), (1, [0, 2]), (3, [0, 1]), (2, []), (2, [1, 3])):
        sizes = [hidden_parent.cardinalities[v] for v in (*parents, variable)]
        wanted = np.zeros(sizes)
        for joint, weight in truth:
            wanted[tuple(joint[v] for v in (*parents, variable))] += weight
        np.testing.assert_allclose(completed.counts(variable, parents), wanted.reshape(-1, sizes[-1]), rtol=1e-12)
    assert np.isclose(completed.weights.sum(), 11)


@pytest.mark.parametrize("prior", [ONE, Prior(6.0, True)])
def test_the_score_of_a_family_is_its_evidence_at_these_counts(tiny, hidden_parent, prior):
    fitter = fitter_of(tiny)
    network = fitter.network(hidden_parent)
    completed = CompletedRows.of(network, fitter.data, sample_log(network, np.random.default_rng(2)))
    parents = frozenset([0, 3])
    counts = completed.counts(1, sorted(parents))
    a = prior.hyperparameter / counts.size if prior.is_divided else prior.hyperparameter
    wanted = sum(
        lgamma(3 * a) - lgamma(3 * a + sum(row)) + sum(lgamma(a + n) - lgamma(a) for n in row)
        for row in counts.tolist()
    )
    assert np.isclose(completed.score(1, parents, prior), wanted, rtol=1e-12)


def entropy(completed, data):
    """Of all completions together, nats: each row's is that of its own, as often as it occurs."""
    n_ways = len(completed.weights) // len(data.rows)
    weights = completed.weights.reshape(len(data.rows), n_ways)
    return -float(xlogy(weights, weights / data.counts[:, None]).sum())


def bound(graph, completed, data, prior=ONE):
    return sum(completed.score(v, of, prior) for v, of in enumerate(graph.parents)) + entropy(completed, data)


@pytest.fixture(scope="module")
def few():
    states = np.random.default_rng(8).integers(0, [2, 3, 2], size=(6, 3)).astype(np.int64)
    return ockham.CategoricalTable(("a", "b", "c"), (("0", "1"), ("0", "1", "2"), ("0", "1")), states)


def test_scores_and_entropy_bound_the_evidence_of_every_graph(few, hidden_parent):
    """Under any parameters, so for all neighbours of a fit at once; a mutant with the entropy twice is above it."""
    fitter, broken = fitter_of(few), 0
    network = fitter.network(hidden_parent)
    for seed in range(3):
        completed = CompletedRows.of(network, fitter.data, sample_log(network, np.random.default_rng(seed)))
        for parents in every_graph(4)[::60]:
            graph = Graph(hidden_parent.cardinalities, parents, 3)
            of_graph = fitter.network(graph)
            if graph.idle_hidden:
                continue
            truth = enumeration.log_evidence(of_graph, few.states)
            assert bound(graph, completed, fitter.data) <= truth + 1e-9
            broken += bound(graph, completed, fitter.data) + entropy(completed, fitter.data) > truth
    assert broken > 0


def test_of_the_graph_itself_it_is_cheeseman_stutz(few, hidden_parent):
    fitter = fitter_of(few)
    fitted = fitter.anew(hidden_parent)
    assert np.isclose(bound(hidden_parent, fitted.completed(), fitter.data), fitted.score, atol=1e-9)
    network = fitted.network
    mode = em.run(network, fitter.data, fitted.log_weights, network.prior, max_iterations=0, tolerance=0.0)
    assert np.isclose(cheeseman_stutz(network, mode), fitted.score)


def test_too_many_completions_are_refused_before_they_are_made(tiny):
    data = distinct_rows(tiny)
    assert sorted(n_completed((2, 3, 2), data).tolist())[-3:] == [2, 6, 12]
    check_completed((2, 3, 2), 10, data)
    with pytest.raises(ModelError, match=r"completed rows, with up to 12 ways to fill in one.* take fewer"):
        check_completed((2, 3, 2), 10**8, data)
