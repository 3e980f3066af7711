"""Bridge sampling from Gibbs draws of the posterior to the posteriors given completed rows ([MengWong1996])."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.doubting import ROUNDING, doubt_of_bound, doubt_of_weights
from ockham.estimation.memory import check_memory
from ockham.estimation.posterior_parts import LARGEST_MISSING, doubt_of_part, share_missed
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import bridging, gibbs, merge_split, modes
from ockham.mixtures.inference.completed import check_classes as check
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "doubted", "score"]

ESTIMATES = {"bridge_sampling": Estimator("Bridge sampling", over_runs="median", reference="estimated")}
N_COPIES = 3
"""Of draws and sums of chains."""


class Settings(contracts.Settings):
    """Where the chains start, how long they are, and the error to reach."""

    n_starts: int = Field(default=64, ge=1, le=4096, description="starts of variational EM that look for modes")
    n_chains: int = Field(default=8, ge=2, le=256, description="Gibbs chains, begun where the bounds are highest")
    n_burn_in: int = Field(default=300, ge=0, le=10**7, description="sweeps of a chain that are thrown away")
    n_draws: int = Field(default=500, ge=100, le=10**6, description="sweeps of a chain, before the first estimate")
    max_draws: int = Field(
        default=8000, ge=100, le=10**6, description="sweeps of a chain, doubled until the error is reached"
    )
    error: float = Field(default=0.05, gt=0, le=100, description="standard error to reach, in nats")


def doubted(model: FiniteMixture) -> Doubt:
    """What speaks against every estimate."""
    return model.doubt_of_chains


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One estimate, with chains that start at the best modes that variational EM finds.

    Of few rows the chains also merge and split classes, without which they hardly ever move between the modes of these.
    The chains go on until the standard error is at most ``error``, or to ``max_draws``; under sparse priors of classes
    or items, where no estimate is trusted, to ``n_draws``. Else it is doubted where the error stays large, where the
    chains have few independent draws, where it differs from the mean weight of the proposals, for which the chains need
    not be samples of the posterior, where few of their draws are such as the proposals make, and where it is below the
    variational bound.

    Where the chains keep to parts of the posterior of their own, the estimate is the sum over these. What starts led to
    that is in no part is missing. Of several parts some may be missing without a trace, too, and as much as those have
    that a single start led to. What may be missing is part of the error; where it is much, the estimate is doubted.

    The diagnostics are the overlap of posterior and proposal (1/2 where they are equal) and the autocorrelation time in
    the draws that are used, of the part with the fewest independent ones, the number of parts, the share of the largest
    and the share that may be missing, how far the mean weight is above, and the best variational bound, in nats.

    Raises
    ------
    ModelError
        For more classes than can be renamed, or draws that would take more memory than allowed.
    """
    design = Design.of(model, data)
    check(model)
    n_numbers = N_COPIES * settings.n_chains * model.n_classes * (
        2 * (1 + model.n_statistics) * settings.max_draws + len(design.counts)
    )  # fmt: skip
    check_memory(
        n_numbers,
        f"{settings.max_draws:,} draws of {settings.n_chains:,} chains of {model.n_classes:,} classes",
        "take fewer n_chains or max_draws, or fewer rows",
    )
    search = modes.find(model, design, stream, settings.n_starts, settings.n_chains)
    states, bound, n_passes = search.for_chains(settings.n_chains), float(search.bounds[0]), search.n_passes
    rng = stream.child("bridge").generator()
    every = merge_split.sweeps_between(model, design)
    for sweep in gibbs.sweeps(model, design, states, rng, settings.n_burn_in, every):
        states = sweep.parameters
    draws, sums, n_added = None, None, settings.n_draws
    together: tuple[bridging.Groups, ...] = ()
    n_passes += settings.n_chains * settings.n_burn_in
    while True:
        states, more, of_more = gibbs.run(gibbs.sweeps(model, design, states, rng, n_added, every))
        draws = more if draws is None else Parameters(*map(_after, draws, more))
        sums = of_more if sums is None else Sums(*map(_after, sums, of_more))
        n_draws = draws.log_weights.shape[1]
        found = bridging.estimate(model, design, draws, sums, rng, together, search.parameters)
        together = found.together
        n_passes += settings.n_chains * n_added + found.n_evaluations
        n_added = 0 if model.doubt_of_chains else min(n_draws, settings.max_draws - n_draws)
        doubt = _doubt(model, found, bound)
        if (found.relative_error <= settings.error and not doubt) or n_added <= 0:
            break
    orders = zip(found.together, found.places, strict=True)
    missing = max(share_missed(search.shares, search.hits, places, len(groups)) for groups, places in orders)
    if missing > LARGEST_MISSING:
        doubt |= Doubt.NOT_MIXED
    error = float(np.hypot(found.relative_error, missing))
    return {
        "bridge_sampling": Evidence(
            found.log_evidence + design.log_base,
            error,
            n_evaluations=n_passes,
            diagnostics={
                "overlap": found.overlap,
                "autocorrelation_time": found.autocorrelation_time,
                "n_parts": len(found.shares),
                "largest_share": float(found.shares[0]),
                "share_missing": missing,
                "mean_weight_above": found.by_weights - found.log_evidence,
                "variational_bound": bound + design.log_base,
            },
            effective_sample_size=1 / max(error, 1e-150) ** 2,
            doubt=doubt,
        )
    }


def _after(draws: np.ndarray, more: np.ndarray) -> np.ndarray:
    return np.concatenate([draws, more], axis=1)


def _doubt(model: FiniteMixture, found: bridging.Estimate, bound: float) -> Doubt:
    doubt = doubt_of_part(found.relative_error, found.n_used, found.autocorrelation_time, found.overlap)
    doubt |= doubt_of_weights(found.log_evidence, found.relative_error, found.by_weights, found.weights_error)
    return doubt | model.doubt_of_chains | doubt_of_bound(found.log_evidence, found.relative_error, bound - ROUNDING)
