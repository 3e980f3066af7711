"""Where an iterative fit starts, and when it stops."""

from typing import TypedDict

from pydantic import Field, field_validator

from ockham.contracts import Settings

__all__ = ["Convergence", "Limits", "Search", "SearchLimits"]


class Limits(TypedDict):
    """What a fit takes: iterations at the most, and the change of the objective to stop at in nats."""

    max_iterations: int
    tolerance: float


class SearchLimits(Limits):
    """Also the change in units of the objective, which is added to the other."""

    relative_tolerance: float


class Convergence(Settings):
    """When a fit that climbs an objective stops.

    In [BealGhahramani2006], section 4.1, after 1000 iterations, or at 1e-6 nats per datum. The defaults are stricter: a
    slow climb has many such steps before its maximum.
    """

    max_iterations: int = Field(default=10_000, ge=1, le=10**9, description="iterations at the most")
    tolerance: float = Field(default=1e-8, gt=0, le=1e9, description="change of the objective to stop at, in nats")
    per_datum: bool = Field(default=False, description="whether the tolerance is multiplied by the data set size")

    def limits(self, n: int) -> Limits:
        """What a fit on n data takes."""
        tolerance = self.tolerance * n if self.per_datum else self.tolerance
        return {"max_iterations": self.max_iterations, "tolerance": tolerance}


class Search(Convergence):
    """Also where the fit starts: successive halving of several starts is that of [ChickeringHeckerman1997], 4.1."""

    relative_tolerance: float = Field(
        default=0.0, ge=0, lt=1, description="change of the objective to stop at, in units of it; added to tolerance"
    )
    n_starts: int = Field(default=8, ge=1, le=4096, description="starts, a power of two, halved until one is left")

    @field_validator("n_starts")
    @classmethod
    def _power_of_two(cls, n_starts: int) -> int:
        if n_starts & (n_starts - 1):
            raise ValueError(f"n_starts must be a power of two, to be halved until one is left: {n_starts} is not")
        return n_starts

    def limits(self, n: int) -> SearchLimits:
        return {**super().limits(n), "relative_tolerance": self.relative_tolerance}
