"""The evidence of a finite mixture from Gibbs chains, bridged to the mean of the posteriors given completed rows.

A completion that a chain visited makes a closed posterior of the parameters. The mean of some of them, from one half of
every chain and over all names of the classes, is a proposal near the posterior itself; the other half is bridged to it
([FruehwirthSchnatter2004]). Then the halves change places.
"""

from typing import NamedTuple

import numpy as np

from ockham.estimation.bridge_sampling import UNSEEN, bridge, mean_of_halves, mean_weight
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.completed import log_densities
from ockham.mixtures.inference.design import Design

__all__ = ["Estimate", "estimate"]

N_COMPLETIONS = 100
"""Of a proposal."""
MOST_DRAWS = 8000
"""Of either half of the chains together, and of a proposal; more of a chain are thinned."""


class Estimate(NamedTuple):
    """What chains say of the evidence.

    Attributes
    ----------
    log_evidence, relative_error : float
        But for base measures, nats; the root of the mean square error over the evidence.
    by_weights : float
        The mean weight of the draws of the proposals, which takes no chain to be a sample of the posterior; nats.
    weights_error : float
        Its relative standard error, to first order.
    overlap : float
        Mean share of the proposal at draws of the posterior, 1/2 where they are equal.
    autocorrelation_time : float
        Of that share, in the draws that were used.
    n_used : int
        Draws of the chains.
    n_evaluations : int
        Points whose likelihood was computed.
    """

    log_evidence: float
    relative_error: float
    by_weights: float
    weights_error: float
    overlap: float
    autocorrelation_time: float
    n_used: int
    n_evaluations: int


def estimate(model: FiniteMixture, design: Design, draws: Parameters, sums: Sums, rng: np.random.Generator) -> Estimate:
    """The mean of two, from draws and sums of chains, of leading shape (n_chains, n_draws)."""
    middle, n_used = draws.log_weights.shape[1] // 2, 0
    halves = slice(0, middle), slice(middle, None)
    bridges, weights = [], []
    for fitted, bridged in (halves, halves[::-1]):
        completions = Sums(*(_thinned(part[:, fitted], N_COMPLETIONS).reshape(-1, *part.shape[2:]) for part in sums))
        points = Parameters(*(_thinned(part[:, bridged], MOST_DRAWS) for part in draws))
        n_chains, n_each = points.log_weights.shape[:2]
        posterior = _log_ratios(model, design, _joined(points), completions).reshape(n_chains, n_each)
        chosen = rng.integers(len(completions.cases), size=n_chains * n_each)
        proposed = model.sample(Sums(*(part[chosen] for part in completions)), rng)
        ratios = _log_ratios(model, design, proposed, completions)
        bridges.append(bridge(list(posterior), ratios))
        weights.append(ratios)
        n_used += n_chains * n_each
    value, error = mean_of_halves(
        np.array([found.log_normaliser for found in bridges]), np.array([found.relative_error for found in bridges])
    )
    worse = max(bridges, key=lambda found: found.relative_error)
    if model.n_classes > 1:
        error = float(np.hypot(error, UNSEEN * worse.autocorrelation_time / n_used))
    by_weights, spread = mean_weight(np.concatenate(weights))
    return Estimate(value, error, by_weights, spread, worse.overlap, worse.autocorrelation_time, n_used, 2 * n_used)


def _log_ratios(model: FiniteMixture, design: Design, points: Parameters, completions: Sums) -> np.ndarray:
    """ln p(rows, parameters) - ln q(parameters), but for base measures, nats, shape (n_points,)."""
    by_completion = log_densities(model, points, completions)
    log_proposal = np.logaddexp.reduce(by_completion, axis=1) - np.log(by_completion.shape[1])
    found: np.ndarray = design.log_likelihood(points) + model.log_prior(points) - log_proposal
    return found


def _thinned(part: np.ndarray, most: int) -> np.ndarray:
    """Every so many draws of each chain, so that about ``most`` are left of all."""
    n_chains, n_draws = part.shape[:2]
    return part[:, :: max(1, -(-n_chains * n_draws // most))]


def _joined(points: Parameters) -> Parameters:
    return Parameters(*(part.reshape(-1, *part.shape[2:]) for part in points))
