"""Estimates from weighted node orders and the graphs drawn from them, with and without correction of their bias.

A sampled order with weight w brings graphs A, each with l(A) linear extensions. With weights w the graphs have the
posterior under the order-modular prior, which counts a graph once for each of its linear extensions. With weights
w / l(A) they have that under the uniform prior over graphs ([NiinimakiKoivisto2013], section 3.2).
"""

import numpy as np

from ockham.contracts import Doubt
from ockham.estimation.combining import Combined, at_least, combine

__all__ = [
    "N_BATCHES",
    "N_BINS",
    "after_burn_in",
    "arc_errors",
    "arc_intervals",
    "arc_posteriors",
    "arcs_of",
    "corrected",
    "error_with_unseen",
    "lower_bound",
    "mean_of_corrected",
    "telescoped",
    "telescoped_error",
]

N_BATCHES, N_BINS = 10, 9
"""Parts of a chain whose means are nearly independent, and of samples whose lowest mean is a bound."""
FEWEST_CORRECTED = 20
"""Effective samples below which the mean of corrected weights is doubted."""
DEVIATE = 1.96
"""Normal deviate at which their error allows for skewness: that of intervals of 95 %."""


def arcs_of(parents: np.ndarray) -> np.ndarray:
    """1 where the second last index is a parent of the last, from masks (..., n_nodes); float64."""
    n = parents.shape[-1]
    return ((parents[..., None, :] >> np.arange(n, dtype=np.uint64)[:, None]) & np.uint64(1)).astype(float)


def corrected(log_weights: np.ndarray, log_extensions: np.ndarray) -> np.ndarray:
    """ln of the mean of w / l(A) over the graphs of each sample, shape (n_samples,); nats, NaN where not counted.

    ``log_weights`` has shape (n_samples,) and ``log_extensions`` shape (n_samples, n_graphs).
    """
    result = np.full(len(log_weights), np.nan)
    counted = ~np.isnan(log_extensions).any(axis=1)
    log_sums = np.logaddexp.reduce(-log_extensions[counted], axis=1)
    result[counted] = log_weights[counted] + log_sums - np.log(log_extensions.shape[1])
    return result


def error_with_unseen(standard_error: np.ndarray, n: int) -> np.ndarray:
    """That of the log of a mean over n samples, but 1 / (n + 2) at the least; nats.

    The next sample may be the first that differs: Laplace's rule for what was not seen in n trials. Samples of one
    graph that has nearly all differ by as little as the others leak into their weights, which says nothing of these.
    """
    return np.maximum(standard_error, 1 / (n + 2))


def mean_of_corrected(log_weights: np.ndarray) -> Combined:
    """ln of the mean of ``corrected`` weights, shape (n_samples,), NaN where not counted; nats.

    Few graphs have few linear extensions, and these weigh most: weights are skewed, and far from log-normal. Where a
    mean is low so is the spread that is seen, so its error to first order is made as much larger as the further end of
    an interval of 95 % is moved by the skewness that is seen (the modified t of Johnson, 1978).
    """
    found = combine(log_weights, "mean", computed=~np.isnan(log_weights))
    known = log_weights[~np.isnan(log_weights)]
    off, n = np.exp(known - found.value) - 1, max(len(known), 1)
    variance = (off**2).mean() if n > 1 else np.nan
    skewness = max((off**3).mean() / variance**1.5, 0.0) if variance > 0 else 0.0
    farther = 1 + (1 + 2 * DEVIATE**2) / (6 * DEVIATE) * skewness / np.sqrt(n)
    few = np.uint8(0 if found.effective_sample_size >= FEWEST_CORRECTED else Doubt.FEW_EFFECTIVE_SAMPLES)
    return found._replace(
        standard_error=error_with_unseen(np.sqrt(variance / max(n - 1, 1)) * farther, n),
        doubt=found.doubt & ~np.uint8(Doubt.FEW_EFFECTIVE_SAMPLES) | few,
    )


def arc_posteriors(log_weights: np.ndarray, arcs: np.ndarray) -> np.ndarray:
    """Posterior probability of every arc, (n_nodes, n_nodes), from matrices (..., n_nodes, n_nodes) with log weights.

    Weights that are NaN are those of graphs that do not count.
    """
    weights = np.nan_to_num(np.exp(log_weights - np.nanmax(log_weights)))
    return np.tensordot(weights / weights.sum(), arcs, axes=weights.ndim)


def arc_errors(log_weights: np.ndarray, arcs: np.ndarray, posteriors: np.ndarray, floor: bool = True) -> np.ndarray:
    """Standard errors of ``arc_posteriors``, to first order, from weights and matrices over (sample, graph).

    Graphs of one sample are not independent, samples are. An arc that all graphs have, or none, has no spread; the next
    sample may still be the first that differs, so no error is below 1 / (effective samples + 2), Laplace's rule, unless
    ``floor`` is off.
    """
    weights = np.nan_to_num(np.exp(log_weights - np.nanmax(log_weights)))
    deviations = np.einsum("tg,tguv->tuv", weights, arcs - posteriors)
    by_sample = weights.sum(axis=1)
    least = 1 / (weights.sum() ** 2 / (by_sample**2).sum() + 2) if floor else 0.0
    return np.maximum(np.sqrt((deviations**2).sum(axis=0)) / weights.sum(), least)


def arc_intervals(
    log_weights: np.ndarray, arcs: np.ndarray, posteriors: np.ndarray, deviate: float = 1.96
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper ends of the 95 % intervals of ``arc_posteriors``, from weights and matrices over (sample, graph).

    Those of Wilson for a probability that was found in so many independent trials: as many as there are effective
    samples, or fewer where the error to first order is larger than theirs. So an arc that all graphs have, or none, has
    an interval too. benchmarks/arcs.py measures how often they hold.
    """
    errors = arc_errors(log_weights, arcs, posteriors, floor=False)
    weights = np.nan_to_num(np.exp(log_weights - np.nanmax(log_weights))).sum(axis=1)
    trials, variance = weights.sum() ** 2 / (weights**2).sum(), np.maximum(posteriors * (1 - posteriors), 0)
    differ = (errors > 0) & (variance > 0)  # else all graphs have the arc, or none, but for rounding
    trials = np.minimum(trials, np.where(differ, variance / np.where(differ, errors, 1) ** 2, np.inf))
    trials = np.maximum(trials, 1)
    centre = (posteriors + deviate**2 / (2 * trials)) / (1 + deviate**2 / trials)
    half = deviate / (1 + deviate**2 / trials) * np.sqrt(variance / trials + (deviate / (2 * trials)) ** 2)
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.minimum(low, posteriors), np.maximum(high, posteriors)  # but for rounding they are


def lower_bound(log_weights: np.ndarray, n_bins: int = N_BINS, confidence: float = 0.95) -> float:
    """A bound that the mean weight exceeds with at least this probability; nats.

    The lowest of the means of equal bins of the samples, times (1 - confidence) ** (1 / n_bins). What does not fill the
    bins evenly is left out.

    Notes
    -----
    Theorem 1 of [NiinimakiKoivisto2013], as section 3.4 uses it; from Markov's inequality.
    """
    size = len(log_weights) // n_bins
    if size == 0:
        raise ValueError(f"{len(log_weights)} weights do not fill {n_bins} bins")
    bins = np.logaddexp.reduce(log_weights[: n_bins * size].reshape(n_bins, size), axis=1) - np.log(size)
    return float(at_least(bins.min(), confidence, n_bins))


def after_burn_in(n: int) -> slice:
    """The second half of so many blocks of tempered chains; the first is burn-in."""
    return slice(n // 2, n)


def telescoped(log_ratios: np.ndarray, log_inverse_extensions: np.ndarray, prior: str) -> float:
    """ln of the mean of p(D, L) over all orders, from blocks of records of tempered chains; nats.

    The product of the ratios of neighbouring targets, (n_blocks, n_ratios), of which the first half is burn-in; under
    the prior ``graphs`` times the mean of 1 / number of linear extensions, (n_blocks,). [NiinimakiKoivisto2013], 2.3.
    """
    kept = after_burn_in(len(log_ratios))
    total = combine(log_ratios[kept].T, "mean").value.sum()
    if prior == "graphs":
        total += combine(log_inverse_extensions[kept], "mean").value
    return total


def telescoped_error(log_ratios: np.ndarray, log_inverse_extensions: np.ndarray, prior: str) -> float:
    """The standard error of ``telescoped`` to first order, nats, from the means of ``N_BATCHES`` runs of kept blocks.

    Blocks follow each other, and chains exchange their states, so neither blocks nor ratios are independent; batches
    are nearly so.
    """
    terms = log_ratios if prior == "orders" else np.column_stack([log_ratios, log_inverse_extensions])
    kept = terms[after_burn_in(len(terms))]
    relative = np.exp(kept - combine(kept.T, "mean").value).sum(axis=1)
    batches = np.array([batch.mean() for batch in np.array_split(relative, N_BATCHES)])
    return float(error_with_unseen(batches.std(ddof=1) / np.sqrt(N_BATCHES), len(kept)))
