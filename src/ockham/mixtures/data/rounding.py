"""What sums over very many cells lose to rounding, so that no evidence that is made of them is taken for exact."""

import numpy as np

from ockham.errors import DataError
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.items.item import Item

__all__ = ["check_rounding", "rounding"]

MOST = 0.01
"""Nats; the errors that were measured are below what ``rounding`` says."""
STEP = 1e-9
"""Relative, by which a sum is changed to see what hangs on its digits."""


def check_rounding(rows: MixedRows, items: dict[str, Item], source: str) -> None:
    """Raise a DataError that names the item whose sums over all rows lose digits that an evidence is made of."""
    for column, (name, item) in zip(rows.rows.T, items.items(), strict=True):
        if (lost := rounding(item, column, rows.counts)) > MOST:
            raise DataError(
                f"{source}: item {name!r}: its evidence would be off by about {lost:.2g} nats, for sums over "
                f"{rows.n:,} rows lose digits; give a centre near them, take counts for numbers, or take fewer rows"
            )


def rounding(item: Item, cells: np.ndarray, counts: np.ndarray) -> float:
    """How much the evidence of cells in one class may be off, nats, as every sum has the digits of a float."""
    known = ~np.isnan(cells)
    sums = counts[known] @ item.statistics(cells[known])
    found = item.log_marginal(sums)
    changed = item.log_marginal(sums + STEP * np.diag(sums))
    return float(np.finfo(float).eps / STEP * np.abs(changed - found).sum())
