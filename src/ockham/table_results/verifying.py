"""Whether a stored result on a table is what its runs, and its table, give.

What is said of evidences follows from runs, so it is made again from those that the store has. Given the table,
everything is made again, some of these runs among it, and compared whole.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
import xarray as xr

from ockham.contracts import Estimator
from ockham.errors import ConfigError, OckhamError, StoreError
from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import model_posterior
from ockham.io.arguments import whole
from ockham.io.comparing import differences
from ockham.io.findings import Finding, of_differences
from ockham.io.netcdf import check_given, opened, provenance, write
from ockham.streams import Stream
from ockham.table_results.evidences import Certify, Task
from ockham.table_results.limits import LONGEST
from ockham.table_results.methods import of_program
from ockham.table_results.recorded_runs import Key, RecordedRuns, read_runs
from ockham.table_results.results import TableResult
from ockham.table_results.selecting import MOST_CLASSES, OTHERS_ERROR, Demand, Judge, Judging, Outcome
from ockham.table_results.selection import ClassFit, ClassPrior, Selection
from ockham.table_results.selection_storing import BY_PRIOR
from ockham.table_results.stored_evidences import of_evidences

__all__ = ["Again", "Kind", "Stored", "StoredSelection", "of_selection", "silent", "verify_stored"]

REMEDY = "make it again, with the same table, models and options"
Result = TypeVar("Result", bound=TableResult)


class Kind(NamedTuple):
    """Of stored results: the family of their models, and what reads one, given what all have in common."""

    family: str
    read: "Callable[[xr.Dataset, Mapping[str, Any]], Stored]"


def verify_stored(
    path: Path,
    kinds: Mapping[str, Kind],
    read_for: "Callable[[Stored], Any] | None",
    models: Sequence[Path],
    prior: str,
    n_runs: int,
    seed: int,
) -> Iterator[Finding]:
    """Look at a store of one of these kinds, each by a variable that no later kind has.

    ``read_for`` reads the table for what is stored; without it what follows from runs is looked at alone.
    ``ockham.api.verifying`` says what the others are.
    """
    try:
        stored = _read(path, kinds)
    except ConfigError as error:  # of a part, which does not know the file
        raise StoreError(f"{path}: {error}; move it away") from error
    table = None if read_for is None else read_for(stored)
    try:
        again = Again(stored, n_runs, seed)
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


class Again:
    """What certifies models again by the runs that a store has, some of them made again on the data."""

    def __init__(self, stored: "Stored", n_runs: int, seed: int) -> None:
        self.stored, self.n_runs, self.seed, self.n_again, self.remarks = stored, n_runs, seed, 0, [""]

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
        """In place of ``certify_models``, for models that come in this order."""
        waiting = iter(keys)

        def certify(tasks: Sequence[Task], error: float, *_: Any) -> tuple[list[Certified], bool]:
            return [self.certified(next(waiting), error, task) for task in tasks], False

        return certify

    @property
    def said(self) -> str:
        n_runs = sum(len(runs.jobs) for runs in self.stored.runs.values())
        return f"{self.n_again} of {n_runs} runs were made again" + "".join(self.remarks)


@dataclass(frozen=True, eq=False)
class Stored:
    """What a store says of how it was made, and the runs of every model."""

    root: int
    error: float
    seconds: float
    interrupted: bool
    made_by: Mapping[str, str]
    runs: Mapping[Key, RecordedRuns]
    takes_prior: ClassVar[bool] = False
    """Whether the prior of its models is said beside it."""

    def in_its_words(self, methods: str, found: TableResult) -> str:
        """Methods with the versions of where the store was made."""
        return methods.replace("".join(of_program(found)), "".join(of_program(found, self.made_by)))

    def as_it_was(self, found: Result) -> Result:
        """With what no second run shares: when and how it ended."""
        return replace(found, error=self.error, seed=self.root, seconds=self.seconds, interrupted=self.interrupted)

    def derived(self, again: Again) -> xr.Dataset:
        """What follows from the runs alone."""
        raise NotImplementedError

    def again(self, again: Again, table: Any, models: Sequence[Path], prior: str) -> TableResult:
        """The whole result."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class StoredSelection(Stored):
    """Of ``ockham.select``; ``fitted`` are the numbers of classes that there was time to fit."""

    priors: Sequence[ClassPrior]
    numbers: tuple[int, ...]
    fitted: tuple[int, ...]

    def derived(self, again: Again) -> xr.Dataset:
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

    def again(self, again: Again, table: Any, models: Sequence[Path], prior: str) -> TableResult:
        keys = [(each.name, k) for each in self.priors for k in self.numbers]

        def judge(data: Any, made: Any, fit: Callable[[Any, Any, int], ClassFit], demand: Demand) -> Outcome:
            judging = _JudgingAgain(data, made, fit, demand, silent, again.certify(keys))
            judging.fitted = self.fitted
            return judging.run()

        return self.as_it_was(self.select(table, Demand(self.numbers, self.error, LONGEST, self.root, False), judge))

    def select(self, table: Any, demand: Demand, judge: Judge) -> Selection:
        """What the family selects on the table, under the priors.

        Raises
        ------
        StoreError
            For a table that is another family's.
        """
        raise NotImplementedError


class _JudgingAgain(Judging):
    """With the fits that there was time for."""

    fitted: tuple[int, ...] = ()

    def fits(self, models: Mapping[int, Any]) -> dict[int, ClassFit]:
        """Of the numbers of classes that have one in the store."""
        return {k: self.fit(models[k], self.data, self.demand.root) for k in self.fitted}


def of_selection(content: xr.Dataset, estimates: Mapping[str, Estimator]) -> dict[str, Any]:
    """Numbers of classes in a store of a selection, and those that have fits, with these estimates."""
    numbers = tuple(whole(k, "n_classes", 1, MOST_CLASSES, ConfigError) for k in content["n_classes"].values.tolist())
    scores = np.transpose([content[name].values for name in estimates])
    return {
        "numbers": numbers,
        "fitted": tuple(k for k, of in zip(numbers, scores, strict=True) if not np.isnan(of).all()),
    }


def silent(elapsed: float, words: str) -> None:
    """Told how far it is, which nobody waits for."""


def _read(path: Path, kinds: Mapping[str, Kind]) -> Stored:
    check_given(path)
    with opened(path):
        content = xr.load_dataset(path, decode_cf=False)
        kind = next((kind for name, kind in kinds.items() if name in content), None)
        if kind is None:
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
            "runs": read_runs(content, refused, kind.family),
        }
        return kind.read(content, common)


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**63):
        raise ValueError(f"root_seed is {text!r}")
    return int(text)
