"""Annealed importance sampling of a finite mixture, from the prior to the posterior of the completions ([Neal2001])."""

from functools import partial

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine
from ockham.estimation.memory import check_memory
from ockham.estimation.pilot_chains import Pilot, steps
from ockham.estimation.schedules import nonlinear_schedule
from ockham.estimation.tuned_steps import N_PILOT
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Sums
from ockham.mixtures.inference import annealing
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {
    "annealed_importance_sampling": Estimator("Annealed importance sampling", over_runs="mean", reference="substitute")
}
N_COPIES = 4
"""Of the rows times classes of every chain, and of its sums and parameters."""
LEAST_STEPS = 1024
"""Of the schedule, where it is tuned."""


class Settings(contracts.Settings):
    """The schedule, and the chains of a run."""

    n_steps: int | None = Field(
        default=None,
        ge=1,
        le=10**6,
        description="steps of the annealing schedule; tuned to effective sample size, up to max_steps, without it",
    )
    max_steps: int = Field(default=2**14, ge=LEAST_STEPS, le=10**6, description="steps at the most, where it is tuned")
    n_sweeps: int = Field(default=1, ge=1, le=10**4, description="Gibbs sweeps at every temperature")
    n_chains: int = Field(default=64, ge=2, le=10**5, description="chains, each from its own draw of the prior")
    curvature: float = Field(
        default=0.2, gt=0, le=1e9, description="e_tau of the schedule; a small one lingers near the prior"
    )


def score(model: FiniteMixture, data: MixedRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean weight of chains from draws of the prior, an unbiased estimate of the evidence.

    The error is that of the mean, by the spread of the chains, and the estimate is doubted where a few carry nearly all
    of the weight. It does not know of modes that no chain came to, so it is doubted under sparse priors of classes or
    items. The diagnostic is the standard deviation of the log weights, in nats.

    Raises
    ------
    ModelError
        When the chains would take more memory than allowed.

    Notes
    -----
    The temperatures are those of eq. (69) of [BealGhahramani2006]. Cells are tempered, and classes are not, so that
    Gibbs sweeps move the chains at any temperature, and the parameters are integrated out of the weights. Without a
    number of steps, pilot chains, which are used for nothing else, find it; all runs of a cell have the same, and each
    counts them.
    """
    design = Design.of(model, data)
    n_chains, n_rows = settings.n_chains, len(design.counts)
    check_memory(
        N_COPIES * n_chains * model.n_classes * (n_rows + 1 + model.n_statistics)
        + (settings.n_steps or settings.max_steps),
        f"{n_chains:,} chains of {model.n_classes:,} classes and {n_rows:,} distinct rows",
        "take fewer n_chains, or fewer rows, items or classes",
    )

    def log_weights_of(n_chains: int, n_steps: int, stream: Stream) -> np.ndarray:
        nothing = Sums(*(np.broadcast_to(part, (n_chains, *part.shape)) for part in model.nothing))
        temperatures, rng = nonlinear_schedule(n_steps, settings.curvature), stream.generator()
        return annealing.run(model, design, model.sample(nothing, rng), temperatures, rng, n_sweeps=settings.n_sweeps)

    name = "steps", model.digest, data.digest
    pilot = Pilot(partial(log_weights_of, N_PILOT), settings, LEAST_STEPS, settings.max_steps, stream.root, name)
    n_steps, n_pilot, doubt = steps(settings.n_steps, pilot)
    log_weights = log_weights_of(n_chains, n_steps, stream.child("annealing"))
    return {
        "annealed_importance_sampling": combine(log_weights, "mean").evidence(
            n_chains * (1 + (n_steps - 1) * settings.n_sweeps) + n_pilot * settings.n_sweeps,
            {"spread": float(log_weights.std(ddof=1))},
            plus=design.log_base,
            doubt=model.doubt_of_chains | doubt,
        )
    }
