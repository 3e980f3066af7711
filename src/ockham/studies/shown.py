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
    entries = [(study.scorer_name(name), grid.role) for study in studies for name, grid in study.scorers.items()]
    have: dict[str, set[str | None]] = {
        "scorers": {scorer for scorer, role in entries if role is None},
        "roles": {role for _, role in entries},
        "conditions": {study.condition for study in studies},
        "measurements": {name for study in studies for name in study.measurements},
    }
    return all(set(getattr(needs, what)) <= found for what, found in have.items())
