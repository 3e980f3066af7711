"""The exact log evidence of a finite mixture, by summing over every way to put rows into classes."""

from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.errors import ModelError
from ockham.estimation.memory import check_memory
from ockham.estimation.partition_sums import MAX_CASES, n_terms
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import completions
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {"exact": Estimator("Exact evidence", reference="known")}
N_COPIES = 4
"""Of the sums of every set of rows."""


class Settings(contracts.Settings):
    """How much work is accepted."""

    max_rows: int = Field(
        default=MAX_CASES, ge=1, le=MAX_CASES, description="rows at the most, of which each triples the work"
    )


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The evidence ln p(y | m) as ``exact``; deterministic, so the stream is not used.

    Raises
    ------
    ModelError
        For more than one class and more rows than can be summed over, or sums that would take more memory than allowed.
    """
    design = Design.of(model, data)
    n_cases = completions.n_cases(model, design)
    if n_cases > settings.max_rows:
        raise ModelError(
            f"the exact evidence of {model.n_classes} classes sums over all partitions of {n_cases:,} rows; "
            f"{settings.max_rows} are allowed: use fewer rows, or another estimator"
        )
    check_memory(
        N_COPIES * 2**n_cases * model.n_statistics,
        f"sums of {model.n_statistics:,} statistics over all sets of {n_cases:,} rows",
        "take fewer rows or items, or another estimator",
    )
    return {
        "exact": Evidence(
            completions.log_evidence(model, design), n_evaluations=max(1, n_terms(n_cases, model.n_classes))
        )
    }
