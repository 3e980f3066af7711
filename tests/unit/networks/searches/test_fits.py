"""A graph's score is that of its network, and a fit from expected counts is at least as good as these promise.

Sources of truth: the scorers of networks, the closed form of complete data, and the bound at the counts.
"""

import numpy as np
import pytest
from reference import enumeration
from reference.searches import every_graph
from scipy.special import xlogy

import ockham
from ockham.networks.classes.priors import Prior, distinct_rows
from ockham.networks.searches.fits import SCORES, Fitter, StoppedError, hidden_names
from ockham.networks.searches.graphs import Graph
from ockham.streams import Stream


def fitter_of(table, score, prior=1.0):
    return Fitter(table, Prior.of(prior), score, Stream(1))


@pytest.mark.parametrize("prior", [1.0, "bdeu:4"])
@pytest.mark.parametrize("score", SCORES)
def test_without_hidden_variables_the_score_is_the_exact_evidence(score, prior, of_chain):
    graph = Graph.without_arcs(of_chain.cardinalities).with_parents({1: frozenset([0]), 3: frozenset([1, 2])})
    fitted = fitter_of(of_chain, score, prior).anew(graph)
    counts = [
        np.bincount(
            np.ravel_multi_index(
                [of_chain.states[:, v] for v in (*fitted.network.parents[i], i)],
                [2] * (len(fitted.network.parents[i]) + 1),
            ),
            minlength=2 ** (len(fitted.network.parents[i]) + 1),
        )
        for i in range(6)
    ]
    assert np.isclose(fitted.score, enumeration.complete_log_evidence(fitted.network, np.concatenate(counts)))


@pytest.mark.filterwarnings("ignore:bicp?. unknown")  # below Cheeseman-Stutz
@pytest.mark.parametrize("score", SCORES)
def test_the_score_is_that_of_the_scorers(score, of_class, limits):
    graph = Graph.without_arcs(of_class.cardinalities).with_hidden(2, frozenset(range(6)), 3)
    fitted = fitter_of(of_class, score).anew(graph)
    data = distinct_rows(of_class)
    name = {"cheeseman_stutz": "em", "variational_bayes": "vb"}[score]
    rows = np.repeat(data.rows, data.counts, axis=0)
    best = ockham.score(fitted.network, rows, name, runs=5)[score].log_evidence
    assert np.isclose(fitted.score, best, atol=0.05)


def test_variational_em_from_counts_keeps_the_bound_at_them(of_class):
    """For every graph that one arc more leads to; Cheeseman-Stutz after MAP EM may fall below it, by little."""
    fitter = fitter_of(of_class, "variational_bayes")
    graph = Graph.without_arcs(of_class.cardinalities).with_hidden(2, frozenset(range(6)), 3)
    fitted = fitter.anew(graph)
    completed = fitted.completed()
    weights = completed.weights.reshape(len(fitter.data.rows), -1)
    entropy = -xlogy(weights, weights / fitter.data.counts[:, None]).sum()
    for changed in list(graph.arc_changes(2))[::5]:
        other = graph.with_parents(changed)
        if other.idle_hidden:
            continue
        bound = sum(completed.score(v, of, fitter.prior) for v, of in enumerate(other.parents)) + entropy
        assert fitter.from_counts(other, completed).score >= bound - 1e-6


def test_families_go_to_their_places_whatever_the_order_of_their_parents(of_class):
    """Of the same graph the fit from its own counts is where it was."""
    fitter = fitter_of(of_class, "variational_bayes")
    for parents in every_graph(3)[::4]:
        graph = Graph.without_arcs(of_class.cardinalities).with_parents(dict(enumerate(parents)))
        graph = graph.with_hidden(3, frozenset([3, 4, 5]), 3).with_parents({7: frozenset([0, 1])})
        fitted = fitter.anew(graph)
        assert np.isclose(fitter.from_counts(graph, fitted.completed()).score, fitted.score, atol=1e-2)


def test_a_graph_is_fitted_once(of_class, monkeypatch):
    fitter = fitter_of(of_class, "cheeseman_stutz")
    graph = Graph.without_arcs(of_class.cardinalities)
    assert fitter.anew(graph) is fitter.anew(Graph(graph.cardinalities, graph.parents, graph.n_observed))


def test_fits_are_refused_once_nobody_waits_for_them(of_class):
    fitter = fitter_of(of_class, "cheeseman_stutz")
    graph = Graph.without_arcs(of_class.cardinalities)
    fitted = fitter.anew(graph)
    fitter.stopped.set()
    for fit in (
        lambda: fitter.anew(graph.with_cardinality(0, 3)),
        lambda: fitter.from_counts(graph, fitted.completed()),
    ):
        with pytest.raises(StoppedError):
            fit()


def test_hidden_variables_have_names_that_no_column_has():
    labels = (("0", "1"),) * 2
    table = ockham.CategoricalTable(("hidden1", "hidden2_"), labels, np.eye(2, dtype=np.int64))
    assert hidden_names(table, 1) == ["hidden1_"]
    assert hidden_names(table, 2) == ["hidden1__", "hidden2__"]
