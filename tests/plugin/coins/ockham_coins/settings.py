"""What the file of a study of coins has beside what every study has."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated

from pydantic import Field, model_validator

from ockham.contracts import FamilySettings
from ockham_coins.coins import Coins

__all__ = ["CoinSettings"]

Sharing = Annotated[str, Field(pattern="^[a-z]{1,26}$")]


class CoinSettings(FamilySettings):
    """Which coins share a bias: in the truth, and in the structures to compare."""

    structures: list[Sharing] = Field(min_length=1, description="a letter per coin; equal letters share a bias")
    truth: Sharing = Field(description="the structure that tosses are drawn from")
    prior: float = Field(default=1.0, ge=1, le=1e3, description="both parameters of the Beta prior of every bias")

    @model_validator(mode="after")
    def _of_one_length(self) -> "CoinSettings":
        for label in self.structures:
            if len(label) != len(self.truth):
                raise ValueError(f"structures: {label} has {len(label)} coins, but truth has {len(self.truth)}")
        return self

    @cached_property
    def models(self) -> Mapping[str, Coins]:
        return {label: Coins(label, self.prior) for label in self.structures}

    @property
    def true_label(self) -> str:
        return self.truth

    @property
    def cardinalities(self) -> tuple[int, ...]:
        return (2,) * self.n_variables

    @property
    def n_variables(self) -> int:
        return len(self.truth)

    @property
    def n_entries(self) -> int:
        return Coins(self.truth).n_biases
