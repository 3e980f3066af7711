"""The Candidate method for finite mixtures: Bayes' theorem read backwards at one point ([ChickeringHeckerman1997])."""

from itertools import islice

import numpy as np
from pydantic import Field

from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.combining import combine, doubts_of
from ockham.estimation.convergence import Search
from ockham.estimation.means_of_chains import N_BATCHES, log_mean_of_chains
from ockham.estimation.memory import check_memory
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import em, gibbs, merge_split
from ockham.mixtures.inference.completed import check_classes as check
from ockham.mixtures.inference.completed import log_densities
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"candidate": Estimator("Candidate method", over_runs="median")}
N_COPIES = 2
"""Of the sums of all sweeps."""
N_TABLES = 2
"""Of what the classes of the point and those of a completion say together, for each sweep."""
N_PER_ROW = 3
"""Of numbers for each row and class of a chain."""
UNSEEN = 3.0
"""Sweeps of which, by the rule of three, a chain that never was at a place could have spent as many there as 95 % of
such chains. Several that do not mix know no more than one."""
ROUNDING = 1e-9
"""Nats by which densities given one completion under other names may differ."""
MISSED = 0.05
"""Nats by which the density at the point may be too low for what the chain has left."""


class Settings(Search):
    """EM's start and end, and the phases of the chains."""

    n_chains: int = Field(
        default=4,
        ge=1,
        le=1024,
        description="chains, the first from the MAP and the others from draws of the prior; that they agree is checked",
    )
    n_burn_in: int = Field(default=400, ge=0, le=10**7, description="sweeps of a chain that are thrown away")
    n_sweeps: int = Field(
        default=1000, ge=N_BATCHES, le=10**5, description="sweeps of a chain that the density is averaged over"
    )


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """Chains, the first from the MAP parameters that EM finds, which are the point as well.

    Of few rows the chains also merge and split classes, without which they hardly ever move between the modes of these.
    The standard error is that of the mean density, carried to its log: over 20 batches of the sweeps of each chain or,
    if that is larger, over the chains. It does not know of modes that no chain visits, so the estimate is doubted under
    sparse priors of classes or items, where a few sweeps make most of the mean, where the chains differ by more than
    their errors or stayed at one completion, and where they left the mode of the point for good: there the density is
    too low, and the estimate too high. The names of the classes are averaged over exactly.

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
    of_a_sweep = N_COPIES * (1 + model.n_statistics) + N_TABLES * model.n_classes
    n_numbers = settings.n_chains * model.n_classes * (
        settings.n_sweeps * of_a_sweep + N_PER_ROW * len(design.counts)
    )  # fmt: skip
    check_memory(
        n_numbers,
        f"{settings.n_sweeps:,} sums of {model.n_statistics:,} statistics in {model.n_classes:,} classes "
        f"of {settings.n_chains:,} chains",
        "take fewer n_chains, n_sweeps, classes, items or rows",
    )
    found = em.search(model, design, stream, settings, data.n)
    point = Parameters(*(part[None] for part in found.parameters))
    rng = stream.child("gibbs").generator()
    at_the_point = log_densities(model, point, design.complete(point, rng))[0, 0]
    n_swept = settings.n_burn_in + settings.n_sweeps
    starts = _starts(model, point, settings.n_chains, rng)
    sweeps = gibbs.sweeps(model, design, starts, rng, n_swept, merge_split.sweeps_between(model, design))
    kept = [sweep.sums for sweep in islice(sweeps, settings.n_burn_in, None)]
    completions = Sums(*(np.stack(part, axis=1).reshape(-1, *part[0].shape[1:]) for part in zip(*kept, strict=True)))
    log_density = log_densities(model, point, completions)[0].reshape(settings.n_chains, -1)
    density = log_mean_of_chains(list(log_density))
    doubt = doubts_of(density.doubt | combine(log_density.ravel(), "mean").doubt) | model.doubt_of_chains
    if model.n_classes > 1:
        unseen = at_the_point + np.log(UNSEEN / settings.n_sweeps)
        left = at_the_point > log_density.max() + ROUNDING and unseen > density.value + np.log(MISSED)
        if left or np.ptp(log_density) <= ROUNDING:
            doubt |= Doubt.NOT_MIXED
    return {
        "candidate": Evidence(
            found.objective + design.log_base - float(density.value),
            float(density.standard_error),
            n_evaluations=found.n_evaluations + settings.n_chains * n_swept,
            effective_sample_size=float(density.effective_sample_size),
            doubt=doubt,
            degrees_of_freedom=float(density.degrees_of_freedom),
        )
    }


def _starts(model: FiniteMixture, point: Parameters, n_chains: int, rng: np.random.Generator) -> Parameters:
    """The point, and draws of the prior."""
    nothing = Sums(*(np.broadcast_to(part, (n_chains - 1, *part.shape)) for part in model.nothing))
    return Parameters(*(np.concatenate(pair) for pair in zip(point, model.sample(nothing, rng), strict=True)))
