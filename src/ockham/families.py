"""The registry of families of models, of their scorers, and of papers, which distributions fill by entry points.

What Ockham brings is registered as anything from outside: in ``[project.entry-points]`` of a ``pyproject.toml``, under
``ockham.families`` (name of the family), ``ockham.scorers`` (``<family>.<scorer>``, a module), ``ockham.samplers``
(named as the scorer that joins the family's plan) and ``ockham.papers``. Names are known without importing what they
stand for.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from math import inf
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
from pydantic import ValidationError

from ockham import contracts
from ockham.contracts import (
    Array,
    Estimator,
    Evidence,
    Family,
    FamilySettings,
    Paper,
    Plan,
    Sampler,
    Scorer,
    Settings,
    Shown,
)
from ockham.errors import ConfigError, ModelError
from ockham.estimation.evidence_checks import estimator_problem, evidence_problem, taken_beside
from ockham.estimation.sources import Source, Sources
from ockham.streams import Stream

__all__ = [
    "check_one_name_each", "family", "family_names", "family_of", "load", "measurement", "module_name", "modules",
    "paper", "paper_names", "plan_of", "plug_ins", "run", "scorer", "scorer_names", "sources",
]  # fmt: skip

GROUPS = ("ockham.families", "ockham.scorers", "ockham.samplers", "ockham.papers")
OWN_STORES = ("scores", "summaries")
"""Names of the stores that the workflow makes of a study, which no measurement can have."""
MOST_RUNS = 60
"""Of a scorer with a setting that is doubled in each, whatever that allows."""
MOST_STARTS, STARTED_ROWS = 1024, 400_000
"""Of a scorer that looks for modes from starts, how many ``ockham.evidence`` asks for at the most, and for how many
distinct rows all together. A mode that no start leads to is missed by all that begin where fits end, and alike."""


@lru_cache
def family(name: str) -> Family[Any, Any, Any]:
    """A family by the name that study files give in ``model``.

    Raises
    ------
    ConfigError
        When it is unknown, or breaks its contract: then with the distribution, the field and the remedy.
    """
    point = _point("ockham.families", name, "model")
    found: Family[Any, Any, Any] = _load(point)
    _check(point, isinstance(found, Family), "is not an instance of ockham.contracts.Family")
    _check(point, getattr(found, "name", None) == name, f"has the name {getattr(found, 'name', None)!r}, not {name!r}")
    for field in ("settings", "default_scorer", "summaries"):
        _check(point, hasattr(found, field), f"lacks the attribute {field!r}")
    settings = found.settings
    is_settings = isinstance(settings, type) and issubclass(settings, FamilySettings)
    _check(point, is_settings, "settings: is not a subclass of ockham.contracts.FamilySettings")
    _check_place(point, "summaries", found.summaries)
    if found.record:
        _check_place(point, "record", found.record)
    _check(point, isinstance(found.measurements, Mapping), "measurements: is not a mapping of names to modules")
    for label, module in found.measurements.items():
        _check_name(point, "measurements", label, OWN_STORES)
        _check_module(point, f"measurements.{label}", module)
    known = scorer_names(name)
    _check(point, found.default_scorer in known, f"default_scorer: {found.default_scorer!r} is not one of its scorers")
    return found


def family_names() -> tuple[str, ...]:
    """The families that can be named."""
    return tuple(_points("ockham.families"))


def family_of(model: Any) -> Family[Any, Any, Any]:
    """The family of a model."""
    name = getattr(model, "family_name", None)
    if isinstance(model, type) or not isinstance(name, str) or name not in family_names():
        raise ConfigError(
            f"model: {type(model).__name__} is of no family; give a model of one of: {', '.join(family_names())}"
        )
    return family(name)


@lru_cache
def scorer(family_name: str, name: str) -> Scorer[Any, Any, Any]:
    """A scorer of a family.

    Raises
    ------
    ConfigError
        When it is unknown, or breaks its contract: then with the distribution, the field and the remedy.
    """
    known = scorer_names(family_name)
    if name not in known:
        raise ConfigError(f"scorer: {name!r} is unknown; known are {', '.join(known)}")
    point = _point("ockham.scorers", f"{family_name}.{name}", "scorer")
    found: Scorer[Any, Any, Any] = _load(point)
    _check(point, isinstance(found, ModuleType), "is not a module")
    for field in ("ESTIMATES", "Settings", "score"):
        _check(point, hasattr(found, field), f"lacks {field!r}")
    _check(
        point, _is_mapping(found.ESTIMATES, Estimator), "ESTIMATES: does not map names to ockham.contracts.Estimator"
    )
    _check(point, bool(found.ESTIMATES), "ESTIMATES: is empty")
    for label, estimator in found.ESTIMATES.items():
        _check_name(point, "ESTIMATES", label, taken_beside(found.ESTIMATES))
        problem = estimator_problem(estimator)
        _check(point, not problem, f"ESTIMATES.{label}: {problem}")
    _check_estimates_of_others(point, family_name, found.ESTIMATES)
    _check(point, _is_settings(found.Settings), "Settings: is not a subclass of ockham.contracts.Settings")
    _check(point, callable(found.score), "score: is not a function")
    for field in ("check", "doubted", "goes_first"):
        _check(point, callable(getattr(found, field, found.score)), f"{field}: is not a function")
    _check(
        point, _is_mapping(getattr(found, "ARRAYS", {}), Array), "ARRAYS: does not map names to ockham.contracts.Array"
    )
    for label, about in getattr(found, "ARRAYS", {}).items():
        _check_name(point, "ARRAYS", label, (*taken_beside(found.ESTIMATES), *found.ESTIMATES))
        for dimension in about.dimensions:
            _check_name(point, f"ARRAYS.{label}.dimensions", dimension, contracts.RESERVED)
        _check(point, _is_kind(about.kind), f"ARRAYS.{label}.kind: {about.kind!r} is no type of numbers of NumPy")
    return found


def run(
    module: Scorer[Any, Any, Any], model: Any, data: Any, settings: Settings, stream: Stream, **more: Any
) -> dict[str, Evidence]:
    """One run of a scorer.

    Raises
    ------
    ConfigError
        When it does not return what it declares.
    ModelError
        When memory has no room for it.
    """
    try:
        found = module.score(model, data, settings, stream, **more)
    except MemoryError as error:
        raise ModelError(
            f"{module.__name__}: memory has no room for it ({error}); take fewer rows or a smaller model"
        ) from error
    arrays = getattr(module, "ARRAYS", {})
    if not _is_mapping(found, Evidence) or found.keys() != module.ESTIMATES.keys():
        raise ConfigError(f"{module.__name__}: score must return an Evidence for each of {', '.join(module.ESTIMATES)}")
    for label, evidence in found.items():
        if problem := evidence_problem(evidence, module.ESTIMATES):
            raise ConfigError(f"{module.__name__}: score: {label}: {problem}")
    if missing := [label for label in arrays if any(label not in evidence.arrays for evidence in found.values())]:
        raise ConfigError(f"{module.__name__}: score leaves no array {missing[0]!r}, which ARRAYS names")
    for label, array in ((label, array) for evidence in found.values() for label, array in evidence.arrays.items()):
        if label not in arrays or np.ndim(array) != len(arrays[label].dimensions):
            raise ConfigError(f"{module.__name__}: array {label!r}: ARRAYS must name it, with its dimensions")
        of_numpy = isinstance(array, np.ndarray | np.generic)
        if not of_numpy or array.dtype != np.dtype(arrays[label].kind):
            kind = array.dtype if of_numpy else type(array).__name__
            raise ConfigError(f"{module.__name__}: array {label!r}: is of type {kind}, not {arrays[label].kind!r}")
    return dict(found)


def plan_of(found: Family[Any, Any, Any], model: Any = None) -> Plan:
    """A family's plan, with the samplers that join it, entry points of ``ockham.samplers`` named as their scorers.

    They come last, or first for a model of which ``goes_first(model)`` of their scorer is true.
    """
    last = list(found.plan.samplers)
    first: list[Sampler] = []
    for name, point in _points("ockham.samplers").items():
        family_name, _, scorer_name = name.partition(".")
        if family_name != found.name:
            continue
        sampler, module = _load(point), scorer(family_name, scorer_name)
        _check(point, isinstance(sampler, Sampler), "is not an ockham.contracts.Sampler")
        _check(point, sampler.scorer == scorer_name, f"scorer: {sampler.scorer!r} is not the name that it joins by")
        (first if _goes_first(module, model) else last).append(sampler)
    return found.plan._replace(samplers=(*first, *last))


def sources(model: Any, data: Any, stream: Stream, plan: Plan | None = None) -> Sources:
    """What ``certify`` takes of a model and its data, as ``Family.read`` returns them.

    By ``plan_of``, or another plan. Run k of a scorer has the stream ``<scorer>, <k>`` below the given one.
    """
    found = family_of(model)
    plan = plan_of(found, model) if plan is None else plan

    def source(
        name: str, settings: Mapping[str, Any] = MappingProxyType({}), doubled: str = "", two_sided: bool = False
    ) -> Source:
        module = scorer(found.name, name)

        at_first = {**settings, **_starts(module, settings, model, data)}

        def run_it(index: int) -> tuple[dict[str, Any], dict[str, Evidence]]:
            chosen = dict(at_first)
            if doubled:
                chosen[doubled] *= 2**index
            return chosen, run(module, model, data, module.Settings(**chosen), stream.child(name, index))

        always_doubted = hasattr(module, "doubted") and bool(module.doubted(model))
        most = _most_runs(module.Settings, settings, doubled) if doubled else inf
        leads = _goes_first(module, model)
        return Source(name, module.ESTIMATES, run_it, bool(doubled), always_doubted, most, two_sided, leads)

    return Sources(
        source(plan.exact) if plan.exact else None,
        [source(name) for name in plan.bounds],
        [source(*each) for each in plan.samplers],
    )


def _goes_first(module: Scorer[Any, Any, Any], model: Any) -> bool:
    return model is not None and hasattr(module, "goes_first") and bool(module.goes_first(model))


def _starts(module: Scorer[Any, Any, Any], settings: Mapping[str, Any], model: Any, data: Any) -> dict[str, int]:
    """More starts than a study's by default, where a scorer has them, and its settings for ``ockham.evidence`` not.

    Half as many, and so on, where it refuses the model for them.
    """
    kind, counts = module.Settings, getattr(data, "counts", None)
    field = kind.model_fields.get("n_starts")
    if field is None or counts is None or "n_starts" in settings:
        return {}
    check, n_starts = getattr(module, "check", lambda *_: None), min(MOST_STARTS, STARTED_ROWS // max(1, len(counts)))
    while n_starts > field.default:
        chosen = {**settings, "n_starts": n_starts}
        if _allowed(kind, chosen):
            try:
                check(model, int(counts.sum()), kind(**chosen))
            except ModelError:
                pass
            else:
                return {"n_starts": n_starts}
        n_starts //= 2
    return {}


def _allowed(kind: type[Settings], settings: Mapping[str, Any]) -> bool:
    try:
        kind(**settings)
    except ValidationError:
        return False
    return True


def _most_runs(kind: type[Settings], settings: Mapping[str, Any], doubled: str) -> int:
    """How many runs there can be, each with twice of a setting, before that is larger than it may be."""
    kind(**settings)
    runs = (n for n in range(1, MOST_RUNS) if not _allowed(kind, {**settings, doubled: settings[doubled] * 2**n}))
    return next(runs, MOST_RUNS)


def scorer_names(family_name: str) -> tuple[str, ...]:
    """The scorers that a family has."""
    prefix = f"{family_name}."
    return tuple(name.removeprefix(prefix) for name in _points("ockham.scorers") if name.startswith(prefix))


@lru_cache
def paper(name: str) -> Paper:
    """What a paper consists of.

    Raises
    ------
    ConfigError
        When it is unknown, or breaks its contract: then with the distribution, the field and the remedy.
    """
    point = _point("ockham.papers", name, "paper")
    found: Paper = _load(point)
    _check(point, isinstance(found, Paper), "is not an instance of ockham.contracts.Paper")
    _check(point, found.name == name, f"has the name {found.name!r}, not {name!r}")
    for field in ("figures", "tables"):
        for label, shown in getattr(found, field).items():
            _check_name(point, field, label)
            _check(point, isinstance(shown, Shown), f"{field}.{label}: is not an ockham.contracts.Shown")
            _check_place(point, f"{field}.{label}", shown.function)
    twice = sorted(set(found.figures) & set(found.tables))
    _check(point, not twice, f"tables.{''.join(twice[:1])}: is also the name of a figure")
    if found.parameters:
        _check_place(point, "parameters", found.parameters)
    _check(point, isinstance(found.folder, Path), "folder: is not a pathlib.Path")
    for file in found.numbers:
        _check(point, (found.folder / file).is_file(), f"numbers: there is no file {found.folder / file}")
    return found


def paper_names() -> tuple[str, ...]:
    """The papers that can be named."""
    return tuple(_points("ockham.papers"))


def plug_ins(family_name: str, scorers: Iterable[str], paper: str | None) -> dict[str, str]:
    """The distributions but Ockham's that a study takes something from, with their versions."""
    names = [("ockham.families", family_name), *(("ockham.scorers", f"{family_name}.{name}") for name in scorers)]
    if paper is not None:
        names.append(("ockham.papers", paper))
    found = {point.dist.name: point.dist.version for each in names if (point := _points(each[0])[each[1]]).dist}
    return {name: version for name, version in found.items() if name != "ockham"}


@lru_cache
def measurement(family_name: str, name: str) -> ModuleType:
    """The module of a measurement of a family: ``Settings``, and ``measure``.

    It may have ``RUNS_PLAN``, which is true of one that runs the scorers of the family's plan by their names.

    Raises
    ------
    ConfigError
        When it is unknown, or breaks its contract: then with the distribution, the field and the remedy.
    """
    point, known = _point("ockham.families", family_name, "model"), family(family_name).measurements
    if name not in known:
        raise ConfigError(f"measurements.{name}: is unknown; known are {', '.join(known) or 'none'}")
    try:
        found = import_module(known[name])
    except Exception as error:
        raise _unimportable(f"{_where(point)}: measurements.{name}", error) from error
    of_settings = _is_settings(getattr(found, "Settings", None))
    _check(point, of_settings, f"measurements.{name}: its Settings is not a subclass of ockham.contracts.Settings")
    _check(point, callable(getattr(found, "measure", None)), f"measurements.{name}: lacks the function 'measure'")
    _check(point, callable(getattr(found, "check", found.measure)), f"measurements.{name}: check: is not a function")
    return found


def load(place: str) -> Any:
    """What ``<module>:<name>`` names.

    Raises
    ------
    ConfigError
        When it is not there.
    """
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except Exception as error:
        raise _unimportable(place, error) from error


def module_name(thing: ModuleType | Family[Any, Any, Any] | str) -> str:
    """The module that a scorer is, a family is of, or ``<module>:<name>`` names: what a digest of source begins at."""
    if isinstance(thing, str):
        return thing.partition(":")[0]
    return thing.__name__ if isinstance(thing, ModuleType) else type(thing).__module__


def modules(family: Family[Any, Any, Any]) -> tuple[str, ...]:
    """The modules that a family is of: where it is registered, and where its class stands."""
    point = _points("ockham.families").get(family.name)
    registered = (point.module,) if point is not None else ()
    return tuple(dict.fromkeys((*registered, module_name(family))))


def check_one_name_each() -> None:
    """Refuse two distributions that register one name."""
    for group in GROUPS:
        _points(group)


@lru_cache
def _points(group: str) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        if point.name in found and found[point.name] != point:
            raise ConfigError(
                f"entry point {point.name!r} of {group}: is registered by two distributions, "
                f"{_distribution(found[point.name])} and {_distribution(point)}; uninstall one of them"
            )
        found[point.name] = point
    return found


def _point(group: str, name: str, key: str) -> EntryPoint:
    known = _points(group)
    if name not in known:
        raise ConfigError(f"{key}: {name!r} is unknown; known are {', '.join(known) or 'none'}")
    return known[name]


def _load(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        raise _unimportable(_where(point), error) from error


def _unimportable(what: str, error: Exception) -> ConfigError:
    return ConfigError(f"{what}: cannot be imported ({type(error).__name__}: {error}); correct or uninstall it")


def _check(point: EntryPoint, sound: bool, problem: str) -> None:
    if not sound:
        raise ConfigError(f"{_where(point)}: {problem}; correct it as docs/adding_a_scorer.md says, or uninstall it")


def _check_name(point: EntryPoint, field: str, name: Any, taken: Collection[str] = ()) -> None:
    """That a name can be one of a file or of a variable of a store, and is not that of another."""
    sound = isinstance(name, str) and re.fullmatch(contracts.NAME, name) is not None
    _check(point, sound, f"{field}: the name {name!r} does not consist of at most 100 small letters, digits and _")
    _check(point, name not in taken, f"{field}: the name {name!r} is taken, by what Ockham itself stores")


def _check_estimates_of_others(point: EntryPoint, family_name: str, estimates: Collection[str]) -> None:
    """That a scorer from outside has no estimate that is called as one of Ockham's, for tables go by these names."""
    own = "ockham."
    if point.module.startswith(own):
        return
    for name, other in _points("ockham.scorers").items():
        if other.module.startswith(own) and name.startswith(f"{family_name}."):
            twice = sorted(set(estimates) & set(_load(other).ESTIMATES))
            _check(point, not twice, f"ESTIMATES: {''.join(twice[:1])!r} is an estimate of {name}; call it otherwise")


def _check_place(point: EntryPoint, field: str, place: Any) -> None:
    ok = isinstance(place, str) and place.count(":") == 1
    _check(point, ok, f"{field}: {place!r} is not '<module>:<name>'")
    _check_module(point, field, module_name(place))


def _check_module(point: EntryPoint, field: str, module: Any) -> None:
    """That a module is there; what it is in is imported, but not the module, for what it needs may start slowly."""
    try:
        there = find_spec(module) is not None
    except Exception:  # of the import of what it is in
        there = False
    _check(point, there, f"{field}: there is no module {module!r}")


def _is_settings(thing: Any) -> bool:
    return isinstance(thing, type) and issubclass(thing, Settings)


def _is_mapping(thing: Any, kind: type) -> bool:
    return isinstance(thing, Mapping) and all(
        isinstance(name, str) and isinstance(value, kind) for name, value in thing.items()
    )


def _is_kind(kind: Any) -> bool:
    try:
        return np.dtype(kind).kind in "iuf"
    except TypeError:
        return False


def _where(point: EntryPoint) -> str:
    return f"distribution {_distribution(point)}, entry point {point.name!r} of {point.group} ({point.value})"


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "of unknown name"
