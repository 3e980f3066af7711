"""What a paper's tables and number files can hold, ``stored.yaml`` in its folder: what its claims may name."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

from ockham.contracts import Paper, Settings
from ockham.errors import ConfigError
from ockham.io.yaml_files import error_lines, read_yaml

__all__ = ["Label", "Stored", "StoredTable", "read_stored", "read_valid"]

Label = int | float | str
"""What stands in a column that tells rows apart."""


class StoredTable(Settings):
    """The columns of one table."""

    rows: dict[str, list[Label]] = Field(
        min_length=1, description="columns that tell rows apart, each with what can stand in it; empty: any number"
    )
    columns: list[str] = Field(min_length=1, description="the other columns")


class Stored(Settings):
    """What a paper's claims may name, and which labels the files of its numbers have."""

    studies: list[str] = Field(
        default_factory=list, description="studies of the paper beside its own whose tables claims may name"
    )
    numbers: dict[str, dict[str, list[str]]] = Field(
        default_factory=dict, description="file of the paper's numbers to the labels that a column of text must have"
    )
    tables: dict[str, StoredTable] = Field(default_factory=dict, description="name of a table to what it has")


Model = TypeVar("Model", bound=BaseModel)


def read_stored(paper: Paper) -> Stored:
    """What is stored of a paper; nothing where it has no such file.

    Raises
    ------
    ConfigError
        With the file and the field: unknown keys, and tables or files of numbers that the paper's record lacks.
    """
    path = paper.folder / "stored.yaml"
    if not path.is_file():
        return Stored()
    stored = read_valid(path, Stored)
    for field, names, known in (("tables", stored.tables, paper.tables), ("numbers", stored.numbers, paper.numbers)):
        if unknown := [name for name in names if name not in known]:
            has = ", ".join(known) or "none"
            raise ConfigError(f"{path}: {field}.{unknown[0]}: is not in the paper's record, which has {has}")
    return stored


def read_valid(path: Path, model: type[Model]) -> Model:
    """A YAML file as a model; a ConfigError with a line for every problem otherwise."""
    try:
        return model.model_validate(read_yaml(path))
    except ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {line}" for line in error_lines(error))) from error
