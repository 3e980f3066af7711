"""A study from its file: the family that it names, the paper that it reproduces, and its settings, checked together."""

from pathlib import Path

from ockham import families
from ockham.contracts import Paper
from ockham.errors import ConfigError
from ockham.studies.grids import Study, study_class
from ockham.studies.study_files import load_as, model_of

__all__ = ["load"]


def load(path: str | Path) -> Study:
    """The study of a YAML file, or of one of its conditions as ``<file>:<condition>``.

    Raises
    ------
    ConfigError
        With one line per problem: file, field, what is wrong, and what would be right.
    """
    try:
        families.check_one_name_each()
        family = families.family(model_of(path))
        study = load_as(study_class(family), path)
        paper = families.paper(study.paper) if study.paper is not None else None
    except ConfigError as error:
        text = str(error)
        raise error if text.startswith(str(path).partition(":")[0]) else ConfigError(f"{path}: {text}") from error
    _check_paper(path, study, paper)
    return study


def _check_paper(path: str | Path, study: Study, paper: Paper | None) -> None:
    """Refuse what does not go with a study's paper, or needs one."""
    roles = paper.roles if paper else {}
    for name, grid in study.scorers.items():
        if grid.role is not None and grid.role not in roles:
            known = ", ".join(roles) or "none"
            raise ConfigError(f"{path}: scorers.{name}.role: {grid.role!r} is unknown; the study's paper has {known}")
    if paper is None or not paper.parameters:
        if study.replicates.published:
            raise ConfigError(
                f"{path}: replicates.published: only a study of a paper that prints parameters has them; set paper or "
                "prior_draws"
            )
        return
    if not study.replicates.published:
        raise ConfigError(f"{path}: replicates.published: the paper's tables need it; set it to true")
    if study.true_label not in study.models:
        raise ConfigError(f"{path}: only: a study of this paper must score its true structure, {study.true_label}")
    try:
        study.check_published(families.load(paper.parameters))
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error
