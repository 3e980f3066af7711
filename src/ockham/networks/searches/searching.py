"""A search over structures with hidden variables of a table, whose best graphs are judged by their evidence."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import log
from time import monotonic
from typing import Any, NamedTuple

from ockham.errors import ConfigError, ModelError, OckhamWarning
from ockham.estimation.interrupting import Job, work
from ockham.io.arguments import flag, shown, text, whole
from ockham.io.blas import one_blas_thread
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, read_table
from ockham.io.progress import progress_bar
from ockham.networks.classes.priors import Prior
from ockham.networks.comparisons.comparing import compared, warn_of_unknown
from ockham.networks.comparisons.given_models import named_models
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.searches.climbing import Limits, climb, settle
from ockham.networks.searches.expected_counts import check_completed, n_completed
from ockham.networks.searches.fits import SCORES, Fitted, Fitter, StoppedError, network_of
from ockham.networks.searches.graphs import Graph
from ockham.networks.searches.starts import given_graphs, simplest_graphs
from ockham.networks.searches.structure_search import StructureSearch
from ockham.streams import Stream
from ockham.table_results.evidences import n_cores
from ockham.table_results.limits import error_of, seconds_of, seed_of
from ockham.table_results.selecting import SECONDS

__all__ = ["MOST", "Searching", "networks_of", "search", "searched"]

MOST = {"max_indegree": 8, "max_hidden": 4, "max_values": 10, "climbs": 10_000, "judged": 50}
"""Largest values of arguments."""
MOST_COLUMNS = 64
SHARE = 0.5
"""Of the time, for the search at the most; the rest is for evidences."""
GRACE = 1.0
"""Seconds that a climb has to end by itself, before its thread is left."""
SECONDS_PER_COUNT = 1e-8
"""Of a completed row, for the score of a family, measured by benchmarks/structure_search.py."""


def search(
    table: Any,
    *,
    weights: Any = None,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    header: bool = True,
    starts: Any = None,
    max_hidden: int = 2,
    max_values: int = 4,
    max_indegree: int = 3,
    score: str = "cheeseman_stutz",
    climbs: int = 20,
    judged: int = 5,
    error: float = 0.1,
    seconds: float = SECONDS,
    prior: float | str = 1.0,
    seed: int = 0,
    progress: bool = True,
) -> StructureSearch:
    """Networks on a table that a search over graphs with hidden variables finds, judged by their evidence.

    Parameters
    ----------
    table : path, data frame, array_like or CategoricalTable
        As ``ockham.read_table`` takes it, which says what ``weights``, ``missing``, ``drop`` and ``header`` are.
        Missing cells are summed out.
    starts : mapping of str to model, or sequence of models, optional
        As ``ockham.compare`` takes them: graphs to start from, before the others. Their priors do not count.
    max_hidden, max_values, max_indegree : int
        Hidden variables, values of each, and parents of a variable at the most; 4, 10 and 8 are the largest. Without
        hidden variables it is hill climbing.
    score : {"cheeseman_stutz", "variational_bayes"}
        Lower bound of the evidence that the search climbs.
    climbs : int
        How often it starts anew: from no arcs, from naive Bayes, then from random graphs.
    judged : int
        How many graphs have their evidence computed: those with the highest scores, no two of them equivalent; and the
        best without hidden variables, if it is not among them.
    error : float
        Standard error of every log evidence to reach, in nats.
    seconds : float
        Wall time after which it ends with what is known, half of it for the search at the most; so does Ctrl-C.
    prior : float or str
        A hyperparameter of Dirichlet distributions, or ``bdeu:10`` for an equivalent sample size that is divided over
        each table.
    seed : int
        Root of the random streams; the same climbs and runs give the same bits, though how many there are depends on
        the machine.
    progress : bool
        Whether to show on a terminal how far it is.

    Returns
    -------
    StructureSearch

    Warns
    -----
    OckhamWarning
        When an evidence stays unknown; and for each warning that the table has.

    Raises
    ------
    DataError
        For what is no table of categorical items.
    ModelError
        For a table that is too large for a search, or a start that does not fit it.
    ConfigError
        For another argument that cannot be.

    Notes
    -----
    Structural EM ([Friedman1997], [Friedman1998]): expected counts under the fit of a graph score its neighbours. New
    hidden variables are parents of clusters ([ElidanEtAl2000]).
    """
    sizes = {"max_indegree": max_indegree, "max_hidden": max_hidden, "max_values": max_values}
    least = {"max_values": 2, "climbs": 1, "judged": 1}
    numbers = {
        name: whole(value, name, least.get(name, 0), MOST[name], ConfigError)
        for name, value in {**sizes, "climbs": climbs, "judged": judged}.items()
    }
    limits = Limits(*(numbers[name] for name in sizes))
    if text(score, "score", ConfigError) not in SCORES:
        raise ConfigError(f"score: {shown(score)} must be {' or '.join(SCORES)}")
    error = error_of(error)
    seconds = seconds_of(seconds)
    of_tables, root = Prior.of(prior), seed_of(seed)
    is_shown = flag(progress, "progress", ConfigError)
    given = named_models(starts, "starts", 1, "leave it out to start from others") if starts is not None else {}
    read = read_table(table, missing=missing, drop=drop, weights=weights, header=header)
    stream = Stream(root, "search")
    fitter = Fitter(read, of_tables, score, stream)
    _check_size(fitter, SHARE * seconds)
    graphs = given_graphs(given, read, limits, of_tables)
    if not isinstance(table, CategoricalTable):
        for warning in read.warnings:
            warnings.warn(warning, OckhamWarning, stacklevel=2)
    begun = monotonic()
    with one_blas_thread(), progress_bar(seconds, shown=is_shown) as tell:
        found = searched(fitter, limits, graphs, numbers["climbs"], SHARE * seconds, tell)
        chosen = found.best(numbers["judged"])
        networks = networks_of([each.graph for each in chosen], fitter)
        spent = monotonic() - begun
        left = 0.0 if found.interrupted else seconds - spent
        comparison = compared(
            networks, read, error, left, stream.child("evidence"), lambda elapsed, words: tell(spent + elapsed, words)
        )
    interrupted = found.interrupted or comparison.interrupted
    result = StructureSearch(
        data=fitter.data,
        labels=comparison.labels,
        notes=comparison.notes,
        error=error,
        seed=root,
        seconds=monotonic() - begun,
        interrupted=interrupted,
        judged=replace(comparison, interrupted=interrupted),
        score=score,
        scores={name: each.score for name, each in zip(networks, chosen, strict=True)},
        prior=of_tables,
        limits=limits,
        n_graphs=len(found.classes),
        n_climbs=found.n_ended,
        n_starts=len(graphs) + numbers["climbs"],
        n_judged=numbers["judged"],
    )
    warn_of_unknown(comparison, stacklevel=2)
    return result


def searched(
    fitter: Fitter,
    limits: Limits,
    given: Sequence[Graph],
    climbs: int,
    seconds: float,
    tell: Callable[[float, str], None],
) -> "Searching":
    """Climbs from the given graphs, and so many from others, as far as they come in this time."""
    others = islice(simplest_graphs(fitter.table.cardinalities, limits, fitter.stream), climbs)
    found = Searching(fitter, limits)
    found.run(chain(((graph, graph) for graph in given), others), seconds, tell)
    return found


def networks_of(graphs: Sequence[Graph], fitter: Fitter) -> dict[str, DiscreteNetwork]:
    """The networks of the best graphs, by the names that results have."""
    return {f"graph {k}": network_of(graph, fitter.table, fitter.prior) for k, graph in enumerate(graphs, start=1)}


def _check_size(fitter: Fitter, seconds: float) -> None:
    """Raise a ModelError when the table is too large for a first look at all arcs."""
    cardinalities, data = fitter.table.cardinalities, fitter.data
    if (n := len(cardinalities)) > MOST_COLUMNS:
        raise ModelError(f"the table has {n} columns, and a search takes {MOST_COLUMNS}; drop some")
    check_completed(cardinalities, 1, data)
    predicted = SECONDS_PER_COUNT * n**2 * n_completed(cardinalities, data).sum()
    if predicted > seconds:
        raise ModelError(
            f"the scores of all arcs alone are predicted to take {predicted:,.0f} seconds, and {seconds:g} are allowed "
            "for the search; allow more seconds, or drop columns"
        )


class _Visited(NamedTuple):
    """A graph that the search came to.

    Attributes
    ----------
    graph : Graph
    score : float
    log_aliases : float
        Logarithm of how many modes like the one of the score its posterior has, for labels can be exchanged.
    """

    graph: Graph
    score: float
    log_aliases: float


class Searching:
    """Climbs from one graph after another, and the best graph of every equivalence class on their way."""

    def __init__(self, fitter: Fitter, limits: Limits) -> None:
        self.fitter, self.limits = fitter, limits
        self.classes: dict[tuple[Any, ...], _Visited] = {}
        self.n_ended, self.interrupted = 0, False

    def run(self, starts: Iterable[tuple[Graph, Graph]], seconds: float, tell: Callable[[float, str], None]) -> None:
        """Until all climbs have ended, or time is up."""
        free = Graph.without_arcs(self.fitter.table.cardinalities)
        self.visit(self.fitter.anew(free))  # so that there is one, however little time there is
        waiting, stopped = iter(starts), self.fitter.stopped

        def next_job(left: float) -> Job | None:
            start = None if stopped.is_set() else next(waiting, None)
            return None if start is None else Job(lambda: self._climb(*start), done)

        def done(has_ended: bool, error: BaseException | None, seconds: float) -> None:
            if error is not None:
                raise error
            self.n_ended += has_ended

        def words(elapsed: float) -> None:
            if elapsed >= seconds:
                stopped.set()
            highest = max(each.score for each in list(self.classes.values()))
            tell(elapsed, f"search: {len(self.classes)} graphs, best {highest:.1f}")

        try:
            work(next_job, seconds + GRACE, n_cores(), words)
        except TimeoutError:
            pass  # and say what is known
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            stopped.set()

    def visit(self, fitted: Fitted) -> None:
        """Keep a graph if it is the best of its class so far."""
        key = fitted.graph.equivalence_class
        known = self.classes.get(key)
        if known is None or _order(fitted) < _order(known):
            self.classes[key] = _Visited(fitted.graph, fitted.score, log(fitted.network.n_aliases))

    def best(self, n: int) -> list[_Visited]:
        """The graphs with the highest scores of all modes together, and the best without hidden variables."""
        every = sorted(self.classes.values(), key=lambda each: (-(each.score + each.log_aliases), each.graph.listed))
        complete = next(each for each in every if not each.graph.hidden)
        return every[:n] if complete in every[:n] else [*every[:n], complete]

    def _climb(self, plain: Graph, start: Graph) -> bool:
        """The arcs alone from a graph without hidden variables, and everything from the other; whether it ended."""
        try:
            if plain != start:
                settle(self.fitter.anew(plain), self.limits, self.visit)
            climb(self.fitter.anew(start), self.limits, self.visit)
        except ModelError:
            return True  # at a graph that memory has no room for
        except StoppedError:
            return False
        return True


def _order(found: Fitted | _Visited) -> tuple[Any, ...]:
    """The highest score first; of equal ones the first graph, whichever thread came to it first."""
    return -found.score, found.graph.listed
