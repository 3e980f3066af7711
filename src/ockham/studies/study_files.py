"""What the file of a study has whatever its family: a model, conditions, names, and how it is refused."""

import hashlib
import json
import re
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, ValidationError

from ockham import contracts
from ockham.errors import ConfigError
from ockham.io.yaml_files import error_lines, read_yaml

__all__ = [
    "DEFAULT_MODEL", "NAME_OF_STUDY", "StudyFile", "StudyName", "check_one_of", "conditions_of", "file_and_condition",
    "load_as", "model_of",
]  # fmt: skip

DEFAULT_MODEL = "discrete_network"
"""The model of files that do not say one."""

NAME_OF_STUDY = "[A-Za-z0-9_]+"
StudyName = Annotated[str, Field(pattern=f"^{NAME_OF_STUDY}$", max_length=100)]


class StudyFile(contracts.Settings):
    """The keys that a study's file has whatever it is a grid of."""

    study: StudyName = Field(description="name of the study and of its folders")
    paper: str | None = Field(
        default=None, description="paper whose published parameters, figures and tables the study reproduces, if any"
    )
    root_seed: int = Field(ge=0, lt=2**63, description="the one seed that every random stream is derived from")
    streams: str | None = Field(
        default=None,
        description="the condition whose random streams this one shares, and so its data; its own by default",
    )
    beyond_paper: bool = Field(
        default=False, description="whether the paper has no such condition, so that its own figures may leave it out"
    )
    condition: str | None = Field(
        default=None, description="set by the file's `conditions`: which of them this study is"
    )

    @property
    def name(self) -> str:
        """Name of the study and its condition, and of its folders."""
        return self.study if self.condition is None else f"{self.study}/{self.condition}"

    @property
    def stream_name(self) -> str:
        """What the random streams are named after: studies of one paper, at one root seed, share data and starts."""
        base = self.paper or self.study
        return base if self.condition is None else f"{base}/{self.streams or self.condition}"

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the study's numbers depend on in its configuration."""
        return hashlib.sha256(json.dumps(self.model_dump(), sort_keys=True).encode()).hexdigest()


Kind = TypeVar("Kind", bound=StudyFile)


def model_of(path: str | Path) -> str:
    """The family that a study's file, with or without one of its conditions, says in ``model``."""
    return str(read_yaml(file_and_condition(path)[0]).get("model", DEFAULT_MODEL))


def load_as(kind: type[Kind], path: str | Path) -> Kind:
    """The study of a YAML file, or of one of its conditions: ``<file>:<condition>``.

    Raises
    ------
    ConfigError
        With one line per problem: file, field, what is wrong, and what would be right.
    """
    file, condition = file_and_condition(path)
    content = read_yaml(file)
    conditions = _conditions(file, content)
    content.pop("conditions", None)
    content.pop("model", None)  # chose the family
    if "condition" in content:
        raise ConfigError(f"{path}: condition: unknown key; conditions are named under `conditions`")
    if condition is None and "streams" in content:
        raise ConfigError(f"{path}: streams: only a condition can have it; leave it out")
    named = conditions or {}
    if (conditions is None) != (condition is None) or (condition is not None and condition not in named):
        known = ", ".join(f"{file}:{name}" for name in named) or file
        raise ConfigError(f"{path}: conditions: give the file with one of its conditions, if it has any: {known}")
    if condition is not None:
        content |= named[condition] | {"condition": condition}
        if isinstance(streams := content.get("streams"), str) and streams not in named:
            raise ConfigError(f"{path}: streams: {streams!r} is not one of the conditions of {file}")
    try:
        return kind.model_validate(content, context={"folder": file.parent})
    except ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {line}" for line in error_lines(error))) from error


def conditions_of(path: str | Path) -> list[str]:
    """What ``load_as`` takes: the file itself, or the file with each of its conditions, or with the one it names."""
    if file_and_condition(path)[1] is not None:
        return [str(path)]
    conditions = _conditions(Path(path), read_yaml(Path(path)))
    return [str(path)] if conditions is None else [f"{path}:{name}" for name in conditions]


def check_one_of(path: str | Path, field: str, value, allowed: list) -> None:
    """Refuse a value that is not among those that a study has."""
    if value not in allowed:
        shown = ", ".join(map(str, allowed[:12])) + (", ..." if len(allowed) > 12 else "")
        raise ConfigError(f"{path}: {field}: {value!r} is not one of {shown}")


def _conditions(path: Path, content: dict) -> dict[str, dict] | None:
    """The conditions of a file's content, if it has any."""
    conditions = content.get("conditions")
    if conditions is None:
        return None
    if not isinstance(conditions, dict) or not conditions or not all(isinstance(c, dict) for c in conditions.values()):
        raise ConfigError(f"{path}: conditions: must map names to the keys that each sets; see config/README.md")
    for name in conditions:
        if not re.fullmatch(contracts.NAME, str(name)):
            raise ConfigError(f"{path}: conditions.{name}: names consist of at most 100 small letters, digits and _")
        if "condition" in conditions[name]:
            raise ConfigError(f"{path}: conditions.{name}.condition: unknown key; a condition is named by its own key")
    return conditions


def file_and_condition(path: str | Path) -> tuple[Path, str | None]:
    """The file of a study, and which of its conditions is meant, if one is: ``<file>:<condition>``."""
    file, separator, condition = str(path).rpartition(":")
    return (Path(file), condition) if separator and file.endswith((".yaml", ".yml")) else (Path(path), None)
