"""Structures of models from files, and as networks on a table, whose columns are their observed variables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ockham.errors import ConfigError, DataError, ModelError
from ockham.io.arguments import file_path, shown
from ockham.io.bif import read_bif
from ockham.io.frames import CategoricalTable
from ockham.io.yaml_files import error_lines, read_yaml
from ockham.networks.classes.priors import Prior
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.settings import ListedStructure

__all__ = ["Structure", "network_on", "structure_in"]


@dataclass(frozen=True)
class Structure:
    """What a model says before the table is known.

    Attributes
    ----------
    parents : mapping of str to tuple of str
        Of every variable.
    cardinalities : mapping of str to int
        Numbers of values, of the variables that have one.
    states : mapping of str to tuple of str
        Names of the values, of the variables that have them.
    hidden : mapping of str to bool
        Whether a variable is hidden; those that it leaves out are where the table has no column of them.
    prior : float or mapping of str to float, optional
        Hyperparameter of every entry, or by variable, 1 for those left out.
    """

    parents: Mapping[str, tuple[str, ...]]
    cardinalities: Mapping[str, int]
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden: Mapping[str, bool] = field(default_factory=dict)
    prior: float | Mapping[str, float] | None = None


def structure_in(path: Path) -> Structure:
    """That of a BIF file, whose probabilities do not count, or of a YAML file with the keys of a listed structure.

    Raises
    ------
    OckhamError
        That names the file and what is wrong with it.
    """
    suffix = path.suffix.lower()
    if suffix == ".bif":
        found = read_bif(file_path(path, DataError))
        names = found.names
        parents = {name: tuple(names[p] for p in of) for name, of in zip(names, found.parents, strict=True)}
        states = dict(zip(names, found.values, strict=True))
        return Structure(parents, {name: len(values) for name, values in states.items()}, states)
    if suffix not in (".yaml", ".yml"):
        raise ModelError(f"{path}: is neither a .bif nor a .yaml file; give a model in one of these")
    content = read_yaml(file_path(path, ConfigError))
    try:
        listed = ListedStructure(**content)
        DiscreteNetwork.build(**listed.model_dump())
    except ValidationError as error:
        raise ConfigError(f"{path}: {'; '.join(error_lines(error))}") from error
    except (ModelError, TypeError) as error:  # TypeError: of a key that is no text
        raise ConfigError(f"{path}: {error}") from error
    return Structure(
        {name: tuple(listed.parents.get(name, ())) for name in listed.cardinalities},
        listed.cardinalities,
        hidden={name: name in listed.hidden for name in listed.cardinalities},
        prior=listed.prior if "prior" in listed.model_fields_set else None,
    )


def network_on(model: Structure | DiscreteNetwork, table: CategoricalTable, prior: Prior) -> DiscreteNetwork:
    """The network whose observed variables are the columns of a table.

    A structure becomes the same network whatever file or object it is from: hidden variables first, by name, then the
    columns in their order.

    Raises
    ------
    ModelError
        That names the variable or column that does not fit, and the remedy.
    """
    if isinstance(model, DiscreteNetwork):
        names = model.names
        structure = Structure(
            {name: tuple(names[p] for p in of) for name, of in zip(names, model.parents, strict=True)},
            dict(zip(names, model.cardinalities, strict=True)),
            hidden={name: i in model.hidden for i, name in enumerate(names)},
        )
        _check(structure, table)
        _check_which_states(model, table)
        return model
    hidden = _check(model, table)
    cardinalities = {name: model.cardinalities[name] for name in hidden}
    for name, labels in zip(table.names, table.categories, strict=True):
        cardinalities[name] = model.cardinalities.get(name, len(labels))
    parents = {name: [other for other in cardinalities if other in model.parents[name]] for name in cardinalities}
    given = model.prior
    if given is None:
        sizes = {name: prod(cardinalities[member] for member in (name, *of)) for name, of in parents.items()}
        given = {name: prior.entry(size) for name, size in sizes.items()}
    return DiscreteNetwork.build(cardinalities, parents, hidden, given)


def _check(model: Structure, table: CategoricalTable) -> list[str]:
    """The hidden variables by name, of a structure that fits the table."""
    columns = dict(zip(table.names, table.categories, strict=True))
    left_out = {note.column for note in table.notes} - set(columns)
    hidden = sorted(name for name in model.parents if model.hidden.get(name, name not in columns))
    if not columns.keys() & model.parents.keys():
        raise ModelError(
            f"has no variable of the table, whose columns are {_some(columns)}; name its variables like these"
        )
    for name in model.parents:
        if name in hidden and name in columns:
            raise ModelError(f"hidden variable {shown(name)} is a column of the table; drop that column")
        if name in left_out:
            raise ModelError(
                f"column {shown(name)} was left out of the table, having fewer than two states; drop it for a hidden "
                "variable, or leave the variable out of the model"
            )
        if name not in hidden and name not in columns:
            raise ModelError(
                f"observed variable {shown(name)} has no column in the table; name it as hidden, or add it"
            )
    if unused := [name for name in columns if name not in model.parents]:
        raise ModelError(
            f"does not use column {shown(unused[0])}, and evidences of different data cannot be compared; add the "
            f"variable, or drop the column (drop={shown(unused[0])}, --drop)"
        )
    for name in hidden:
        if name not in model.cardinalities:
            raise ModelError(f"hidden variable {shown(name)} has no cardinality; give it one")
    for name, labels in columns.items():
        if unknown := [label for label in labels if label not in model.states.get(name, labels)]:
            raise ModelError(
                f"variable {shown(name)} lacks the state {shown(unknown[0])} of the table, its states are "
                f"{_some(model.states[name])}; name them alike"
            )
        if model.cardinalities.get(name, len(labels)) < len(labels):
            raise ModelError(
                f"variable {shown(name)} has {model.cardinalities[name]} values, its column {len(labels)} states "
                f"({_some(labels)}); correct the cardinality or the table"
            )
    return hidden


def _check_which_states(network: DiscreteNetwork, table: CategoricalTable) -> None:
    """Refuse columns with fewer states than a variable has values, where its hyperparameters tell these apart."""
    for i in network.observed:
        labels = table.categories[table.names.index(network.names[i])]
        families = [i, *(child for child, of in enumerate(network.parents) if i in of)]
        if len(labels) < network.cardinalities[i] and any(np.ptp(network.family(f, network.prior)) for f in families):
            raise ModelError(
                f"variable {shown(network.names[i])} has {network.cardinalities[i]} values with hyperparameters that "
                f"differ, its column {len(labels)} states ({_some(labels)}): which these are is not known; give "
                "ockham.score an array of states"
            )


def _some(names: Any) -> str:
    return shown(list(names)).strip("[]")
