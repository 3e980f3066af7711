"""Coins of which some share a bias, every bias Beta distributed a priori; and rows of their tosses, 1 for heads."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from ockham.errors import DataError

__all__ = ["Coins", "Tosses"]


@dataclass(frozen=True)
class Coins:
    """Coins by letters: in ``aab`` the first two share a bias; every bias is Beta(prior, prior)."""

    family_name: ClassVar[str] = "coins"
    sharing: str
    prior: float = 1.0

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that the evidence depends on."""
        return sha256(repr(self).encode()).hexdigest()

    @cached_property
    def bias_of_coin(self) -> np.ndarray:
        """Index of the bias of every coin, shape (n_coins,)."""
        return np.array([sorted(set(self.sharing)).index(letter) for letter in self.sharing])

    @property
    def n_biases(self) -> int:
        """Free parameters."""
        return len(set(self.sharing))

    def counts(self, data: "Tosses") -> tuple[np.ndarray, np.ndarray]:
        """Heads and tails by bias, each of shape (n_biases,)."""
        heads = np.bincount(self.bias_of_coin, data.heads)
        return heads, np.bincount(self.bias_of_coin) * data.n - heads

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """Draws of the prior, shape (n, n_biases)."""
        return rng.beta(self.prior, self.prior, size=(n, self.n_biases))


@dataclass(frozen=True)
class Tosses:
    """How often each coin showed heads in n rows of tosses."""

    heads: tuple[int, ...]
    n: int

    @classmethod
    def of(cls, rows: Any, n_coins: int) -> "Tosses":
        """The counts of rows of zeros and ones, shape (n, n_coins)."""
        rows = np.asarray(rows)
        if rows.ndim != 2 or rows.shape[1] != n_coins or not np.isin(rows, (0, 1)).all():
            raise DataError(f"the data: need rows of {n_coins} values 0 or 1, one per coin; got shape {rows.shape}")
        return cls(tuple(rows.sum(axis=0).tolist()), len(rows))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that a score depends on."""
        return sha256(repr(self).encode()).hexdigest()
