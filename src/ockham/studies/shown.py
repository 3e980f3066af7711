"""Which figures and tables of its paper a study has enough for."""

from collections.abc import Sequence

from ockham.contracts import Needs, Paper
from ockham.studies.grids import Study

__all__ = ["shown_by"]


def shown_by(paper: Paper | None, studies: Sequence[Study]) -> tuple[list[str], list[str]]:
    """Names of the figures and of the tables that a study, or its conditions together, can show."""
    if paper is None:
        return [], []
    figures, tables = (
        [n for n, about in of.items() if _has(studies, about.needs)] for of in (paper.figures, paper.tables)
    )
    return figures, tables


def _has(studies: Sequence[Study], needs: Needs) -> bool:
    """Whether every condition that is named has the entries; if none is named, all conditions together."""
    if not set(needs.conditions) <= {study.condition for study in studies}:
        return False
    named = [study for study in studies if study.condition in needs.conditions] or studies
    for part in [[study] for study in named] if needs.conditions else [named]:
        entries = [(study.scorer_name(name), grid.role) for study in part for name, grid in study.scorers.items()]
        if not set(needs.scorers) <= {scorer for scorer, role in entries if role is None}:
            return False
        if not set(needs.roles) <= {role for _, role in entries}:
            return False
        if needs.prior_draws and not any(study.replicates.prior_draws for study in part):
            return False
    return set(needs.measurements) <= {name for study in named for name in study.measurements}
