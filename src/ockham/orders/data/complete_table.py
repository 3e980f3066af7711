"""A table of states without missing cells, with what is computed from it once: scores of families, sums over graphs."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ockham.orders.inference.family_scores import FamilyScores, bdeu_scores
from ockham.orders.inference.graph_sums import OrderSums, SumSettings, order_sums
from ockham.orders.space import OrderSpace

__all__ = ["CompleteTable"]


@dataclass(frozen=True, eq=False)
class CompleteTable:
    """What scorers of node orders take.

    Attributes
    ----------
    names : tuple of str
    cardinalities : tuple of int
        Number of values of each variable, those that no row has included.
    states : ndarray of int, shape (n_rows, n_variables)
    """

    names: tuple[str, ...]
    cardinalities: tuple[int, ...]
    states: np.ndarray
    _kept: dict = field(default_factory=dict, repr=False)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.states)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of cardinalities and states."""
        about = repr((self.cardinalities, self.states.shape)).encode()
        return hashlib.sha256(about + self.states.astype("<i2").tobytes()).hexdigest()

    def family_scores(self, space: OrderSpace) -> FamilyScores:
        """The BDeu score of every family; those of the last space are kept."""
        if self._kept.get("space") != space:
            self._kept.clear()
            self._kept.update(space=space, scores=bdeu_scores(self, space))
        return self._kept["scores"]

    def sums(self, space: OrderSpace, settings: SumSettings, n_steps: float) -> OrderSums:
        """The sums over the graphs of an order, for runs of so many steps; the last ones are kept."""
        scores = self.family_scores(space)
        wanted = settings.method, settings.memory_limit, settings.dropped, n_steps
        if self._kept.get("wanted") != wanted:
            given = {"memory_limit": 1e9 * settings.memory_limit, "dropped": settings.dropped}
            self._kept.update(wanted=wanted, sums=order_sums(scores, settings.method, n_steps=n_steps, **given))
        return self._kept["sums"]
