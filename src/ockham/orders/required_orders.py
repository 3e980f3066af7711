"""Node orders in which all required parents come before their children: how many there are, and draws of one."""

from functools import cached_property
from math import factorial, log, prod

import numpy as np

from ockham.errors import ModelError

__all__ = ["RequiredOrders"]

MOST_SETS = 200_000
"""Sets of nodes that are left when some are taken away from the first on; each takes a microsecond or two."""


class RequiredOrders:
    """The linear extensions of required arcs.

    Only nodes with a required arc matter, and those that no required arcs connect do not matter to each other: the
    others are anywhere. So extensions are counted by component.

    Parameters
    ----------
    parents : ndarray of uint64, shape (n_nodes,)
        Masks of the required parents of each node, without a cycle.
    """

    def __init__(self, parents: np.ndarray) -> None:
        self.parents: list[int] = [int(mask) for mask in parents]
        self._counts = {0: 1}

    @cached_property
    def components(self) -> list[int]:
        """Masks of two nodes or more that required arcs connect."""
        found: list[int] = []
        for v, mask in enumerate(self.parents):
            touched, together = [c for c in found if c & mask or c >> v & 1], mask | 1 << v
            found = [c for c in found if c not in touched] + ([sum(touched) | together] if mask or touched else [])
        return found

    def log_count(self) -> float:
        """ln of how many there are; nats."""
        orders = factorial(len(self.parents)) // prod(factorial(c.bit_count()) for c in self.components)
        return log(orders * prod(map(self._count, self.components)))

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """One of them, all with the same probability; int32, shape (n_nodes,)."""
        order = rng.permutation(len(self.parents)).astype(np.int32)
        for component in self.components:
            members = [v for v in range(len(self.parents)) if component >> v & 1]
            order[np.isin(order, members)] = self._draw(component, rng)
        return order

    def _draw(self, left: int, rng: np.random.Generator) -> list[int]:
        found: list[int] = []
        while left:
            free = self._free(left)
            cumulative = np.cumsum([self._count(left ^ 1 << v) / self._count(left) for v in free])
            found.append(free[int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))])
            left ^= 1 << found[-1]
        return found

    def _free(self, left: int) -> list[int]:
        """Nodes that may come first."""
        return [v for v, mask in enumerate(self.parents) if left >> v & 1 and not mask & left]

    def _count(self, left: int) -> int:
        if left not in self._counts:
            if len(self._counts) >= MOST_SETS:
                raise ModelError(
                    f"required arcs: the orders that they allow have more than {MOST_SETS:,} sets of nodes left; "
                    "require fewer arcs"
                )
            self._counts[left] = sum(self._count(left ^ 1 << v) for v in self._free(left))
        return self._counts[left]
