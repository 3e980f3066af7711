"""Harmonic means, bridges and DIC from brief Langevin sampling of Boltzmann machines; [ChenWelling2013], 3.2."""

from math import inf, nan
from typing import Literal

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.errors import ModelError
from ockham.estimation import posterior_draws
from ockham.estimation.doubting import doubt_of_error
from ockham.estimation.jackknife import jackknife_errors
from ockham.estimation.memory import check_memory
from ockham.estimation.resampling import effective_share
from ockham.estimation.scale_reduction import multivariate_scale_reduction
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import langevin
from ockham.machines.inference.belief_propagation import bethe_log_partition
from ockham.machines.inference.fit import Fitting, check_fit, search
from ockham.machines.inference.likelihood import check_fits
from ockham.machines.restricted_boltzmann import (
    RestrictedBoltzmann,
    check_enumerable,
    log_partition,
    log_unnormalised,
)
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "harmonic_1": Estimator("Harmonic mean", over_runs="median_without_error"),
    "harmonic_4": Estimator("Harmonic mean with imagined prior draws", over_runs="median_without_error"),
    "bridge_geometric": Estimator("Bridge sampling, geometric", over_runs="median_without_error"),
    "bridge_optimal": Estimator("Bridge sampling, optimal", over_runs="median_without_error"),
    "dic": Estimator("Deviance information criterion, times -1/2", over_runs="median_without_error"),
}

BRIDGES = "bridge_geometric", "bridge_optimal"
FEWEST = 50
"""Draws that every mean behind a harmonic mean or a bridge must be worth: with fewer they are nats off, which is more
than their errors, though chains may have mixed."""
RESTS_ON = {"harmonic_4": "harmonic_1"}
"""Scores that are judged by how many draws another is worth."""
DRAWS_AT_ONCE = 100
N_MESSAGES = 12
"""Arrays of messages along all edges, for each of these draws, that are there at one time."""


class Settings(Fitting):
    """The chains, their steps, and what is made of their draws."""

    n_chains: int = Field(default=10, ge=2, le=1000, description="chains, all from the MAP parameters")
    smallest_step: float = Field(
        default=0.02, gt=0, le=1e3, description="step size that is tried first, units of the parameters"
    )
    n_step_sizes: int = Field(
        default=4, ge=1, le=20, description="step sizes that are tried, each twice the one before"
    )
    largest_factor: float = Field(
        default=1.1,
        gt=1,
        le=1e9,
        description="scale reduction factor below which chains have converged, if independent draws had 1; where these "
        "have more, for their number is small beside that of the parameters, it is as much higher",
    )
    n_burn_in: int = Field(default=1000, ge=0, le=10**9, description="steps that are thrown away")
    n_draws: int = Field(default=200, ge=2, le=10**7, description="draws of each chain")
    interval: int = Field(default=10, ge=1, le=10**9, description="steps from one draw to the next")
    n_reconstructions: int = Field(
        default=100, ge=1, le=10**9, description="reconstructions of a distinct row at the most"
    )
    n_prior_draws: int = Field(default=2000, ge=1, le=10**7, description="draws of the prior for the bridges")
    prior_fraction: float = Field(default=0.01, gt=0, lt=1, description="delta of the second harmonic mean")
    likelihood: Literal["bethe", "exact"] = Field(
        default="bethe", description="partition functions of the draws: by belief propagation, or by enumeration"
    )


def check(model: RestrictedBoltzmann, n: int, settings: Settings) -> None:
    """Raise a ModelError for a fit, or draws with their covariance, that would cost too much."""
    check_fit(model, n, settings)
    if settings.likelihood == "exact":
        check_enumerable(model)
    if settings.smallest_step >= _farthest_step(model):
        raise ModelError(
            f"smallest_step: Langevin chains with steps of {settings.smallest_step:g} diverge under a prior of "
            f"deviation {model.deviation:g}; set it below {_farthest_step(model):g}"
        )
    n_parameters, n_drawn = float(model.n_parameters), settings.n_chains * settings.n_draws
    at_once = min(DRAWS_AT_ONCE, max(n_drawn, settings.n_prior_draws))
    check_memory(
        n_parameters * (4 * n_parameters + 2 * n_drawn + settings.n_prior_draws + N_MESSAGES * at_once),
        f"draws of {model.n_parameters:,} parameters and their covariance",
        "take fewer units or draws, or bic with partition: annealed, which needs none",
    )


def _farthest_step(model: RestrictedBoltzmann) -> float:
    """Step size from which on each step goes farther beyond the maximum of the prior than it began before it."""
    return 2 * model.deviation


def score(model: RestrictedBoltzmann, data: BinaryRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """Five scores from the draws of one set of chains, of the smallest step size with which the chains agree.

    They agree where their scale reduction factor is about that of as many independent draws, or less than .1 above it,
    by default. If no step size makes them agree, the one that comes nearest is taken, and all scores are doubted. Steps
    are not tested, so the draws are of the posterior to within an error that more of them do not lessen: the scores are
    approximations, and have no standard error. What their number leaves open is the diagnostic
    ``<score>_monte_carlo_error``, nats, by leaving out each chain, for bridges with its share of the prior's draws; NaN
    of bridges where these are fewer than the chains. A score is doubted where that is not known, or more than half a
    nat, and harmonic means and bridges where a mean that they are made of rests on a few draws: there the error is too
    small, too. ``effective_sample_size`` is how many draws that is. The other diagnostics are the step size, the
    multivariate potential scale reduction factor, what it would be of independent draws, and the fraction of draws
    where belief propagation did not settle.
    """
    check_fits(model, data)
    check(model, data.n, settings)
    fit = search(model, data, settings, stream)
    gradient = langevin.BriefGradient(model, data, settings.n_reconstructions)
    independent = langevin.independent_scale_reduction(settings.n_chains, settings.n_draws, model.n_parameters)
    largest = independent + settings.largest_factor - 1
    step_size, factor, chains = _converged(gradient, fit.theta, settings, largest, stream)
    draws = chains.reshape(-1, model.n_parameters)
    rng = stream.child("prior draws").generator()
    prior_draws = np.array([model.sample(rng) for _ in range(settings.n_prior_draws)])
    posterior, unsettled = _log_likelihoods(model, data, draws, settings.likelihood)
    prior, _ = _log_likelihoods(model, data, prior_draws, settings.likelihood)
    of_chain, of_prior = posterior.reshape(len(chains), -1), np.arange(len(prior)) % len(chains)
    divided = len(prior) >= len(chains)

    def estimates(counting: np.ndarray) -> dict[str, float]:
        """From the chains that count, and their share of the prior's draws."""
        kept, beside = of_chain[counting].ravel(), prior[counting[of_prior]] if divided else prior
        mean = chains[counting].reshape(-1, model.n_parameters).mean(axis=0)
        (at_mean,), _ = _log_likelihoods(model, data, mean[None], settings.likelihood)
        return {
            "harmonic_1": posterior_draws.harmonic_mean(kept),
            "harmonic_4": posterior_draws.stabilised_harmonic_mean(kept, settings.prior_fraction),
            "bridge_geometric": posterior_draws.geometric_bridge(kept, beside),
            "bridge_optimal": posterior_draws.optimal_bridge(kept, beside),
            "dic": posterior_draws.half_deviance(kept, float(at_mean)),
        }

    values = estimates(np.ones(len(chains), dtype=bool))
    errors = jackknife_errors(estimates, len(chains)) | ({} if divided else dict.fromkeys(BRIDGES, nan))
    sizes = _effective_sizes(posterior, prior, values["bridge_optimal"])
    diagnostics = {
        "step_size": step_size,
        "scale_reduction": factor,
        "independent_scale_reduction": independent,
        "unsettled": unsettled,
    }
    diagnostics |= {f"{name}_monte_carlo_error": error for name, error in errors.items()}
    n_steps = settings.n_burn_in + settings.n_draws * settings.interval
    n_evaluations = fit.n_evaluations + settings.n_chains * n_steps
    mixed = NO_DOUBT if factor < largest else Doubt.NOT_MIXED
    return {
        name: Evidence(
            value,
            n_evaluations=n_evaluations,
            diagnostics=diagnostics,
            effective_sample_size=sizes.get(name, nan),
            doubt=mixed | doubt_of_error(errors[name]) | _doubt_of_size(sizes.get(RESTS_ON.get(name, name), inf)),
        )
        for name, value in values.items()
    }


def _effective_sizes(posterior: np.ndarray, prior: np.ndarray, log_evidence: float) -> dict[str, float]:
    """How many equal draws the scores are worth at the most: the fewest that any of their means is worth.

    The terms of the optimal bridge are L / (n_1 L + n_2 r) of the prior's n_2 draws and 1 / (n_1 L + n_2 r) of the
    posterior's n_1, at the evidence r that it gives.
    """

    def total(values: np.ndarray) -> np.ndarray:
        """ln (n_1 L + n_2 r)."""
        found: np.ndarray = np.logaddexp(values + np.log(len(posterior)), log_evidence + np.log(len(prior)))
        return found

    terms = {
        "bridge_geometric": (prior / 2, -posterior / 2),
        "bridge_optimal": (prior - total(prior), -total(posterior)),
    }
    sizes = {
        name: min(effective_share(np.exp(logs - logs.max())) * len(logs) for logs in sums)
        for name, sums in terms.items()
    }
    return sizes | {"harmonic_1": posterior_draws.effective_size_of_harmonic(posterior)}


def _doubt_of_size(size: float) -> Doubt:
    return NO_DOUBT if size >= FEWEST else Doubt.FEW_EFFECTIVE_SAMPLES


def _converged(
    gradient: langevin.BriefGradient, theta: np.ndarray, settings: Settings, largest: float, stream: Stream
) -> tuple[float, float, np.ndarray]:
    """Step size, scale reduction factor and draws of the first run below the largest factor, or of the one nearest."""
    best = (np.nan, np.inf, np.empty(0))
    for k in range(settings.n_step_sizes):
        step_size = settings.smallest_step * 2**k
        if k > 0 and step_size >= _farthest_step(gradient.model):
            break
        chains = langevin.run(
            gradient,
            np.tile(theta, (settings.n_chains, 1)),
            stream.child("langevin").generator(),
            step_size=step_size,
            n_burn_in=settings.n_burn_in,
            n_draws=settings.n_draws,
            interval=settings.interval,
        )
        factor = multivariate_scale_reduction(chains)
        if k == 0 or factor < best[1]:
            best = step_size, factor, chains
        if factor < largest:
            break
    return best


def _log_likelihoods(
    model: RestrictedBoltzmann, data: BinaryRows, thetas: np.ndarray, likelihood: str
) -> tuple[np.ndarray, float]:
    """ln p(D | theta) of every draw in nats, and the fraction of draws whose messages did not come to rest."""
    at_rest = np.ones(len(thetas), dtype=bool)
    if likelihood == "exact":
        partition = np.array([log_partition(model, theta) for theta in thetas])
    else:
        partition = np.empty(len(thetas))
        for first in range(0, len(thetas), DRAWS_AT_ONCE):
            part = slice(first, first + DRAWS_AT_ONCE)
            partition[part], at_rest[part] = bethe_log_partition(model, thetas[part])
    free = np.array([data.counts @ log_unnormalised(model, theta, data.rows) for theta in thetas])
    return free - data.n * partition, float(1 - at_rest.mean())
