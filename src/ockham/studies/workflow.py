"""What the workflow runs and where it reads and writes: the file that Snakemake is given."""

import os
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, ValidationError, field_validator

from ockham import contracts
from ockham.errors import ConfigError
from ockham.io.yaml_files import error_lines
from ockham.studies.study_files import NAME_OF_STUDY, StudyName

__all__ = [
    "RESERVED", "RULES", "Workflow", "check_places", "check_writable", "load_workflow", "named_studies", "only_stores",
]  # fmt: skip

RULES = (
    "all", "draw", "score", "measure", "collect", "summarise", "plot", "tabulate", "tabulate_costs", "judge_claims",
    "count_claims", "write_page", "manifest",
)  # fmt: skip
"""Of the workflow, by their names."""
RESERVED = (*RULES, "logs", "benchmarks")
"""What no study can be called: a study has the name of its target, and of its folder beside these in the results."""
Written = Literal["results", "figures", "logs", "benchmarks"]
REFERENCE = re.compile(f"<({'|'.join(get_args(Written))})>")
MAX_NAME = 255
"""Of a file or a folder, on the file systems that there are."""
BRACES = "has { or }, which Snakemake takes for the name of something; choose another folder"


def _check_folder(path: str) -> str:
    """Refuse what Snakemake would take for more than the name of a folder; the shell sees it quoted."""
    if re.search("[{}]", path):
        raise ValueError(f"{path!r} {BRACES}")
    if re.search("[<>]", REFERENCE.sub("", path)):
        raise ValueError(f"{path!r} has < or >; only <{'>, <'.join(get_args(Written))}> can be named in a folder")
    if not path.isprintable() or path != path.strip():
        raise ValueError(f"{path!r} begins or ends with a space, or has characters that cannot be printed; remove them")
    if any(len(os.fsencode(part)) > MAX_NAME for part in path.split("/")):
        raise ValueError(f"{path[:30]!r}... has a part of more than {MAX_NAME} bytes; give shorter ones")
    return path


Folder = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_check_folder)]


class Workflow(contracts.Settings):
    """What the workflow runs and where it reads and writes."""

    studies: list[StudyName] = Field(min_length=1, description="names of the studies to run")
    config: Folder = Field(description="folder of the studies' files")
    pathvars: dict[Written, Folder] = Field(min_length=4, description="folders that the workflow writes to")
    unclean: bool = Field(
        default=False, description="whether figures that may be committed can be made from what no commit has"
    )

    @field_validator("studies")
    @classmethod
    def _once(cls, studies: list[str]) -> list[str]:
        for name, times in Counter(studies).items():
            if times > 1:
                raise ValueError(f"{name!r} is given twice")
        return studies


def load_workflow(content: dict[str, Any]) -> Workflow:
    """The workflow's configuration, from what Snakemake read."""
    try:
        return Workflow.model_validate(content)
    except ValidationError as error:
        lines = (f"workflow configuration: {line}" for line in error_lines(error))
        raise ConfigError("\n".join(lines)) from error


def only_stores(loaded: Workflow, targets: Sequence[str], results: str) -> bool:
    """Whether all targets are below the results of a study, which needs no other: claims may rest on several.

    Parameters
    ----------
    loaded : Workflow
    targets : sequence of str
        As of ``named_studies``.
    results : str
        The folder of results.
    """
    stores = [Path(target) for target in targets if target.endswith(".nc") and Path(target).is_relative_to(results)]
    of_studies = [path for path in stores if _is_study(loaded, path.relative_to(results).parts[0])]
    return len(of_studies) == len(targets) > 0


def named_studies(loaded: Workflow, targets: Sequence[str], results: str, known: Container[str]) -> list[str]:
    """The studies to load: those of the folder of studies that targets name, and, unless these are all that targets
    need, those that are listed.

    Parameters
    ----------
    loaded : Workflow
    targets : sequence of str
        Names of studies or of rules, or paths whose parts may be names of studies.
    results : str
        The folder of results.
    known : container of str
        Names of rules.

    Raises
    ------
    ConfigError
        For a target that could be the name of a study, and is neither that nor a rule or a file.
    """
    found = dict.fromkeys([] if only_stores(loaded, targets, results) else loaded.studies)
    for target in targets:
        parts = [part for part in target.split("/") if _is_name(part)]
        found |= dict.fromkeys(part for part in parts if _is_study(loaded, part))
        if parts == [target] and target not in found and target not in known and not Path(target).exists():
            raise ConfigError(
                f"target {target!r}: is no study, for there is no file {loaded.config}/{target}.yaml; write it, as "
                f"`ockham init` does from a table, or name one of {', '.join(loaded.studies)}"
            )
    return list(found)


def _is_name(part: str) -> bool:
    return re.fullmatch(NAME_OF_STUDY, part) is not None and len(part) <= 100


def _is_study(loaded: Workflow, name: str) -> bool:
    return _is_name(name) and Path(loaded.config, f"{name}.yaml").is_file()


def check_places(loaded: Workflow, written: Mapping[str, str], read: Iterable[Path]) -> None:
    """Refuse folders that cannot be used, before any work.

    Parameters
    ----------
    loaded : Workflow
    written : mapping of str to str
        ``pathvars``, with what they name filled in.
    read : iterable of Path
        Other folders whose paths Snakemake sees: where it was started, where its rules and the papers' numbers are.

    Raises
    ------
    ConfigError
        Naming the key, or the folder.
    """
    for folder in read:
        if re.search("[{}]", str(folder)):
            raise ConfigError(f"the folder {folder}: {BRACES}")
    if problem := _not_a_folder(Path(loaded.config)):
        raise ConfigError(f"workflow configuration: config: {problem}")
    for key in get_args(Written):  # results first: others may be in it
        for path in (Path(written[key]), *(Path(written[key], study) for study in loaded.studies)):
            if problem := _not_a_folder(path):
                raise ConfigError(f"workflow configuration: pathvars.{key}: {problem}")
    for study in loaded.studies:
        of_study = Path(written["results"], study).absolute()
        for key, place in written.items():
            if key != "results" and of_study in (Path(place).absolute(), *Path(place).absolute().parents):
                raise ConfigError(
                    f"workflow configuration: studies: {study!r} would store its results where pathvars.{key} is; "
                    "choose another name or folder"
                )


def check_writable(loaded: Workflow, written: Mapping[str, str]) -> None:
    """Refuse folders that nothing can be written to, before any work; parameters as of ``check_places``.

    Raises
    ------
    ConfigError
        Naming the key and the folder.
    """
    for key in get_args(Written):
        for path in (Path(written[key]), *(Path(written[key], study) for study in loaded.studies)):
            folder = next(part for part in (path, *path.absolute().parents) if part.exists())
            if not os.access(folder, os.W_OK):
                raise ConfigError(
                    f"workflow configuration: pathvars.{key}: nothing can be written to {folder}; make it writable, or "
                    "choose another folder"
                )


def _not_a_folder(path: Path) -> str | None:
    """What hinders a path from being a folder, or being made one; nothing if nothing does."""
    for part in (path, *path.parents):
        try:
            if S_ISDIR(os.stat(part).st_mode):
                return None
            return f"{part} is a file, where a folder should be; move it away, or choose another folder"
        except FileNotFoundError:
            if part.is_symlink():
                return f"{part} is a link to what is not there; remove it, or choose another folder"
        except NotADirectoryError:
            continue  # one of its parents tells
        except OSError as error:
            return f"{part} cannot be a folder ({error.strerror}); choose another"
    return None
