"""The Candidate method for finite mixtures: Bayes' theorem read backwards at one point ([ChickeringHeckerman1997])."""

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.combining import combine, doubts_of
from ockham.estimation.convergence import Search
from ockham.estimation.memory import check_memory
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import em, gibbs
from ockham.mixtures.inference.completed import check_classes as check
from ockham.mixtures.inference.completed import log_densities
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"candidate": Estimator("Candidate method", over_runs="median")}
N_BATCHES = 20
N_COPIES = 2
"""Of the sums of all sweeps."""
UNSEEN = 3.0
"""Sweeps of which, by the rule of three, a chain that never was at a place could have spent as many there as 95 % of
such chains."""
MISSED = 0.05
"""Nats by which the density at the point may be too low for what the chain has left."""


class Settings(Search):
    """EM's start and end, and the phases of the chain."""

    n_burn_in: int = Field(default=400, ge=0, le=10**7, description="sweeps that are thrown away")
    n_sweeps: int = Field(default=1000, ge=N_BATCHES, le=10**5, description="sweeps that the density is averaged over")


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One chain, from the MAP parameters that EM finds, which are the point as well.

    The standard error is that of the mean density over 20 batches of sweeps, carried to its log. It does not know of
    modes that the chain never visits, so the estimate is doubted under sparse priors of classes or items, where the
    chain stayed at one completion, and where it left the mode of the point for good: there the density is too low, and
    the estimate too high. The names of the classes are averaged over exactly.

    Raises
    ------
    ModelError
        For more classes than can be renamed, or sums that would take more memory than allowed.

    Notes
    -----
    ln p(D | m) = ln p(D | theta*, m) + ln p(theta* | m) - ln p(theta* | D, m), the last being the mean over completions
    D_c of ln p(theta* | D_c, m); section 3.4 of [ChickeringHeckerman1997].
    """
    design = Design.of(model, data)
    check(model)
    check_memory(
        N_COPIES * settings.n_sweeps * model.n_classes * (1 + model.n_statistics),
        f"{settings.n_sweeps:,} sums of {model.n_statistics:,} statistics in {model.n_classes:,} classes",
        "take fewer n_sweeps, classes or items",
    )
    found = em.search(model, design, stream, settings, data.n)
    point = Parameters(*(part[None] for part in found.parameters))
    rng = stream.child("gibbs").generator()
    sums = [
        sweep.sums
        for k, sweep in enumerate(gibbs.sweeps(model, design, point, rng, settings.n_burn_in + settings.n_sweeps))
        if k == 0 or k >= settings.n_burn_in
    ]
    completions = Sums(*(np.concatenate(part) for part in zip(*sums, strict=True)))
    of_sweeps = log_densities(model, point, completions)[0]
    at_the_point, log_density = of_sweeps[0], of_sweeps[1 if settings.n_burn_in else 0 :]
    density = combine(log_density, "mean")
    batches = combine(
        np.array([combine(part, "mean").value for part in np.array_split(log_density, N_BATCHES)]), "mean"
    )
    unseen = at_the_point + np.log(UNSEEN / settings.n_sweeps)
    left = at_the_point > log_density.max() and unseen > density.value + np.log(MISSED)
    stuck = model.n_classes > 1 and bool(np.ptp(log_density) == 0)
    return {
        "candidate": Evidence(
            found.objective + design.log_base - float(density.value),
            float(batches.standard_error),
            n_evaluations=found.n_evaluations + settings.n_burn_in + settings.n_sweeps,
            effective_sample_size=float(density.effective_sample_size),
            doubt=doubts_of(density.doubt | batches.doubt)
            | model.doubt_of_chains
            | (Doubt.NOT_MIXED if stuck or left else NO_DOUBT),
            degrees_of_freedom=float(batches.degrees_of_freedom),
        )
    }
