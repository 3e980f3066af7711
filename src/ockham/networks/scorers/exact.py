"""The exact log evidence, by summing over every completion of the data; [BealGhahramani2006], eq. (9)."""

from decimal import Decimal

from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.errors import ModelError
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import completions
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"exact": Estimator("Exact evidence", reference="known")}

# Measured over the 136 bipartite networks of two binary hidden and four observed variables at n = 10, on one core.
NANOSECONDS_PER_COMPLETION = 35


class Settings(contracts.Settings):
    """How much work is accepted."""

    max_completions: int = Field(default=100_000_000, ge=1, le=10**13, description="completions to sum at the most")


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for rows that take more memory than allowed, or have too many terms even if all alike."""
    _check(completions.check_rows(network, n), settings)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The evidence ln p(y | m) as ``exact``; deterministic, so the stream is not used.

    Raises
    ------
    ModelError
        When the sum has more terms than ``settings.max_completions``, or would take more memory than allowed.
    """
    predicted = completions.predicted_completions(network, data)
    _check(predicted, settings)
    return {"exact": Evidence(completions.log_evidence(network, data), n_evaluations=predicted)}


def _check(predicted: int, settings: Settings) -> None:
    """Raise a ModelError for more terms than allowed."""
    if predicted > settings.max_completions:
        seconds = predicted * NANOSECONDS_PER_COMPLETION // 10**9
        raise ModelError(
            f"the exact evidence sums {_number(predicted)} completions of the data, about {_number(seconds)} seconds; "
            f"the limit is {_number(settings.max_completions)}: use fewer rows or fewer hidden values, another "
            "estimator, or a higher max_completions"
        )


def _number(x: int) -> str:
    """Digits in groups of three, or a power of ten where they are too many; no float, whose range is too small."""
    if x >= completions.MOST_COMPLETIONS // 10**9:
        return "1e+990 or more"
    return f"{x:,}" if x < 10**15 else f"{Decimal(x):.1e}"
