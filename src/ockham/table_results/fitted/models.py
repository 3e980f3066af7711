"""What a latent class model is to its fit, whatever its items are."""

from typing import Any, Protocol

import numpy as np

__all__ = ["ClassModel", "in_chunks"]

CHUNK = 2_000_000
"""Numbers in the largest work array, but for one point's."""


class ClassModel(Protocol):
    """Classes whose items are independent given the class. Points are parameters in an order of the model's own."""

    @property
    def n_classes(self) -> int:
        """K."""

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the items, in the order of the columns."""

    @property
    def quantities(self) -> list[tuple[str, str]]:
        """Item and name of all that a profile has, such as the probability of each value."""

    def sizes(self, points: np.ndarray) -> np.ndarray:
        """Shares of the classes, shape (..., n_classes)."""

    def profiles(self, points: np.ndarray) -> np.ndarray:
        """The quantities of every class, shape (..., n_classes, n_quantities)."""

    def read(self, data: Any, source: str) -> tuple[Any, np.ndarray]:
        """The distinct rows of a caller's data, and which of them each row is."""

    def log_joint(self, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """ln p(row, class | point), nats, shape (n_points, n_rows, n_classes)."""


def in_chunks(points: np.ndarray, n_numbers: int) -> list[np.ndarray]:
    """Points in parts for which an array of so many numbers for each point is of moderate size."""
    n_each = max(1, CHUNK // n_numbers)
    return [points[first : first + n_each] for first in range(0, len(points), n_each)]
