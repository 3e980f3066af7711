"""How stored results on networks are made again: of ``select`` on categories alone, ``compare`` and ``search``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import xarray as xr

from ockham.errors import ConfigError, StoreError
from ockham.estimation.model_posterior import bayes_factors, model_posterior
from ockham.io.arguments import whole
from ockham.io.frames import CategoricalTable
from ockham.networks.classes.fits import ESTIMATES
from ockham.networks.classes.priors import Prior
from ockham.networks.classes.selecting import select_categorical
from ockham.networks.classes.selection import CategoricalSelection
from ockham.networks.comparisons.comparing import compared, networks_given
from ockham.networks.comparisons.comparison import Comparison
from ockham.networks.comparisons.given_models import named_models, structure_given
from ockham.networks.comparisons.storing import BY_MODEL, of_factors
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.searches.climbing import Limits
from ockham.networks.searches.fits import SCORES, Fitter
from ockham.networks.searches.graphs import Graph
from ockham.networks.searches.searching import MOST, networks_of, searched
from ockham.networks.searches.starts import given_graphs
from ockham.networks.searches.structure_search import StructureSearch
from ockham.streams import Stream
from ockham.table_results.limits import LONGEST
from ockham.table_results.results import TableResult
from ockham.table_results.selecting import Demand, Judge
from ockham.table_results.stored_evidences import of_evidences
from ockham.table_results.verifying import Again, Kind, Stored, StoredSelection, of_selection, silent

__all__ = ["KINDS"]


class _Selection(StoredSelection):
    """Of ``ockham.select`` on categories alone."""

    def select(self, table: Any, demand: Demand, judge: Judge) -> CategoricalSelection:
        if not isinstance(table, CategoricalTable):
            raise StoreError("is of categories alone, but a column is read as something else; say what with --items")
        return select_categorical(table, demand, self.priors, judge)


@dataclass(frozen=True, eq=False)
class _Comparison(Stored):
    """Of ``ockham.compare``."""

    stream: ClassVar[tuple[str, ...]] = ("compare",)
    takes_prior: ClassVar[bool] = True

    def derived(self, again: Again) -> xr.Dataset:
        found = {str(name): again.certified(name, self.error) for name in self.runs}
        stream = Stream(self.root, *self.stream, "posterior")
        factors = of_factors(bayes_factors(found, next(iter(found)), stream))
        posterior = model_posterior(found, stream)
        return xr.Dataset(of_evidences(BY_MODEL, [list(found.values())], [posterior], "p(model | data)") | factors)

    def again(self, again: Again, table: CategoricalTable, models: Sequence[Path], prior: str) -> TableResult:
        named = named_models(models, "--model", 2, "name every file that was compared")
        structures = {name: structure_given(name, model) for name, model in named.items()}
        if lacking := [name for name in self.runs if name not in structures]:
            raise StoreError(f"has a model {lacking[0]!r}; give its file as well, with --model")
        return self.as_it_was(self.compared(again, networks_given(structures, table, Prior.of(prior)), table))

    def compared(self, again: Again, networks: Mapping[str, DiscreteNetwork], table: CategoricalTable) -> Comparison:
        """These networks, by the runs of their names."""
        certify, stream = again.certify(list(networks)), Stream(self.root, *self.stream)
        return compared(networks, table, self.error, LONGEST, stream, silent, certify)


@dataclass(frozen=True, eq=False)
class _Search(_Comparison):
    """Of ``ockham.search``; graphs and scores by name, as they were before evidences put them in order."""

    prior: Prior
    climbed: str
    limits: Limits
    n_graphs: int
    n_climbs: int
    n_starts: int
    n_judged: int
    graphs: Mapping[str, Graph]
    scores: Mapping[str, float]
    stream: ClassVar[tuple[str, ...]] = ("search", "evidence")
    takes_prior: ClassVar[bool] = False

    def again(self, again: Again, table: CategoricalTable, models: Sequence[Path], prior: str) -> TableResult:
        fitter = Fitter(table, self.prior, self.climbed, Stream(self.root, "search"))
        graphs, scores, n_graphs = list(self.graphs.values()), list(self.scores.values()), self.n_graphs
        sizes = graphs[0].cardinalities[: graphs[0].n_observed]
        if sizes != tuple(table.cardinalities):
            raise StoreError(f"is of columns of {sizes} states, the table of {table.cardinalities}; read it as then")
        if self.n_climbs < self.n_starts:
            again.remarks.append("; its climbs had not ended, so the search is not done again")
        elif again.n_runs:
            named = named_models(models, "--model", 0, "name the files that it started from")
            given = given_graphs(named, table, self.limits, self.prior)
            found = searched(fitter, self.limits, given, self.n_starts - len(given), LONGEST, silent)
            best = found.best(self.n_judged)
            graphs, scores, n_graphs = [e.graph for e in best], [e.score for e in best], len(found.classes)
        networks = networks_of(graphs, fitter)
        judged = self.as_it_was(self.compared(again, networks, table))
        return StructureSearch(
            data=fitter.data, labels=judged.labels, notes=judged.notes, error=self.error, seed=self.root,
            seconds=self.seconds, interrupted=self.interrupted, judged=judged, score=self.climbed,
            scores=dict(zip(networks, scores, strict=True)), prior=self.prior, limits=self.limits, n_graphs=n_graphs,
            n_climbs=self.n_climbs, n_starts=self.n_starts, n_judged=self.n_judged,
        )  # fmt: skip


def _read_selection(content: xr.Dataset, common: Mapping[str, Any]) -> Stored:
    priors = [Prior.named(name) for name in content["prior"].values.tolist()]
    return _Selection(**common, **of_selection(content, ESTIMATES), priors=priors)


def _read_comparison(content: xr.Dataset, common: Mapping[str, Any]) -> Stored:
    return _Comparison(**common)


def _read_search(content: xr.Dataset, common: Mapping[str, Any]) -> Stored:
    about, names = content.attrs, content["model"].values.tolist()
    most = {name: MOST.get(name, MOST["climbs"]) for name in (*Limits._fields, "n_graphs", "n_climbs", "n_starts")}
    counts: dict[str, Any] = {name: whole(about[name], name, 0, limit, ConfigError) for name, limit in most.items()}
    limits = Limits(*(counts.pop(name) for name in Limits._fields))
    if about["climbed"] not in SCORES:
        raise ValueError(f"climbed is {about['climbed']!r}")
    hidden, arcs, sizes = (content[name].values for name in ("hidden", "arc", "cardinality"))
    if sizes[:, hidden > 0].max(initial=0) > limits.max_values or arcs.sum(axis=1).max() > limits.max_indegree:
        raise ValueError("a graph is beyond the limits of its search")
    graphs = {}
    for name, arc, size in zip(names, arcs, sizes, strict=True):
        there = np.flatnonzero(size)
        parents = tuple(frozenset(np.flatnonzero(arc[there, i]).tolist()) for i in there)
        graphs[name] = Graph(tuple(size[there].tolist()), parents, int((hidden[there] == 0).sum()))
    order = sorted(names, key=lambda name: int(name.removeprefix("graph ")))
    scores = dict(zip(names, content["score"].values.tolist(), strict=True))
    return _Search(
        **common, **counts,
        n_judged=whole(about["n_judged"], "n_judged", 1, MOST["judged"], ConfigError),
        prior=Prior.named(about["prior"]),
        climbed=str(about["climbed"]),
        limits=limits,
        graphs={name: graphs[name] for name in order},
        scores={name: scores[name] for name in order},
    )  # fmt: skip


KINDS = {
    "map_profile": Kind("discrete_network", _read_selection),
    "arc": Kind("discrete_network", _read_search),
    "log_bayes_factor": Kind("discrete_network", _read_comparison),
}
"""By a variable that is in none of those that follow."""
