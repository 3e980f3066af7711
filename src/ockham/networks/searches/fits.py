"""Graphs as networks on a table, fitted and scored: from random starts, or from expected counts of another graph."""

from dataclasses import dataclass
from threading import Event

import numpy as np

from ockham.estimation.convergence import Convergence
from ockham.io.frames import CategoricalTable
from ockham.networks.classes.priors import Prior, distinct_rows
from ockham.networks.comparisons.structures import Structure, network_on
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em, variational_em
from ockham.networks.inference.em import Search
from ockham.networks.inference.expected_logs import expected_logs
from ockham.networks.inference.fit_scores import cheeseman_stutz
from ockham.networks.searches.expected_counts import CompletedRows
from ockham.networks.searches.graphs import Graph
from ockham.streams import Stream

__all__ = ["SCORES", "Fitted", "Fitter", "StoppedError", "hidden_names", "network_of"]

SCORES = {"cheeseman_stutz": "Cheeseman-Stutz", "variational_bayes": "Variational Bayes"}
"""Lower bounds of the evidence that graphs are searched by, and what they are called."""
SETTINGS = Search(n_starts=4, tolerance=1e-4, max_iterations=2000)
"""Of all fits: less precise than those of scorers, for there are thousands."""


def hidden_names(table: CategoricalTable, n_hidden: int) -> list[str]:
    """Names of hidden variables, none of which is a column."""
    tail = ""
    while any(f"hidden{k}{tail}" in table.names for k in range(1, n_hidden + 1)):
        tail += "_"
    return [f"hidden{k}{tail}" for k in range(1, n_hidden + 1)]


def network_of(graph: Graph, table: CategoricalTable, prior: Prior) -> DiscreteNetwork:
    """The network of a graph on a table."""
    hidden = hidden_names(table, len(graph.hidden))
    names = [*table.names, *hidden]
    parents = {name: tuple(names[p] for p in of) for name, of in zip(names, graph.parents, strict=True)}
    cardinalities = {name: graph.cardinalities[v] for v, name in zip(graph.hidden, hidden, strict=True)}
    return network_on(Structure(parents, cardinalities), table, prior)


class StoppedError(Exception):
    """Raised in place of a fit that nobody waits for any more."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A graph and its fit.

    Attributes
    ----------
    graph : Graph
    network : DiscreteNetwork
        Hidden variables first, then the columns in their order.
    score : float
        Lower bound of the log evidence, nats.
    log_weights : ndarray, shape (n_entries,)
        Of a completed row, as ``CompletedRows.of`` takes them.
    fitter : Fitter
        That made it.
    """

    graph: Graph
    network: DiscreteNetwork
    score: float
    log_weights: np.ndarray
    fitter: "Fitter"

    def completed(self) -> CompletedRows:
        """The rows completed under the fit."""
        return CompletedRows.of(self.network, self.fitter.data, self.log_weights)


class Fitter:
    """What fits on one table have in common.

    Parameters
    ----------
    table : CategoricalTable
    prior : Prior
    score : {"cheeseman_stutz", "variational_bayes"}
    stream : Stream
        Of random starts, which are the same for a graph whenever it is fitted.

    Attributes
    ----------
    stopped : threading.Event
        Once it is set, fits are refused with a ``StoppedError``: threads that fit then end by themselves.
    """

    def __init__(self, table: CategoricalTable, prior: Prior, score: str, stream: Stream) -> None:
        self.table, self.prior, self.score, self.stream = table, prior, score, stream
        self.data, self.stopped = distinct_rows(table), Event()
        self._anew: dict[Graph, Fitted] = {}

    def network(self, graph: Graph) -> DiscreteNetwork:
        """The network of a graph that is to be fitted."""
        if self.stopped.is_set():
            raise StoppedError
        return network_of(graph, self.table, self.prior)

    def anew(self, graph: Graph) -> Fitted:
        """A graph fitted from random starts.

        Raises
        ------
        ModelError
            When the graph is too large to be fitted.
        """
        if graph not in self._anew:
            network = self.network(graph)
            mode = em.search(network, self.data, self.stream.child("fit", network.digest), SETTINGS)
            if self.score == "variational_bayes":
                self._anew[graph] = self._by_variational_em(graph, network, mode.log_parameters)
            else:
                self._anew[graph] = self._by_em(graph, network, mode)
        return self._anew[graph]

    def from_counts(self, graph: Graph, completed: CompletedRows) -> Fitted:
        """A graph over the variables of completed rows, fitted from their counts.

        The bound of variational EM is then at least the log evidence at these counts plus the entropy of the
        completions, for any graph: no step of it lowers the bound.
        """
        network = self.network(graph)
        place = [*graph.hidden, *range(graph.n_observed)]
        families = [(place[i], [place[p] for p in of]) for i, of in enumerate(network.parents)]
        posterior = network.prior + np.concatenate([completed.counts(*family).ravel() for family in families])
        if self.score == "variational_bayes":
            return self._by_variational_em(graph, network, expected_logs(network, posterior))
        totals = np.bincount(network.rows, posterior)[network.rows]
        start = np.log(posterior / totals)
        mode = em.run(network, self.data, start, network.prior, **SETTINGS.limits(self.data.n))
        return self._by_em(graph, network, mode)

    def _by_em(self, graph: Graph, network: DiscreteNetwork, mode: em.State) -> Fitted:
        return Fitted(graph, network, cheeseman_stutz(network, mode), mode.log_parameters, self)

    def _by_variational_em(self, graph: Graph, network: DiscreteNetwork, start: np.ndarray) -> Fitted:
        fit = variational_em.run(network, self.data, start, **Convergence.limits(SETTINGS, self.data.n))
        return Fitted(graph, network, fit.bound, expected_logs(network, fit.posterior), self)
