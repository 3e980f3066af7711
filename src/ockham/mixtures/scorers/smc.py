"""Sequential Monte Carlo over growing data for finite mixtures, waste-free ([DauChopin2022]), over completions."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation import waste_free
from ockham.estimation.memory import check_memory
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.particles import Target
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "doubted", "score"]

ESTIMATES = {"sequential_monte_carlo": Estimator("Sequential Monte Carlo", over_runs="mean")}
N_COPIES = 3
"""Of the particles, and of the rows times classes of every chain."""


class Settings(contracts.Settings):
    """The passes of a run, their particles, and the search for what these miss."""

    n_passes: int = Field(
        default=8, ge=2, le=1024, description="independent passes over the data, after one that chooses the batches"
    )
    n_chains: int = Field(default=64, ge=1, le=10**5, description="Gibbs chains of a pass between two batches of rows")
    n_states: int = Field(default=10, ge=2, le=10**5, description="states of a chain; all are particles")
    least_share: float = Field(
        default=0.5, gt=0, lt=1, description="effective sample size of a batch's weights over the particles, at least"
    )
    n_starts: int = Field(default=64, ge=1, le=4096, description="starts of variational EM that look for modes")


def doubted(model: FiniteMixture) -> Doubt:
    """What speaks against every estimate: under sparse priors hardly a particle opens a class that few rows are in."""
    return model.doubt_of_completions


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean evidence of independent passes, each over the rows in an order of its own.

    Particles are completions of the rows so far, with the parameters integrated out; a further row is weighted by its
    predictive probability, and then put into a class ([KongEtAl1994]). Gibbs sweeps move them. A first pass chooses the
    batches by its weights, and is left out; every other is an unbiased estimate of the evidence. The error is that of
    the mean, by the spread of the passes, with what modes have that variational EM finds from some starts, and that no
    particle is near: a pass that has put rows together which are of two kinds cannot take them apart one by one, when
    there are enough of them to tell.

    The estimate is doubted where that is much, where it is below the variational bound, and where the weights of a
    batch leave fewer than twenty particles, for all passes may then be too low together; and so under hyperparameters
    below .05, where they may lack the same classes. The diagnostics are the standard deviation of the passes and the
    best variational bound in nats, the fewest particles that were left, and the share that no pass has seen.

    Raises
    ------
    ModelError
        When the particles, or the rows times classes of every chain, would take more memory than allowed.
    """
    design = Design.of(model, data)
    n_particles, n_rows = settings.n_chains * settings.n_states, len(design.counts)
    of_chains = settings.n_chains * model.n_classes * n_rows
    check_memory(
        N_COPIES * (n_particles * model.n_classes * (1 + model.n_statistics) + of_chains),
        f"{n_particles:,} particles of {model.n_classes:,} classes, and {n_rows:,} distinct rows",
        "take fewer n_chains or n_states, or fewer rows",
    )
    if not n_rows:
        return {"sequential_monte_carlo": Evidence(0.0, 0.0, n_evaluations=0)}
    check_memory(2 * data.n, f"{data.n:,} rows in an order of their own", "take fewer rows")
    rng = stream.child("sequential Monte Carlo").generator()
    counts = design.counts.astype(np.int64)
    target = Target(model, design)
    passes = waste_free.run_passes(target, counts, rng, **settings.model_dump(exclude={"n_starts"}))
    unseen = target.unseen(passes.seen, stream, settings.n_starts)
    return {
        "sequential_monte_carlo": waste_free.evidence_of(passes, unseen, plus=design.log_base, doubt=doubted(model))
    }
