"""What a latent class model is to its fit, whatever its items are."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ockham.errors import ConfigError
from ockham.estimation.given_rows import GivenRows
from ockham.io.arguments import sequence, shown, text

__all__ = ["ClassModel", "Labels", "checked_labels", "in_chunks"]

Labels = Mapping[str, Sequence[str]] | Sequence[Sequence[str]]
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

    def read(self, data: Any, source: str) -> tuple[Any, GivenRows]:
        """The distinct rows of a caller's data, and which of them each row is."""

    def log_joint(self, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """ln p(row, class | point), nats, shape (n_points, n_rows, n_classes)."""


def in_chunks(points: np.ndarray, n_numbers: int) -> list[np.ndarray]:
    """Points in parts for which an array of so many numbers for each point is of moderate size."""
    n_each = max(1, CHUNK // n_numbers)
    return [points[first : first + n_each] for first in range(0, len(points), n_each)]


def checked_labels(items: Mapping[str, int], labels: Labels | None) -> tuple[tuple[str, ...], ...]:
    """What the values of every item are called, by default 0, 1, ...; items have so many values, numbers none.

    Raises
    ------
    ConfigError
        For labels that are not one text for every value.
    """
    if labels is None:
        labels = {}
    if not isinstance(labels, Mapping):
        given = sequence(labels, "labels", ConfigError)
        if len(given) != len(items):
            raise ConfigError(f"labels: are of {len(given)} items; the model has {len(items)}")
        labels = dict(zip(items, given, strict=True))
    for name in labels:
        if name not in items:
            raise ConfigError(f"labels: {shown(name)} is no item: the model has {', '.join(items)[:200]}")
    found = []
    for name, n_values in items.items():
        words = sequence(labels.get(name, [str(value) for value in range(n_values)]), f"labels of {name}", ConfigError)
        words = tuple(text(word, f"labels of {name}", ConfigError) for word in words)
        if not len(words) == len(set(words)) == n_values:
            raise ConfigError(
                f"labels of {name}: {shown(words)} must be {n_values} different texts, one for each value"
            )
        found.append(words)
    return tuple(found)
