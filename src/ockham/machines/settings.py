"""What the file of a study of machines has beside what every study has: numbers of units, and where rows are from."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from ockham import contracts
from ockham.errors import ModelError
from ockham.machines.data.newsgroups import N_DOCUMENTS, N_WORDS
from ockham.machines.restricted_boltzmann import DEVIATIONS, RestrictedBoltzmann, check_enumerable

__all__ = ["MachineSettings", "Newsgroups", "Simulated"]

Units = Annotated[int, Field(ge=1, le=10_000)]


class Simulated(contracts.Settings):
    """Rows drawn from machines whose parameters are draws of the prior."""

    source: Literal["simulated"]
    n_visible: Units = Field(description="visible units V")
    n_hidden: Units = Field(description="hidden units K of the machine that the rows are drawn from")

    @property
    def machine(self) -> tuple[int, int]:
        """Layers of the machine that the rows are drawn from."""
        return self.n_visible, self.n_hidden

    @model_validator(mode="after")
    def _enumerable(self) -> "Simulated":
        try:
            check_enumerable(RestrictedBoltzmann(self.n_visible, self.n_hidden))
        except ModelError as error:
            raise ValueError(str(error)) from error
        if self.n_visible > 24:
            raise ValueError(f"n_visible: rows of {self.n_visible} units cannot be drawn exactly; give at most 24")
        return self


class Newsgroups(contracts.Settings):
    """Documents of the 20 Newsgroups data set, in random order."""

    source: Literal["newsgroups"]
    words: int = Field(ge=1, le=N_WORDS, description="how many of the most frequent words are the visible units")
    every_word: bool = Field(
        default=False, description="whether every word must occur in the smallest data set; else drawn again"
    )

    @property
    def machine(self) -> tuple[int, int]:
        """Layers of the smallest machine for these data."""
        return self.words, 1


class MachineSettings(contracts.FamilySettings):
    """Numbers of hidden units to compare, and the rows that they are scored on."""

    data: Annotated[Simulated | Newsgroups, Field(discriminator="source")] = Field(description="where rows are from")
    n_hidden: list[Annotated[int, Field(ge=1, le=99)]] = Field(
        min_length=1, description="numbers of hidden units to compare, increasing"
    )
    deviation: float = Field(
        default=1.0, ge=DEVIATIONS[0], le=1e3, description="sigma_0, standard deviation of every parameter a priori"
    )

    @field_validator("n_hidden")
    @classmethod
    def _ascending(cls, n_hidden: list[int]) -> list[int]:
        if sorted(set(n_hidden)) != n_hidden:
            raise ValueError("numbers of hidden units must increase")
        return n_hidden

    def check_grid(self, sizes: Sequence[int], published: bool, prior_draws: int) -> None:
        if published or not prior_draws:
            raise ValueError("replicates: give prior_draws: 1 or more, and no published ones")
        if isinstance(self.data, Newsgroups) and max(sizes) > N_DOCUMENTS:
            raise ValueError(f"sizes: {max(sizes)} is more than the {N_DOCUMENTS} documents that there are")

    @cached_property
    def models(self) -> dict[str, RestrictedBoltzmann]:
        """The machines to score by label."""
        return {_label(k): RestrictedBoltzmann(self.truth.n_visible, k, self.deviation) for k in self.n_hidden}

    @property
    def truth(self) -> RestrictedBoltzmann:
        """The machine that the rows are drawn from; for real data, one with their visible units."""
        return RestrictedBoltzmann(*self.data.machine, self.deviation)

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """How many values each visible unit can take."""
        return (2,) * self.truth.n_visible

    @property
    def n_variables(self) -> int:
        return self.truth.n_visible

    @property
    def n_entries(self) -> int:
        """Parameters of the machine that the rows are drawn from."""
        return self.truth.n_parameters

    @property
    def true_label(self) -> str | None:
        """Label of the machine that the rows are drawn from, if they are."""
        return _label(self.data.n_hidden) if isinstance(self.data, Simulated) else None


def _label(n_hidden: int) -> str:
    return f"hidden-{n_hidden:02d}"
