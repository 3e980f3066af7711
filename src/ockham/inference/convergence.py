"""When an iterative fit stops ([BealGhahramani2006], section 4.1)."""

from pydantic import Field

from ockham.contracts import Settings

__all__ = ["Convergence"]


class Convergence(Settings):
    """The settings of a fit that climbs an objective; the defaults are the paper's."""

    max_iterations: int = Field(default=1000, ge=1, description="iterations at the most")
    tolerance: float = Field(
        default=1e-6, gt=0, allow_inf_nan=False, description="change of the objective to stop at, in nats"
    )
    per_datum: bool = Field(default=True, description="whether the tolerance is multiplied by the data set size")

    def limits(self, n: int) -> dict[str, float]:
        """What a fit on n data takes: the iterations at the most, and the change of the objective to stop at, in nats."""
        tolerance = self.tolerance * n if self.per_datum else self.tolerance
        return {"max_iterations": self.max_iterations, "tolerance": tolerance}
