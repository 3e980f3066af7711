"""Which figures and tables a study has enough for: of its paper, or, where it names none, of any study."""

from collections.abc import Sequence

from ockham import families
from ockham.contracts import Needs, Paper
from ockham.studies.grids import Study

__all__ = ["CLAIMS", "PAGE", "record_of", "shown_by", "shows_claims", "shows_page"]

CLAIMS = "claims"
"""The table of a paper's claims beside what is stored, and, in the folder of all figures, that of their counts."""
PAGE = "page.html"
"""All that a study without a paper shows, in one file."""


def record_of(studies: Sequence[Study]) -> Paper | None:
    """What a study, or its conditions together, can show: the record of its paper, or its family's.

    The latter, of studies without a paper, takes summaries of one study, of scores of every structure.
    """
    first = studies[0]
    if first.paper is not None:
        return families.paper(first.paper)
    whole = any(grid.structures is None and not grid.from_truth for grid in first.scorers.values())
    place = first.family.record_for(first)
    if first.condition is not None or not whole or not place:
        return None
    found: Paper = families.load(place)
    return found


def shown_by(paper: Paper | None, studies: Sequence[Study]) -> tuple[list[str], list[str]]:
    """Names of the figures and of the tables of a record that a study, or its conditions together, can show."""
    if paper is None:
        return [], []
    figures, tables = (
        [n for n, about in of.items() if _has(studies, about.needs)] for of in (paper.figures, paper.tables)
    )
    return figures, tables


def shows_claims(paper: Paper | None, study: str) -> bool:
    """Whether a study is the one that a paper's claims are judged by: that which has the paper's name."""
    return paper is not None and paper.name == study and (paper.folder / f"{CLAIMS}.yaml").is_file()


def shows_page(studies: Sequence[Study]) -> bool:
    """Whether a study has a page: one without a paper, whose figures and tables are those of its family."""
    return studies[0].paper is None and record_of(studies) is not None


def _has(studies: Sequence[Study], needs: Needs) -> bool:
    """Whether every condition that is named has the entries; if none is named, all conditions together.

    What shows a whole study compares structures, so that one structure alone is not enough.
    """
    if not set(needs.conditions) <= {study.condition for study in studies}:
        return False
    if needs.whole and any(study.condition or len(study.models) == 1 for study in studies):
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
