"""A maximum of the posterior density or of the likelihood of a restricted Boltzmann machine."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Literal

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.doubting import doubt_of_error
from ockham.estimation.memory import check_memory
from ockham.estimation.schedules import linear_schedule
from ockham.io.extras import check_importable
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import contrastive_divergence
from ockham.machines.inference.fine_tuning import Peak, climb
from ockham.machines.inference.partition_annealing import annealed_log_partition
from ockham.machines.inference.posterior import Enumerated, Posterior, Sampled
from ockham.machines.restricted_boltzmann import (
    RestrictedBoltzmann,
    check_enumerable,
    log_partition,
    log_unnormalised,
)
from ockham.streams import Stream

__all__ = [
    "Fit",
    "Fitting",
    "check_fit",
    "doubt_of_sampling",
    "log_likelihood",
    "monte_carlo_error",
    "n_states",
    "search",
]

N_VECTORS = 60
"""Of the length of the parameters that L-BFGS keeps."""
NEWTON_AFTER, FEW_PARAMETERS = 200, 250
"""Iterations of L-BFGS after which an exact fit of so few parameters goes on by Newton's method: a step of it costs as
much as 15 iterations with 120 parameters, and hundreds with 1000."""
N_LAYERS = 5
"""Arrays of both layers for each row that are there at one time."""


class Fitting(contracts.Settings):
    """Where the fit starts, how it climbs, and when it stops; steps and sizes are not in [ChenWelling2013]."""

    expectations: Literal["sampled", "exact"] = Field(
        default="sampled",
        description="means of the features under the model: by contrastive divergence and Gibbs sampling, as the "
        "paper does, or by enumeration of the smaller layer",
    )
    n_starts: int = Field(default=1, ge=1, le=1000, description="fits, of which the highest is taken")
    start_deviation: float = Field(
        default=0.1,
        gt=0,
        le=1e3,
        description="standard deviation of weights and hidden biases at the start",
    )
    n_steps: int = Field(default=5000, ge=1, le=10**9, description="steps of persistent contrastive divergence")
    n_particles: int = Field(default=100, ge=1, le=10**7, description="chains that it follows")
    step_size: float = Field(default=0.3, gt=0, le=1e3, description="of its first step, per datum")
    decay_after: float = Field(default=1000.0, gt=0, le=1e12, description="step t is divided by 1 + t / decay_after")
    n_samples: int = Field(
        default=10_000, ge=1, le=10**8, description="T, visible states for fine-tuning and the covariance"
    )
    n_sweeps: int = Field(default=5, ge=1, le=10**6, description="Gibbs sweeps from one of them to the next of a chain")
    fine_tuning: bool = Field(default=True, description="whether L-BFGS follows on contrastive divergence")
    least_effective: float = Field(
        default=0.9, ge=0, lt=1, description="effective sample size, over T, that fine-tuning keeps"
    )
    n_redraws: int = Field(
        default=3,
        ge=0,
        le=1000,
        description="times at the most that fine-tuning goes on with states that are drawn where it ended: when it has "
        "used up half of the effective sample size that it may lose, or more; never without the prior",
    )
    max_iterations: int = Field(
        default=2000, ge=1, le=10**8, description="iterations of L-BFGS, and of Newton, at most"
    )
    gradient_tolerance: float = Field(
        default=1e-3, gt=0, le=1e9, description="largest entry of the gradient to stop at, nats"
    )
    partition: Literal["exact", "annealed"] = Field(
        default="exact",
        description="partition function at the fit: by enumeration of the smaller layer, or by annealed importance "
        "sampling, as the paper does",
    )
    n_temperatures: int = Field(default=1000, ge=1, le=10**7, description="steps of its linear schedule")
    n_annealed: int = Field(default=100, ge=2, le=10**7, description="chains that are annealed")


@dataclass(frozen=True)
class Fit:
    """A maximum, and the posterior that it is one of.

    Attributes
    ----------
    theta : ndarray, shape (n_parameters,)
    log_likelihood : float
        ln p(D | theta) in nats.
    standard_error : float
        Of the log likelihood; NaN with the exact partition function.
    posterior : Posterior
        What was climbed: exact, or by importance sampling.
    n_evaluations : int
        Passes over the data.
    converged : bool
        Whether the gradient's tolerance stopped it.
    degenerate : bool
        Whether the effective sample size of its importance weights did.
    """

    theta: np.ndarray
    log_likelihood: float
    standard_error: float
    posterior: Posterior
    n_evaluations: int
    converged: bool
    degenerate: bool

    @property
    def doubt(self) -> Doubt:
        """What speaks against scores that take it for a maximum, and its log likelihood for known."""
        return (NO_DOUBT if self.converged else Doubt.NOT_CONVERGED) | doubt_of_sampling(self.standard_error)

    @property
    def diagnostics(self) -> dict[str, float]:
        """What scores of this fit share."""
        return {
            "converged": self.converged,
            "degenerate": self.degenerate,
            "effective_fraction": self.posterior.partition.effective_fraction(self.theta),
        } | monte_carlo_error(self.standard_error)


def search(
    model: RestrictedBoltzmann, data: BinaryRows, settings: Fitting, stream: Stream, *, with_prior: bool = True
) -> Fit:
    """The highest of the fits from ``n_starts`` starts; without the prior, a maximum of the likelihood."""
    precision = model.deviation**-2 if with_prior else 0.0

    def height(fit: Fit) -> float:
        return fit.log_likelihood - 0.5 * precision * fit.theta @ fit.theta

    fits = (_one(model, data, settings, stream.child("fit", k), precision) for k in range(settings.n_starts))
    return max(fits, key=height)


def check_fit(model: RestrictedBoltzmann, n: int, settings: Fitting, n_more: float = 0.0) -> None:
    """Raise a ModelError for a fit to n rows that would end in too long a sum, or in more memory than allowed.

    ``n_more`` numbers are needed after it. L-BFGS is SciPy's, of an extra: without it, a ConfigError.
    """
    if settings.fine_tuning or settings.expectations == "exact":
        check_importable("scipy")
    if "exact" in (settings.expectations, settings.partition):
        check_enumerable(model)
    n_rows = n + (0 if settings.expectations == "exact" else n_states(model, settings))
    if settings.partition == "annealed":
        n_rows += settings.n_annealed
    n_numbers = N_LAYERS * n_rows * (model.n_visible + model.n_hidden) + N_VECTORS * model.n_parameters
    check_memory(
        n_numbers + n_more,
        f"a fit of {model.n_parameters:,} parameters to {n:,} rows",
        "take fewer units, rows or samples; bic with partition: annealed needs the least",
    )


def n_states(model: RestrictedBoltzmann, settings: Fitting) -> int:
    """Visible states that expectations are taken over."""
    if settings.expectations == "exact":
        return int(2 ** min(model.n_visible, model.n_hidden))
    return settings.n_samples + settings.n_particles


def log_likelihood(
    model: RestrictedBoltzmann, theta: np.ndarray, data: BinaryRows, settings: Fitting, stream: Stream
) -> tuple[float, float]:
    """ln p(D | theta) in nats with the partition function that the settings ask for, and its standard error or NaN."""
    if settings.partition == "exact":
        log_total, error = log_partition(model, theta), nan
    else:
        temperatures, rng = linear_schedule(settings.n_temperatures), stream.child("annealing").generator()
        log_total, error = annealed_log_partition(model, theta, temperatures, settings.n_annealed, rng)
    free = float(data.counts @ log_unnormalised(model, theta, data.rows))
    return free - data.n * log_total, data.n * error


def doubt_of_sampling(standard_error: float) -> Doubt:
    """What the error of a log likelihood, nats, says against what is made of it: nothing where the sum is exact."""
    return NO_DOUBT if isnan(standard_error) else doubt_of_error(standard_error)


def monte_carlo_error(standard_error: float) -> dict[str, float]:
    """The diagnostic of that name, if there is one."""
    return {} if isnan(standard_error) else {"monte_carlo_error": standard_error}


def _one(model: RestrictedBoltzmann, data: BinaryRows, settings: Fitting, stream: Stream, precision: float) -> Fit:
    start = contrastive_divergence.sample_start(
        model, data, settings.start_deviation, stream.child("start").generator()
    )
    if settings.expectations == "exact":
        posterior, n_steps = Posterior(model, data, Enumerated(model), precision), 0
        newton = precision > 0 and model.n_parameters <= FEW_PARAMETERS  # the likelihood alone may have no curvature
        peak = _climb(posterior, start, settings, NEWTON_AFTER if newton else None)
    else:
        posterior, peak = _by_samples(model, data, settings, stream, start, precision)
        n_steps = settings.n_steps
    value, error = log_likelihood(model, peak.theta, data, settings, stream)
    return Fit(peak.theta, value, error, posterior, n_steps + peak.n_evaluations, peak.converged, peak.degenerate)


def _climb(posterior: Posterior, start: np.ndarray, settings: Fitting, newton_after: int | None = None) -> Peak:
    return climb(
        posterior,
        start,
        max_iterations=settings.max_iterations,
        gradient_tolerance=settings.gradient_tolerance,
        least_effective=settings.least_effective,
        newton_after=newton_after,
    )


def _by_samples(
    model: RestrictedBoltzmann,
    data: BinaryRows,
    settings: Fitting,
    stream: Stream,
    start: np.ndarray,
    precision: float,
) -> tuple[Posterior, Peak]:
    """The posterior by importance sampling from near its maximum, and that maximum."""
    theta, chains = contrastive_divergence.fit(
        model,
        data,
        start,
        stream.child("contrastive divergence").generator(),
        n_steps=settings.n_steps,
        n_particles=settings.n_particles,
        step_size=settings.step_size,
        decay_after=settings.decay_after,
        precision_of_prior=precision,
    )
    rng = stream.child("gibbs").generator()

    def draw(theta: np.ndarray, chains: np.ndarray) -> tuple[Posterior, np.ndarray]:
        samples, chains = contrastive_divergence.draw_states(
            model, theta, chains, rng, n_samples=settings.n_samples, n_sweeps=settings.n_sweeps
        )
        return Posterior(model, data, Sampled(model, samples, theta), precision), chains

    if settings.fine_tuning and precision:
        return _fine_tuned(draw, theta, chains, settings)
    posterior, _ = draw(theta, chains)  # the likelihood alone need not have a maximum, so one climb does
    return posterior, _climb(posterior, theta, settings) if settings.fine_tuning else Peak(theta, 0, False)


def _fine_tuned(
    draw: Callable[[np.ndarray, np.ndarray], tuple[Posterior, np.ndarray]],
    theta: np.ndarray,
    chains: np.ndarray,
    settings: Fitting,
) -> tuple[Posterior, Peak]:
    """A maximum from theta on, and the posterior from samples that found it.

    ``draw`` samples at given parameters, from chains there. Where the effective sample size stops a climb, nothing of
    it is left to lose, and a trapezoid of Laplace's method would have no width: so new samples are drawn there, and it
    goes on. They must have come from where the old ones are; if not, the climb found parameters under which there are
    states that no old sample is in, and it is taken back.
    """
    least, n_evaluations = settings.least_effective, 0
    posterior, chains = draw(theta, chains)
    for _ in range(1 + settings.n_redraws):
        climbed = posterior
        peak = _climb(climbed, theta, settings)
        n_evaluations += peak.n_evaluations
        there, chains_there = draw(peak.theta, chains)
        if there.partition.effective_fraction(theta) < least:
            peak = replace(peak, theta=theta, converged=False, degenerate=True)
            posterior, chains = draw(theta, chains)
        elif peak.degenerate or climbed.partition.effective_fraction(peak.theta) < 0.5 * (1 + least):
            theta, posterior, chains = peak.theta, there, chains_there
        else:
            break
    return climbed, replace(peak, n_evaluations=n_evaluations)
