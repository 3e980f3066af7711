"""Results by the number of classes, as numbers and as a reader sees them."""

from collections.abc import Iterator
from math import nan
from typing import TYPE_CHECKING, Any

from ockham.networks.classes.fit_statistics import SPARSE
from ockham.networks.classes.fits import ESTIMATES
from ockham.table_results import selection_showing as shared
from ockham.table_results.cells import Cell, Rows, number
from ockham.table_results.selection_showing import classes_in_words

if TYPE_CHECKING:
    from ockham.networks.classes.fits import ClassFit
    from ockham.networks.classes.selection import CategoricalSelection

__all__ = ["remarks", "result_rows", "results"]

WORTH_A_LOOK = 4.0
"""Bivariate residual."""


def results(found: "CategoricalSelection") -> list[dict[str, Any]]:
    """A record for each number of classes; nats, NaN where unknown."""
    names = list(found.labels)

    def of_fit(fit: "ClassFit | None") -> dict[str, Any]:
        about = fit.statistics if fit is not None else None
        pair = about.largest_residual if about is not None else None
        return {
            "g2": about.g2 if about is not None else nan,
            "g2_degrees_of_freedom": about.degrees_of_freedom if about is not None else nan,
            "g2_p_value": about.p_value if about is not None else nan,
            "largest_residual": pair[2] if pair is not None else nan,
            "largest_residual_items": f"{names[pair[0]]}, {names[pair[1]]}" if pair is not None else "",
            "entropy": about.entropy if about is not None else nan,
        }

    return shared.results(found, of_fit)


def result_rows(found: "CategoricalSelection") -> Rows:
    """Heads and rows of the table of results."""
    heads_of_scores = dict(zip(ESTIMATES, ("MAP", "BIC", "CS", "VB"), strict=True))
    heads = ["G2", "df", "p of G2", "largest residual", "of items", "entropy"]

    def of_fit(row: dict[str, Any]) -> list[Cell]:
        return [
            number(row["g2"], 1), number(row["g2_degrees_of_freedom"], 0), number(row["g2_p_value"], 3),
            number(row["largest_residual"], 1), Cell(row["largest_residual_items"] or "-"), number(row["entropy"], 2),
        ]  # fmt: skip

    return shared.result_rows(found, results(found), heads_of_scores, heads, of_fit)


def remarks(found: "CategoricalSelection") -> Iterator[str]:
    """What a reader of the results should know."""
    yield from shared.remarks(found, _remarks_on_fits)


def _remarks_on_fits(found: "CategoricalSelection") -> Iterator[str]:
    fits = [(k, fit.statistics) for k, fit in found.fits.items()]
    if fits and fits[0][1].is_sparse:
        about = fits[0][1]
        yield (
            f"The table is sparse: {about.n_complete:,} complete rows for {number(about.n_cells, 0).text} cells, "
            f"where {SPARSE:g} a cell are needed; G2 has no chi-square distribution then, and no p-value is given."
        )
    names = list(found.labels)
    for k, about in fits:
        pair = about.largest_residual
        if k in found.posterior.leading and pair is not None and pair[2] > WORTH_A_LOOK:
            yield (
                f"With {classes_in_words(k)} the items {names[pair[0]]!r} and {names[pair[1]]!r} may still depend on "
                f"each other: their bivariate residual is {pair[2]:.1f}."
            )
