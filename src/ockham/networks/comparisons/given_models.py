"""Models as a caller gives them, by name, as networks on a table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ockham.errors import ConfigError, ModelError
from ockham.io.arguments import sequence, text
from ockham.io.frames import CategoricalTable
from ockham.networks.classes.priors import Prior
from ockham.networks.comparisons.objects import structure_of
from ockham.networks.comparisons.structures import Structure, network_on, structure_in
from ockham.networks.discrete_network import DiscreteNetwork

__all__ = ["named_models", "network_given", "structure_given"]

MOST_MODELS = 100


def named_models(models: Any, what: str, least: int, remedy: str) -> dict[str, Any]:
    """Models by name, from a mapping or a list, the argument ``what``; at least so many."""
    if isinstance(models, Mapping):
        pairs = [(text(name, "name of a model", ConfigError), model) for name, model in models.items()]
    else:
        given = sequence(models, what, ConfigError)
        pairs = [(_name(model) or f"model {k}", model) for k, model in enumerate(given, start=1)]
    names = [name for name, _ in pairs]
    if not least <= len(names) <= MOST_MODELS:
        raise ConfigError(f"{what}: must be {least} to {MOST_MODELS}; {remedy}")
    if twice := [name for k, name in enumerate(names) if name in names[:k]]:
        raise ConfigError(f"{what}: two are called {twice[0]!r}; rename one, or give a mapping of names to models")
    return dict(pairs)


def _name(model: Any) -> str:
    """That of a file or a graph; empty where it has none."""
    if isinstance(model, str | Path):
        return Path(model).stem
    try:
        name = getattr(model, "name", "")
    except Exception:  # of whatever the caller's object does
        return ""
    return name if isinstance(name, str) else ""


def structure_given(name: str, model: Any) -> Structure | DiscreteNetwork:
    """What a model says before the table is known; a network says all."""
    if isinstance(model, DiscreteNetwork):
        return model
    if isinstance(model, str | Path):
        return structure_in(Path(model))
    try:
        return structure_of(model)
    except ModelError as error:
        raise ModelError(f"model {name!r}: {error}") from error


def network_given(
    name: str, model: Structure | DiscreteNetwork, table: CategoricalTable, prior: Prior
) -> DiscreteNetwork:
    """The network on a table."""
    try:
        return network_on(model, table, prior)
    except ModelError as error:
        raise ModelError(f"model {name!r}: {error}") from error
