"""The runs that a stored result on a table says were made, and what ``certify`` says of a model after these."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from ockham import families
from ockham.contracts import Doubt, Evidence
from ockham.errors import ModelError, StoreError
from ockham.estimation.certifying import LEFT, Certified, certify_again
from ockham.estimation.sources import PROVEN, Source, Sources
from ockham.table_results.evidences import Task, plan_of

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Key", "RecordedRuns", "read_runs"]

NUMBERS = (
    "log_evidence", "standard_error", "effective_sample_size", "degrees_of_freedom", "doubt", "bound", "seconds",
)  # fmt: skip
Key: TypeAlias = tuple[str, int] | str
"""Of a model: prior and number of classes, or name."""
Run: TypeAlias = tuple[str, int]
"""Scorer or estimate, and number of the run."""


@dataclass(frozen=True, eq=False)
class RecordedRuns:
    """What a store has of the runs of one model.

    Attributes
    ----------
    family : str
        Of the model.
    evidences : mapping of (str, int) to Evidence
        By estimate and number of the run, in the order of the store.
    seconds : mapping of (str, int) to float
    refused : mapping of str to str
        Scorers that could not take the model, and why.
    """

    family: str
    evidences: Mapping[Run, Evidence]
    seconds: Mapping[Run, float]
    refused: Mapping[str, str]

    @cached_property
    def jobs(self) -> dict[Run, float]:
        """Every time that a scorer was run, and its seconds."""
        plan = plan_of(families.family(self.family))
        names = [plan.exact, *plan.bounds, *(sampler.scorer for sampler in plan.samplers)]
        first = {next(iter(families.scorer(self.family, name).ESTIMATES)): name for name in names}
        return {(first[name], index): self.seconds[name, index] for name, index in self.evidences if name in first}

    def certified(self, error: float, task: Task | None = None, again: Collection[Run] = ()) -> Certified:
        """What all of these runs say together.

        Of them some are made ``again`` on the task, and what was refused is asked again; without a task, none.

        Raises
        ------
        StoreError
            For runs that are not as the scorers of the family make them.
        """
        plan, anew = plan_of(families.family(self.family)), self._runs_of(task)

        def source(name: str, grows: bool = False, two_sided: bool = False) -> Source:
            estimates = families.scorer(self.family, name).ESTIMATES

            def run(index: int) -> tuple[Mapping[str, Any], Mapping[str, Evidence]]:
                is_refusal = (name, index) not in self.jobs
                was_left = is_refusal and self.refused.get(name) == LEFT
                if name in anew and not was_left and (is_refusal or (name, index) in again):
                    return anew[name](index)
                if is_refusal:
                    raise ModelError(self.refused[name])
                return {}, {estimate: self.evidences[estimate, index] for estimate in estimates}

            return Source(name, estimates, run, grows, two_sided=two_sided)

        sources = Sources(
            source(plan.exact),
            [source(name) for name in plan.bounds],
            [source(each.scorer, bool(each.doubled), each.two_sided) for each in plan.samplers],
        )
        made = [(scorer, seconds) for (scorer, _), seconds in self.jobs.items()]
        asked = dict.fromkeys(self.refused)
        if task is not None and made and (plan.exact, 0) not in self.jobs:
            asked = {plan.exact: None, **asked}  # it always comes first
        try:
            return certify_again(sources, made, tuple(asked), error, 0.0)
        except LookupError as unknown:
            raise StoreError(f"its runs are not those that scorers of {self.family} make ({unknown})") from None

    def _runs_of(self, task: Task | None) -> dict[str, Callable[[int], Any]]:
        if task is None:
            return {}
        found = families.sources(*task, plan_of(families.family(self.family)))
        every = [source for source in (found.exact, *found.bounds, *found.samplers) if source is not None]
        return {source.scorer: source.run for source in every}


def read_runs(content: "xr.Dataset", refused: Mapping[Key, str], family: str) -> dict[Key, RecordedRuns]:
    """Those of every model in a store; ``refused`` has its lines of scorers that could not take each of them."""
    column = {name: content[name].values.tolist() for name in content.data_vars if content[name].dims == ("run",)}
    of = [column["run_model"]] if "run_model" in column else [column["run_prior"], column["run_n_classes"]]
    keys: list[Key] = [label if not more else (label, *more) for label, *more in zip(*of, strict=True)]
    labels = zip(keys, column["run_score"], column["run_index"], strict=True)
    numbers = zip(*(map(float, column[f"run_{name}"]) for name in NUMBERS), strict=True)
    evidences: dict[Key, dict[Run, Evidence]] = {key: {} for key in refused}
    seconds: dict[Key, dict[Run, float]] = {key: {} for key in refused}
    for (key, *run), (value, error, size, freedom, doubt, bound, took) in zip(labels, numbers, strict=True):
        at = (str(run[0]), int(run[1]))
        evidences[key][at] = Evidence(
            value, error, diagnostics={} if bound == -inf else {PROVEN: bound}, effective_sample_size=size,
            doubt=Doubt(int(doubt)), degrees_of_freedom=freedom,
        )  # fmt: skip
        seconds[key][at] = took
    return {
        key: RecordedRuns(
            family, evidences[key], seconds[key], dict(line.split(": ", 1) for line in lines.splitlines())
        )
        for key, lines in refused.items()
    }
