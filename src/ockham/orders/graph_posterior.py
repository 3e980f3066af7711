"""The posterior of the graph of a table of one's own, in the forms that people and other libraries read."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ockham.contracts import Doubt
from ockham.errors import DataError
from ockham.io.arguments import shown
from ockham.io.extras import naming_extras
from ockham.orders.arc_estimates import PRIOR_LABELS, ArcEstimates
from ockham.orders.estimates import arcs_of
from ockham.orders.graph_features import blankets, cpdag
from ockham.orders.sampled_graphs import Probabilities, SampledGraphs
from ockham.orders.space import PRIORS

if TYPE_CHECKING:
    import networkx
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["BestGraph", "Blanket", "Cpdag", "GraphPosterior"]

SHOWN_ROWS, SHOWN_ARCS = 20, 10
"""Of a table that a notebook shows, and of a graph in a line."""


class Blanket(NamedTuple):
    """A set of variables that makes one independent of all others, with its posterior probability."""

    members: tuple[str, ...]
    probability: float
    low: float
    high: float


class Cpdag(NamedTuple):
    """The graphs that fit any data as well as one graph: arcs that all have, and those that some have the other way."""

    directed: tuple[tuple[str, str], ...]
    undirected: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class BestGraph:
    """A graph that is probable.

    Attributes
    ----------
    names : tuple of str
    parents : ndarray of uint64, shape (n_nodes,)
        Mask of the parents of each node, bit u being node u.
    of_all : bool
        Whether no graph is more probable, found by dynamic programming; else it is the best that was found.
    log_score : float
        Sum of the scores of its families, nats.
    probability, low, high : float
        Its posterior probability, and the ends of the 95 % interval by the standard error of the log evidence, which
        are the same where that is exact; NaN where it is unknown. benchmarks/graphs.py measures how often they hold.
    """

    names: tuple[str, ...]
    parents: np.ndarray
    of_all: bool
    log_score: float
    probability: float
    low: float
    high: float

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Parents and children."""
        return tuple(self._pairs(arcs_of(self.parents) > 0))

    @property
    def cpdag(self) -> Cpdag:
        """The Markov equivalence class, whatever arcs are forbidden or required."""
        arcs = cpdag(self.parents)
        both = arcs & arcs.T
        return Cpdag(tuple(self._pairs(arcs & ~both)), tuple(self._pairs(np.triu(both))))

    def _pairs(self, arcs: np.ndarray) -> Iterator[tuple[str, str]]:
        return ((self.names[u], self.names[v]) for u, v in np.argwhere(arcs))

    def __str__(self) -> str:
        arcs = [f"{u} -> {v}" for u, v in self.arcs]
        more = [f"and {len(arcs) - SHOWN_ARCS} more"] if len(arcs) > SHOWN_ARCS else []
        return ", ".join(arcs[:SHOWN_ARCS] + more) or "no arcs"

    def in_words(self) -> str:
        """How it was found, and its probability."""
        found = "of all graphs" if self.of_all else "the best found"
        if isnan(self.probability):
            return f"{found}, posterior probability unknown"
        interval = "" if self.low == self.high else f" ({self.low:.3g} to {self.high:.3g})"
        return f"{found}, posterior probability {self.probability:.3g}{interval}"


@dataclass(frozen=True, eq=False, repr=False)
class GraphPosterior:
    """The posterior of the graph of a table of fully observed categorical data.

    Attributes
    ----------
    prior : {"graphs", "orders"}
        Uniform over graphs, or over pairs of an order and a graph that it extends.
    estimates : ArcEstimates
        Evidence and arcs, under the other prior too if that was asked for.
    adjacencies, paths, markov_blankets : Probabilities
        That there is an arc between two variables, either way; that a directed path leads from the row's variable to
        the column's; that the column's is in the Markov blanket of the row's. Adjacencies are exact where the arcs are.
        Paths of two arcs or more, and other parents of a variable's children, are always from ``graphs``.
    best : BestGraph
        The most probable graph, or the best found.
    graphs : SampledGraphs
        Graphs with weights, and what they were drawn from.
    """

    prior: str
    estimates: ArcEstimates
    adjacencies: Probabilities
    paths: Probabilities
    markov_blankets: Probabilities
    best: BestGraph
    graphs: SampledGraphs

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return self.estimates.names

    @property
    def exact(self) -> bool:
        """Whether evidence, arcs and adjacencies are sums over all graphs."""
        return bool(self._own("exact"))

    @property
    def arcs(self) -> Probabilities:
        """That there is an arc from the row's variable to the column's."""
        return Probabilities(self._own("arcs"), self._own("low"), self._own("high"))

    @property
    def log_evidence(self) -> float:
        """Nats; NaN where it is unknown."""
        return nan if self._own("doubt") else float(self._own("log_evidence"))

    @property
    def standard_error(self) -> float:
        """Of the log evidence, nats; 0 where that is exact, NaN where it is unknown."""
        if isnan(self.log_evidence):
            return nan
        return 0.0 if self.exact else float(self._own("standard_error"))

    @property
    def doubt(self) -> Doubt:
        """Why the arcs are unknown."""
        return Doubt(int(self._own("arcs_doubt")))

    @property
    def cpdag(self) -> Cpdag:
        """The Markov equivalence class of the best graph."""
        return self.best.cpdag

    @property
    @naming_extras()
    def table(self) -> "pd.DataFrame":
        """A row for each pair of a parent and a child, from the most probable arc on."""
        import pandas as pd

        n = len(self.names)
        u, v = np.nonzero(~np.eye(n, dtype=bool))
        columns: dict[str, Any] = {"parent": np.array(self.names)[u], "child": np.array(self.names)[v]}
        for name, of in self._pairwise():
            columns |= {name: of.probability[u, v], f"{name}_low": of.low[u, v], f"{name}_high": of.high[u, v]}
        columns["in_best_graph"] = arcs_of(self.best.parents)[u, v] > 0
        found = pd.DataFrame(columns)
        return found.sort_values("arc", ascending=False, kind="stable", ignore_index=True)

    def most_probable_blanket(self, name: str) -> Blanket:
        """The most probable Markov blanket of a variable, by ``graphs``; its probability is NaN where it is unknown.

        It is chosen by the same graphs that its probability is from.

        Raises
        ------
        DataError
            For a name that is none of the variables.
        """
        if name not in self.names:
            raise DataError(f"name: there is no variable {shown(name)}; there are {', '.join(self.names)}")
        if self.graphs.doubt:
            return Blanket((), nan, nan, nan)
        masks = blankets(self.graphs.parents)[..., self.names.index(name)]
        best, found = self.graphs.most_frequent(masks)
        members = tuple(other for v, other in enumerate(self.names) if best >> v & 1)
        return Blanket(members, *map(float, found))

    @naming_extras()
    def to_networkx(self, least: float | None = None) -> "networkx.DiGraph":
        """The best graph, or all arcs at least so probable; arcs have ``probability``, ``low`` and ``high``.

        Raises
        ------
        ConfigError
            Without networkx.
        """
        import networkx as nx

        graph, arcs = nx.DiGraph(prior=self.prior), self.arcs
        graph.add_nodes_from(self.names)
        chosen = arcs_of(self.best.parents) > 0 if least is None else arcs.probability >= least
        for u, v in np.argwhere(chosen & ~np.eye(len(self.names), dtype=bool)):
            values = {name: float(of[u, v]) for name, of in arcs._asdict().items()}
            graph.add_edge(self.names[u], self.names[v], **values)
        return graph

    @naming_extras()
    def to_xarray(self) -> "xr.Dataset":
        """Everything about pairs of variables, the best graph, and the graphs with their weights."""
        import xarray as xr

        pair, ends = ("parent", "child"), list(self.names)
        values: dict[str, Any] = {}
        for name, of in self._pairwise():
            values |= {name: (pair, of.probability), f"{name}_low": (pair, of.low), f"{name}_high": (pair, of.high)}
        values |= {
            "best_graph": (pair, arcs_of(self.best.parents) > 0),
            "graph_parents": (("sample", "graph", "child"), self.graphs.parents),
            "log_weight": (("sample",), self.graphs.log_weights),
            "log_evidence": ((), self.log_evidence, {"units": "nats"}),
            "standard_error": ((), self.standard_error, {"units": "nats"}),
            "best_probability": ((), self.best.probability),
        }
        about: dict[str, str | float] = {"prior": self.prior, "exact": int(self.exact)}
        about |= self.estimates.about
        about |= {"graphs_from": self.graphs.source, "best_of_all": int(self.best.of_all)}
        return xr.Dataset(values, {"parent": ends, "child": ends}, about)

    @naming_extras()
    def plot(self, least: float = 0.1) -> "Figure":
        """The arcs at least so probable, as wide as they are and black in the best graph; that alone, dashed, where
        arcs are unknown.

        Raises
        ------
        ConfigError
            Without networkx or Matplotlib.
        """
        from ockham.orders.plots import figure_graph

        best = self.to_networkx()
        how = "exact" if self.exact else "unknown; the best graph found" if self.doubt else "from samples"
        title = f"Arcs, prior {PRIOR_LABELS[self.prior]}: {how}"
        return figure_graph(best, best if self.doubt else self.to_networkx(least), title)

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        lines = "<br>".join(map(escape, self._lines()))
        rows = self.table.head(SHOWN_ROWS).to_html(index=False, float_format="{:.3f}".format, na_rep="?")
        return f"<p>{lines}</p>{rows}"

    def _lines(self) -> list[str]:
        arcs = "exact" if self.exact else "from samples"
        if self.doubt:
            arcs = f"unknown: {'; '.join(self.doubt.reasons)}"
        drawn = f"{self.graphs.parents.shape[0]} samples of the {self.graphs.source}"
        return [
            f"Graph posterior of {len(self.names)} variables, prior {PRIOR_LABELS[self.prior]}",
            f"log evidence: {self.estimates.evidence_in_words(self.prior)}",
            f"arcs and adjacencies: {arcs}",
            f"paths and Markov blankets: {'unknown, ' if self.graphs.doubt else ''}by {drawn}",
            f"most probable graph, {self.best.in_words()}: {self.best}",
        ]

    def _pairwise(self) -> tuple[tuple[str, Probabilities], ...]:
        return (
            ("arc", self.arcs), ("adjacent", self.adjacencies), ("path", self.paths),
            ("in_blanket", self.markov_blankets),
        )  # fmt: skip

    def _own(self, name: str) -> Any:
        """What the estimates have under this prior."""
        return getattr(self.estimates, name)[PRIORS.index(self.prior)]
