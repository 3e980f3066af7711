"""Annealed importance sampling of a finite mixture over the classes of all rows ([Neal2001])."""

from dataclasses import replace
from functools import partial

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.completion_annealing import Settings, check_rows, mean_weight
from ockham.estimation.memory import check_memory
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import completions
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "doubted", "score"]

ESTIMATES = {"ais_completions": Estimator("Annealed importance sampling over completions", over_runs="mean")}


def doubted(model: FiniteMixture) -> Doubt:
    """What speaks against every estimate: under sparse priors hardly a chain comes to a class that few rows are in."""
    return model.doubt_of_completions


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean weight of chains, each from classes of the rows that are all alike to their posterior.

    Both its error and its cost grow with the rows, so that it pays for few. It does not know the modes of the
    parameters, which are integrated out. Under hyperparameters below .05 it is doubted: it has the evidence of some ten
    rows, but no chain comes to a class that one of thirty is in alone.

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
    found = mean_weight(log_weight, settings, stream, (model.digest, data.digest))
    return {"ais_completions": replace(found, doubt=found.doubt | doubted(model))}
