"""What the workflow runs and where it reads and writes: the file that Snakemake is given."""

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator

from ockham import contracts
from ockham.errors import ConfigError
from ockham.studies.study_files import StudyName, error_lines

__all__ = ["Workflow", "load_workflow"]

Folder = Annotated[str, Field(min_length=1, max_length=1000)]


class Workflow(contracts.Settings):
    """What the workflow runs and where it reads and writes."""

    studies: list[StudyName] = Field(min_length=1, description="names of the studies to run")
    config: Folder = Field(description="folder of the studies' files")
    pathvars: dict[Literal["results", "figures", "logs", "benchmarks"], Folder] = Field(
        min_length=4, description="folders that the workflow writes to"
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
