"""Annealed importance sampling of a finite mixture over the classes of all rows ([Neal2001])."""

from functools import partial

from ockham.contracts import Estimator, Evidence
from ockham.estimation.completion_annealing import Settings, check_rows, mean_weight
from ockham.estimation.memory import check_memory
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import completions
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {"ais_completions": Estimator("Annealed importance sampling over completions", over_runs="mean")}


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean weight of chains, each from classes of the rows that are all alike to their posterior.

    Both its error and its cost grow with the rows, so that it pays for few. It does not know the modes of the
    parameters, which are integrated out: where priors are sparse, and those who walk among them get stuck, it still
    moves.

    Raises
    ------
    ModelError
        For more rows than are allowed, or than memory has room for.

    Notes
    -----
    The states are the classes z of all rows, with the density p(z, y | m) ** tau at the inverse temperature tau.
    """
    design = Design.of(model, data)
    n_cases = int(design.counts.sum())
    check_rows(n_cases, settings)
    check_memory(
        n_cases * model.n_statistics,
        f"{n_cases:,} rows of {model.n_statistics:,} statistics",
        "take fewer rows or items",
    )
    log_weight = partial(completions.log_weight, model, design.by_case())
    return {"ais_completions": mean_weight(log_weight, settings, stream, (model.digest, data.digest))}
