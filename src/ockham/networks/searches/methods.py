"""A paragraph for a paper on how graphs were searched and judged, made from what was done."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ockham.networks.comparisons.methods import judgement, priors_of
from ockham.networks.data.unique_rows import MISSING
from ockham.networks.searches.fits import SCORES
from ockham.table_results.methods import missing_cells

if TYPE_CHECKING:
    from ockham.networks.searches.structure_search import StructureSearch

__all__ = ["methods"]

CITED = {
    "cheeseman_stutz": "the Cheeseman-Stutz score (Cheeseman & Stutz, 1996)",
    "variational_bayes": "the lower bound of variational Bayes (Beal & Ghahramani, 2006)",
}
"""By the names of ``SCORES``."""


def methods(found: "StructureSearch") -> str:
    """What was done, and what came of it."""
    return " ".join([*_search(found), *judgement(found.judged)])


def _search(found: "StructureSearch") -> Iterator[str]:
    limits = found.limits
    yield (
        f"Directed graphs with up to {limits.max_hidden} hidden variables of up to {limits.max_values} values, and up "
        f"to {limits.max_indegree} parents of a variable, were searched on {found.data.n:,} rows of "
        f"{len(found.labels)} categorical variables by {found.n_climbs} climbs of {CITED[found.score]}: arcs by "
        "structural EM (Friedman, 1997; Friedman, 1998), new hidden variables as parents of clusters (Elidan et al., "
        "2000), others removed or given a value more or less."
    )
    yield from missing_cells(found.data.rows == MISSING, found.data.counts)
    yield priors_of(list(found.models.values()))
    yield (
        f"Of {found.n_graphs:,} classes of equivalent graphs that were reached, {len(found.models)} were judged: those "
        f"with the highest {SCORES[found.score]} scores, and the best without hidden variables among them."
    )
