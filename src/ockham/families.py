"""The registry of families of models, of their scorers, and of papers, which distributions fill by entry points.

What Ockham brings is registered as anything from outside: in ``[project.entry-points]`` of a ``pyproject.toml``, under
``ockham.families`` (name of the family), ``ockham.scorers`` (``<family>.<scorer>``, a module) and ``ockham.papers``.
Names are known without importing what they stand for.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from ockham.contracts import Array, Estimator, Family, FamilySettings, Paper, Scorer, Settings, Shown
from ockham.errors import ConfigError

__all__ = [
    "check_one_name_each", "family", "family_names", "family_of", "load", "module_name", "paper", "paper_names",
    "scorer", "scorer_names",
]  # fmt: skip

GROUPS = ("ockham.families", "ockham.scorers", "ockham.papers")


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
    _check(point, isinstance(found, Family), "is no instance of ockham.contracts.Family")
    _check(point, getattr(found, "name", None) == name, f"has the name {getattr(found, 'name', None)!r}, not {name!r}")
    for field in ("settings", "default_scorer", "summaries"):
        _check(point, hasattr(found, field), f"lacks the attribute {field!r}")
    settings = found.settings
    is_settings = isinstance(settings, type) and issubclass(settings, FamilySettings)
    _check(point, is_settings, "settings: is no subclass of ockham.contracts.FamilySettings")
    _check(point, ":" in found.summaries, f"summaries: {found.summaries!r} is not '<module>:<function>'")
    known = scorer_names(name)
    _check(point, found.default_scorer in known, f"default_scorer: {found.default_scorer!r} is none of its scorers")
    return found


def family_names() -> tuple[str, ...]:
    """The families that can be named."""
    return tuple(_points("ockham.families"))


def family_of(model: Any) -> Family[Any, Any, Any]:
    """The family of a model."""
    name = getattr(model, "family_name", None)
    if name not in family_names():
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
    for field in ("ESTIMATES", "Settings", "score"):
        _check(point, hasattr(found, field), f"lacks {field!r}")
    _check(point, _is_mapping(found.ESTIMATES, Estimator), "ESTIMATES: maps no names to ockham.contracts.Estimator")
    _check(point, bool(found.ESTIMATES), "ESTIMATES: is empty")
    of_settings = isinstance(found.Settings, type) and issubclass(found.Settings, Settings)
    _check(point, of_settings, "Settings: is no subclass of ockham.contracts.Settings")
    _check(point, callable(found.score), "score: is no function")
    _check(point, _is_mapping(getattr(found, "ARRAYS", {}), Array), "ARRAYS: maps no names to ockham.contracts.Array")
    return found


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
    _check(point, isinstance(found, Paper), "is no instance of ockham.contracts.Paper")
    _check(point, found.name == name, f"has the name {found.name!r}, not {name!r}")
    for field in ("figures", "tables"):
        for label, shown in getattr(found, field).items():
            ok = isinstance(shown, Shown) and shown.function.count(":") == 1
            _check(point, ok, f"{field}.{label}: is no ockham.contracts.Shown with a function '<module>:<function>'")
    twice = sorted(set(found.figures) & set(found.tables))
    _check(point, not twice, f"tables.{''.join(twice[:1])}: is also the name of a figure")
    for file in found.numbers:
        _check(point, (found.folder / file).is_file(), f"numbers: there is no file {found.folder / file}")
    return found


def paper_names() -> tuple[str, ...]:
    """The papers that can be named."""
    return tuple(_points("ockham.papers"))


def load(place: str) -> Any:
    """What ``<module>:<name>`` names."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def module_name(thing: ModuleType | Family[Any, Any, Any] | str) -> str:
    """The module that a scorer is, a family is of, or ``<module>:<name>`` names: what a digest of source begins at."""
    if isinstance(thing, str):
        return thing.partition(":")[0]
    return thing.__name__ if isinstance(thing, ModuleType) else type(thing).__module__


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
        raise ConfigError(
            f"{_where(point)}: cannot be imported ({type(error).__name__}: {error}); correct or uninstall it"
        ) from error


def _check(point: EntryPoint, sound: bool, problem: str) -> None:
    if not sound:
        raise ConfigError(f"{_where(point)}: {problem}; correct it as docs/adding_a_scorer.md says, or uninstall it")


def _is_mapping(thing: Any, kind: type) -> bool:
    return isinstance(thing, Mapping) and all(
        isinstance(name, str) and isinstance(value, kind) for name, value in thing.items()
    )


def _where(point: EntryPoint) -> str:
    return f"distribution {_distribution(point)}, entry point {point.name!r} of {point.group} ({point.value})"


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "of unknown name"
