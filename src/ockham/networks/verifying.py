"""Whether a stored result of ``select``, ``compare`` or ``search`` is what its runs, and its table, give.

What is said of evidences follows from runs, so it is made again from those that the store has. Given the table,
everything is made again, some of these runs among it, and compared whole.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, TypeVar

import numpy as np
import xarray as xr

from ockham.errors import ConfigError, OckhamError, StoreError
from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import bayes_factors, model_posterior
from ockham.io.arguments import whole
from ockham.io.comparing import differences
from ockham.io.findings import Finding, of_differences
from ockham.io.frames import CategoricalTable
from ockham.io.netcdf import opened, provenance, write
from ockham.networks.classes.fits import ESTIMATES, ClassFit, fit
from ockham.networks.classes.methods import program
from ockham.networks.classes.priors import Prior
from ockham.networks.classes.selecting import LONGEST, MOST_CLASSES, OTHERS_ERROR, Selecting
from ockham.networks.classes.storing import BY_PRIOR
from ockham.networks.comparisons.comparing import compared, networks_given
from ockham.networks.comparisons.comparison import Comparison
from ockham.networks.comparisons.given_models import named_models, structure_given
from ockham.networks.comparisons.storing import BY_MODEL, of_factors
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.evidences import Certify, Task
from ockham.networks.recorded_runs import Key, RecordedRuns, read_runs
from ockham.networks.searches.climbing import Limits
from ockham.networks.searches.fits import SCORES, Fitter
from ockham.networks.searches.graphs import Graph
from ockham.networks.searches.searching import MOST, networks_of, searched
from ockham.networks.searches.starts import given_graphs
from ockham.networks.searches.structure_search import StructureSearch
from ockham.networks.stored_evidences import of_evidences
from ockham.networks.table_results import TableResult
from ockham.streams import Stream

__all__ = ["verify_result"]

REMEDY = "make it again, with the same table, models and options"
Result = TypeVar("Result", bound=TableResult)


def verify_result(
    path: Path,
    table: CategoricalTable | None = None,
    models: Sequence[Path] = (),
    prior: str = "1",
    n_runs: int = 5,
    seed: int = 0,
) -> Iterator[Finding]:
    """Look at a store of ``ockham select``, ``compare`` or ``search``.

    Without the table what follows from the runs is compared, bit for bit: evidences, what checked and what bounds them,
    probabilities and Bayes factors. With it everything is, but provenance and measured seconds; fits are made again,
    and runs of each model at random. A search is done again where all of its climbs had ended, unless no run is to be
    made again.

    Parameters
    ----------
    path : Path
    table : CategoricalTable, optional
        Read as it was for the result.
    models : sequence of Path
        That were compared, or that a search started from.
    prior : str
        Of compared models that have none of their own.
    n_runs : int
        Of each model, to make again; all of them where it has no more.
    seed : int
        Root seed of the choice of runs.

    Yields
    ------
    Finding

    Raises
    ------
    StoreError
        When it cannot be read as one.
    """
    try:
        stored = _read(path)
    except ConfigError as error:  # of a part, which does not know the file
        raise StoreError(f"{path}: {error}; move it away") from error
    try:
        again = _Again(stored, table, n_runs, seed)
        if table is None:
            content, said = stored.derived(again), "what its runs rest on is not looked at without --table"
        else:
            found = stored.again(again, table, models, prior)
            content, said = found.to_xarray(), again.said
            content.attrs["methods"] = stored.in_its_words(content.attrs["methods"], found)
    except OckhamError as error:
        yield Finding(True, f"{path}: {error}")
        return
    with TemporaryDirectory() as scratch:
        made = Path(scratch, "made.nc")
        write(made, content)
        found_there = differences(path, made, provenance(), times=False)
        parts = {f"variable {name}" for name in content.data_vars}
        told = [each for each in found_there if table is not None or each[0].partition(", ")[0] in parts]
    yield from of_differences(path, told, REMEDY)
    yield Finding(False, f"{path}: {said}")


class _Again:
    """What certifies models again by the runs that a store has, some of them made again on the data."""

    def __init__(self, stored: "_Stored", table: CategoricalTable | None, n_runs: int, seed: int) -> None:
        self.stored, self.n_runs, self.seed, self.n_again, self.remarks = stored, n_runs, seed, 0, [""]
        self.on_table = table is not None

    def certified(self, key: Key, error: float, task: Task | None = None) -> Certified:
        """Of one model."""
        if key not in self.stored.runs:
            raise StoreError(f"has no model {key!r}; give the models that were compared")
        runs, name = self.stored.runs[key], key if isinstance(key, tuple) else (key,)
        jobs, rng = list(runs.jobs), Stream(self.seed, "verify", *name).generator()
        chosen = rng.choice(len(jobs), size=min(self.n_runs, len(jobs)), replace=False) if jobs else ()
        self.n_again += len(chosen)
        return runs.certified(error, task, [jobs[k] for k in chosen])

    def certify(self, keys: Sequence[Key]) -> Certify:
        """In place of ``certify_networks``, for models that come in this order."""
        waiting = iter(keys)

        def certify(tasks: Sequence[Task], error: float, *_: Any) -> tuple[list[Certified], bool]:
            return [self.certified(next(waiting), error, task) for task in tasks], False

        return certify

    @property
    def said(self) -> str:
        n_runs = sum(len(runs.jobs) for runs in self.stored.runs.values())
        return f"{self.n_again} of {n_runs} runs were made again" + "".join(self.remarks)


@dataclass(frozen=True, eq=False)
class _Stored:
    """What a store says of how it was made, and the runs of every model."""

    root: int
    error: float
    seconds: float
    interrupted: bool
    made_by: Mapping[str, str]
    runs: Mapping[Key, RecordedRuns]

    def in_its_words(self, methods: str, found: TableResult) -> str:
        """Methods with the versions of where the store was made."""
        return methods.replace("".join(program(found)), "".join(program(found, self.made_by)))

    def as_it_was(self, found: Result) -> Result:
        """With what no second run shares: when and how it ended."""
        return replace(found, error=self.error, seed=self.root, seconds=self.seconds, interrupted=self.interrupted)

    def derived(self, again: _Again) -> xr.Dataset:
        """What follows from the runs alone."""
        raise NotImplementedError

    def again(self, again: _Again, table: CategoricalTable, models: Sequence[Path], prior: str) -> TableResult:
        """The whole result."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class _Selection(_Stored):
    """Of ``ockham.select``; ``fitted`` are the numbers of classes that there was time to fit."""

    priors: list[Prior]
    numbers: tuple[int, ...]
    fitted: tuple[int, ...]

    def derived(self, again: _Again) -> xr.Dataset:
        errors = [self.error, *[max(self.error, OTHERS_ERROR)] * (len(self.priors) - 1)]
        every = [
            {k: again.certified((prior.name, k), error) for k in self.numbers}
            for prior, error in zip(self.priors, errors, strict=True)
        ]
        posteriors = [
            model_posterior(found, Stream(self.root, "select", "posterior", prior.name))
            for prior, found in zip(self.priors, every, strict=True)
        ]
        evidences = [list(found.values()) for found in every]
        return xr.Dataset(of_evidences(BY_PRIOR, evidences, posteriors, "p(K | data)"))

    def again(self, again: _Again, table: CategoricalTable, models: Sequence[Path], prior: str) -> TableResult:
        keys = [(each.name, k) for each in self.priors for k in self.numbers]
        made = _SelectingAgain(
            table, self.numbers, self.priors, self.error, LONGEST, self.root, _silent, again.certify(keys)
        )
        made.fitted = self.fitted
        return self.as_it_was(made.run())


class _SelectingAgain(Selecting):
    """With the fits that there was time for."""

    fitted: tuple[int, ...] = ()

    def fits(self, models: dict[int, DiscreteNetwork]) -> dict[int, ClassFit]:
        """Of the numbers of classes that have one in the store."""
        return {k: fit(models[k], self.data, self.root) for k in self.fitted}


@dataclass(frozen=True, eq=False)
class _Comparison(_Stored):
    """Of ``ockham.compare``."""

    stream: ClassVar[tuple[str, ...]] = ("compare",)

    def derived(self, again: _Again) -> xr.Dataset:
        found = {str(name): again.certified(name, self.error) for name in self.runs}
        stream = Stream(self.root, *self.stream, "posterior")
        factors = of_factors(bayes_factors(found, next(iter(found)), stream))
        posterior = model_posterior(found, stream)
        return xr.Dataset(of_evidences(BY_MODEL, [list(found.values())], [posterior], "p(model | data)") | factors)

    def again(self, again: _Again, table: CategoricalTable, models: Sequence[Path], prior: str) -> TableResult:
        named = named_models(models, "--model", 2, "name every file that was compared")
        structures = {name: structure_given(name, model) for name, model in named.items()}
        if lacking := [name for name in self.runs if name not in structures]:
            raise StoreError(f"has a model {lacking[0]!r}; give its file as well, with --model")
        return self.as_it_was(self.compared(again, networks_given(structures, table, Prior.of(prior)), table))

    def compared(self, again: _Again, networks: Mapping[str, DiscreteNetwork], table: CategoricalTable) -> Comparison:
        """These networks, by the runs of their names."""
        certify, stream = again.certify(list(networks)), Stream(self.root, *self.stream)
        return compared(networks, table, self.error, LONGEST, stream, _silent, certify)


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

    def again(self, again: _Again, table: CategoricalTable, models: Sequence[Path], prior: str) -> TableResult:
        fitter = Fitter(table, self.prior, self.climbed, Stream(self.root, "search"))
        graphs, scores, n_graphs = list(self.graphs.values()), list(self.scores.values()), self.n_graphs
        if self.n_climbs < self.n_starts:
            again.remarks.append("; its climbs had not ended, so the search is not done again")
        elif again.n_runs:
            named = named_models(models, "--model", 0, "name the files that it started from")
            given = given_graphs(named, table, self.limits, self.prior)
            found = searched(fitter, self.limits, given, self.n_starts - len(given), LONGEST, _silent)
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


def _silent(elapsed: float, words: str) -> None:
    """Told how far it is, which nobody waits for."""


def _read(path: Path) -> _Stored:
    with opened(path):
        content = xr.load_dataset(path, decode_cf=False)
        reader = next((reader for name, reader in READERS.items() if name in content), None)
        if reader is None:
            raise StoreError(
                f"{path}: is no result of ockham select, compare or search; give one of these, or a folder of studies"
            )
        about, lines = content.attrs, content["refused"]
        labels = product(*(content[name].values.tolist() for name in lines.dims))
        refused = {of if len(of) > 1 else of[0]: str(line) for of, line in zip(labels, lines.values.flat, strict=True)}
        common = {
            "root": _seed(about["root_seed"]),
            "error": float(about["error"]),
            "seconds": float(about["seconds"]),
            "interrupted": bool(about["interrupted"]),
            "made_by": {name: str(about[name]) for name in provenance()},
            "runs": read_runs(content, refused),
        }
        return reader(content, common)


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**63):
        raise ValueError(f"root_seed is {text!r}")
    return int(text)


def _read_selection(content: xr.Dataset, common: Mapping[str, Any]) -> _Stored:
    numbers = tuple(whole(k, "n_classes", 1, MOST_CLASSES, ConfigError) for k in content["n_classes"].values.tolist())
    known = content[next(iter(ESTIMATES))].values
    fitted = tuple(k for k, score in zip(numbers, known, strict=True) if not np.isnan(score))
    return _Selection(**common, priors=list(map(Prior.named, content["prior"].values)), numbers=numbers, fitted=fitted)


def _read_comparison(content: xr.Dataset, common: Mapping[str, Any]) -> _Stored:
    return _Comparison(**common)


def _read_search(content: xr.Dataset, common: Mapping[str, Any]) -> _Stored:
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


READERS: Mapping[str, Callable[[xr.Dataset, Mapping[str, Any]], _Stored]] = {
    "map_profile": _read_selection,
    "arc": _read_search,
    "log_bayes_factor": _read_comparison,
}
"""By a variable that is in none of those that follow."""
