"""Evidences of many models against one clock."""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ockham import families
from ockham.contracts import Family, Model, Plan
from ockham.estimation.certifying import Certified, certify
from ockham.estimation.sources import Sources
from ockham.streams import Stream

__all__ = ["Certify", "Task", "certify_models", "n_cores", "plan_of"]

RUN_ERROR = 0.3
"""Nats, at which one run of bridge sampling ends; runs are pooled until the error is as asked for. Smaller ones take so
long, with many classes, that others would not be begun."""


class Task(NamedTuple):
    """A model, its data as ``Family.read`` returns them, and the stream of its runs."""

    model: Model
    data: Any
    stream: Stream


Certify = Callable[[Sequence[Task], float, float, Callable[[float, str], None], int], tuple[list[Certified], bool]]
"""What takes the place of ``certify_models`` where runs are made again."""


def certify_models(
    tasks: Sequence[Task], error: float, seconds: float, tell: Callable[[float, str], None], n_threads: int
) -> tuple[list[Certified], bool]:
    """What ``certify`` returns by the plan of their families; without time nothing is begun."""
    nothing = Sources(None, [], [])
    plans = [plan_of(families.family_of(task.model), task.model) for task in tasks]
    sources = [
        families.sources(*task, plan) if seconds > 0 else nothing for task, plan in zip(tasks, plans, strict=True)
    ]
    return certify(sources, error, seconds, tell, n_threads)


def n_cores() -> int:
    """That this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # where the system does not say
        return os.cpu_count() or 1


def plan_of(family: Family[Any, Any, Any], model: Model | None = None) -> Plan:
    """That of the family for a model, with runs of bridge sampling that end at a larger error."""
    plan = families.plan_of(family, model)
    samplers = [
        each._replace(settings={**each.settings, "error": RUN_ERROR}) if each.scorer == "bridge" else each
        for each in plan.samplers
    ]
    return plan._replace(samplers=tuple(samplers))
