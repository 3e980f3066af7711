"""Rows in the order in which a caller gave them, beside the distinct ones that estimates are made from."""

from typing import NamedTuple

import numpy as np

__all__ = ["GivenRows"]


class GivenRows(NamedTuple):
    """Where the rows of a table are among its distinct rows, in the table's order.

    Attributes
    ----------
    which : ndarray of int64, shape (n_given,)
        The distinct row that each is.
    counts : ndarray of int64, shape (n_given,)
        How often each occurs.
    """

    which: np.ndarray
    counts: np.ndarray

    @classmethod
    def once(cls, which: np.ndarray) -> "GivenRows":
        """Of rows that each occur once."""
        return cls(which, np.ones(len(which), dtype=np.int64))

    @classmethod
    def distinct(cls, counts: np.ndarray) -> "GivenRows":
        """The distinct rows themselves, where no other order is known."""
        return cls(np.arange(len(counts)), counts)
