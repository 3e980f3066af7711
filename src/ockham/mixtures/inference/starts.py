"""Where fits of a mixture start."""

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.streams import Stream

__all__ = ["starts"]


def starts(model: FiniteMixture, stream: Stream, n: int) -> list[Parameters]:
    """Draws of the prior; more of the same stream begin with the fewer, and all fits of a cell share them."""
    rng = stream.child("initial parameters").generator()
    return [model.sample(model.nothing, rng) for _ in range(n)]
