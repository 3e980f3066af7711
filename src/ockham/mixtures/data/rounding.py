"""What sums over very many cells lose to rounding, so that no evidence that is made of them is taken for exact."""

from collections.abc import Mapping
from math import sqrt

import numpy as np

from ockham.errors import DataError
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.items.item import Item

__all__ = ["check_rounding", "rounding"]

MOST = 0.01
"""Nats; the errors that were measured are below what ``rounding`` says."""
STEP = 1e-9
"""Relative, by which a sum is changed to see what hangs on its digits."""
STRAY = 0.25
"""Of the root of the number of terms, how many times its last digit a sum may stray as they are added up. Where each
step is off by up to half a digit at random, it is a sixth in the mean square."""


def check_rounding(rows: MixedRows, items: Mapping[str, Item], source: str) -> None:
    """Raise a DataError that names the item whose sums over all rows lose digits that an evidence is made of."""
    for column, (name, item) in zip(rows.rows.T, items.items(), strict=True):
        if (lost := rounding(item, column, rows.counts)) > MOST:
            raise DataError(
                f"{source}: item {name!r}: its evidence would be off by about {lost:.2g} nats, for sums over "
                f"{rows.n:,} rows lose digits; give a centre near them, take counts for numbers, or take fewer rows"
            )


def rounding(item: Item, cells: np.ndarray, counts: np.ndarray) -> float:
    """How much the evidence of cells in one class may be off, nats, as every step of a sum has the digits of a float.

    Sums of whole numbers are exact, and only what is made of them is not.
    """
    known = ~np.isnan(cells)
    statistics = item.statistics(cells[known])
    sums = counts[known] @ statistics
    found = item.log_marginal(sums)
    changed = item.log_marginal(sums + STEP * np.diag(sums))
    is_whole = (statistics == np.floor(statistics)).all()
    digits = 1.0 if is_whole else max(1.0, STRAY * sqrt(known.sum()))
    return float(digits * np.finfo(float).eps / STEP * np.abs(changed - found).sum())
