"""One value from independent runs, by the rule that an estimate declares, with an error and what speaks against it."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence, OverRuns

__all__ = [
    "ROUNDING", "Combined", "at_least", "combine", "combine_runs", "doubts_of", "error_of_sum", "freedom_of_sum",
    "size_of_sum",
]  # fmt: skip

FEWEST, FRACTION, MANY = 50, 0.1, 400
"""Effective samples, of all samples or in all, from which on the error of a mean weight is known to first order: with
fewer, intervals of log-normal weights do not hold as often as they say."""
WIDEST = np.array([0, 0, 0.13, 0.40, 0.58, 0.70, 0.78, 0.84, 0.89, 0.93, 0.96, 0.99, 1.0])
"""By the number of log weights, from 12 on 1: standard deviations that are taken for small. Below 1 their mean is
known as that of log-normal weights; below these the true one is under 1.5 with a confidence of 93 %."""
MEDIAN_TO_MEAN = np.sqrt(np.pi / 2)
"""Standard error of a median in units of that of a mean, for many normal values, and at the most for fewer."""
SUSPECT, DIFFERENT = 1.645, 3.09
"""Normal deviates, of 5 % and of .1 %, that the runs' chi-square exceeds if their own errors are too small."""
ROUNDING = 1e-9
"""Nats; no two runs are taken to differ by less."""


class Combined(NamedTuple):
    """What runs say together; arrays of one shape.

    Attributes
    ----------
    value, standard_error : ndarray
        Nats, NaN where unknown.
    effective_sample_size : ndarray
        NaN where the rule weighs nothing.
    doubt : ndarray of uint8
        The flags of ``Doubt``.
    degrees_of_freedom : ndarray
        Of the t distribution that an interval takes: of the spread of the runs, or of the errors that they brought.
    """

    value: np.ndarray
    standard_error: np.ndarray
    effective_sample_size: np.ndarray
    doubt: np.ndarray
    degrees_of_freedom: np.ndarray

    def evidence(
        self,
        n_evaluations: int,
        diagnostics: Mapping[str, float] | None = None,
        arrays: Mapping[str, np.ndarray] | None = None,
        *,
        sign: float = 1.0,
        plus: float = 0.0,
        doubt: Doubt = NO_DOUBT,
    ) -> Evidence:
        """Of a single value, times a sign and plus a constant, nats, with what else speaks against it."""
        return Evidence(
            sign * float(self.value) + plus,
            float(self.standard_error),
            n_evaluations,
            diagnostics or {},
            arrays or {},
            float(self.effective_sample_size),
            doubts_of(self.doubt) | doubt,
            float(self.degrees_of_freedom),
        )


class _Runs(NamedTuple):
    """Runs along the last axis: their values, errors with their degrees of freedom, effective sample sizes and doubts,
    and which were computed.
    """

    values: np.ndarray
    errors: np.ndarray
    sizes: np.ndarray
    doubts: np.ndarray
    computed: np.ndarray
    freedoms: np.ndarray

    @property
    def known(self) -> np.ndarray:
        return ~np.isnan(self.values)

    @property
    def n(self) -> np.ndarray:
        return self.known.sum(axis=-1)

    def mean(self, of: np.ndarray) -> np.ndarray:
        """Over the runs that have a value; NaN where there is none."""
        return np.where(self.known, of, 0.0).sum(axis=-1) / np.where(self.n > 0, self.n, np.nan)


def combine(
    values: np.ndarray,
    rule: OverRuns,
    standard_errors: np.ndarray | None = None,
    effective_sizes: np.ndarray | None = None,
    doubts: np.ndarray | None = None,
    computed: np.ndarray | None = None,
    degrees_of_freedom: np.ndarray | None = None,
) -> Combined:
    """The value of runs, how far it may be off, and why it is not to be trusted, all of shape (...,).

    Parameters
    ----------
    values : ndarray, shape (..., n_runs)
        Log evidences in nats; NaN where a run has none.
    rule : {"max", "mean", "median", "median_without_error"}
        Highest of restarts, of those that are a mode if any is; log of the mean evidence of unbiased estimates; median
        of estimates that may fail; the same of approximations, of which the spread of the runs is no error.
    standard_errors, effective_sizes, doubts : ndarray, shape (..., n_runs), optional
        Of each run, where it knows them itself.
    computed : ndarray of bool, shape (..., n_runs), optional
        Which runs there are; all of them by default. One without a value has failed; if all have, that is a doubt
        beside those that they brought.
    degrees_of_freedom : ndarray, shape (..., n_runs), optional
        Of the errors that the runs know themselves; inf, or NaN, of those that are not from a few values.

    Notes
    -----
    The mean is AIS^(G) at the end of section 3.6 of [BealGhahramani2006], its effective sample size (sum w)^2 /
    sum w^2. Its error from log weights of standard deviation s is that of the mean of a log-normal distribution,
    s^2 / R + s^4 / 2(R - 1) for its square, where s is small, and to first order, that of the mean weight over the mean
    weight, where there are many effective samples. Elsewhere it is the larger of both, and doubted. The spread of a
    few runs is a poor estimate, so errors that the runs bring count, unless the runs differ by more than them. The
    error of a run of too few effective samples may be any number of nats. Where the runs together have enough, it
    gives way to that of first order, 1 / sqrt(effective sample size).
    """
    unknown, none = np.full(values.shape, np.nan), np.zeros(values.shape, dtype=np.uint8)
    runs = _Runs(
        values,
        unknown if standard_errors is None else standard_errors,
        unknown if effective_sizes is None else effective_sizes,
        none if doubts is None else doubts.astype(np.uint8),
        np.ones(values.shape, dtype=bool) if computed is None else computed,
        np.full(values.shape, np.inf)
        if degrees_of_freedom is None
        else np.nan_to_num(degrees_of_freedom, nan=np.inf, posinf=np.inf),
    )
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = RULES[rule](runs)
    some = runs.n > 0
    value, error, size = (np.where(some, number, np.nan) for number in found[:3])
    freedom = np.where(np.isnan(error), np.nan, found.degrees_of_freedom)
    failed = np.bitwise_or.reduce(np.where(runs.computed, runs.doubts | np.uint8(Doubt.RUN_FAILED), 0), axis=-1)
    return Combined(value, error, size, np.where(some, found.doubt, failed).astype(np.uint8), freedom)


def combine_runs(estimator: Estimator, runs: Sequence[Evidence]) -> Evidence:
    """One evidence from several runs; diagnostics and arrays are those of the run nearest to it."""
    values, errors, sizes, freedoms = (
        np.array([getattr(evidence, name) for evidence in runs])
        for name in ("log_evidence", "standard_error", "effective_sample_size", "degrees_of_freedom")
    )
    doubts = np.array([int(evidence.doubt) for evidence in runs])
    found = combine(values, estimator.over_runs, errors, sizes, doubts, degrees_of_freedom=freedoms)
    nearest = runs[int(np.argmin(np.abs(values - found.value)))] if np.isfinite(found.value) else runs[0]
    return found.evidence(sum(evidence.n_evaluations for evidence in runs), nearest.diagnostics, nearest.arrays)


def at_least(log_mean: np.ndarray | float, confidence: float = 0.95, n_bins: int = 1) -> np.ndarray | float:
    """What ln Z is above with this probability, from the log of an unbiased estimate of Z; nats.

    By Markov's inequality, however few effective samples there are. Of several such estimates the lowest may be given,
    which is further below: with their number as ``n_bins``.
    """
    return log_mean + np.log(1 - confidence) / n_bins


def doubts_of(doubt: np.ndarray) -> Doubt:
    """The flags of one value."""
    return Doubt(int(doubt))


def _highest(runs: _Runs) -> Combined:
    no_mode = (runs.doubts & Doubt.NOT_A_MODE) > 0
    modes = runs.known & ~no_mode
    chosen = np.where(modes.any(axis=-1, keepdims=True), modes, runs.known)
    at = np.argmax(np.where(chosen, runs.values, -np.inf), axis=-1, keepdims=True)
    at = np.where(np.take_along_axis(chosen, at, -1), at, np.argmax(chosen, axis=-1, keepdims=True))
    value, error, size, doubt, freedom = (
        np.take_along_axis(array, at, -1)[..., 0]
        for array in (runs.values, runs.errors, runs.sizes, runs.doubts, runs.freedoms)
    )
    return Combined(value, error, size, doubt, freedom)


def _median(runs: _Runs) -> Combined:
    value = np.full(runs.n.shape, np.nan)
    value[runs.n > 0] = np.nanmedian(runs.values[runs.n > 0], axis=-1)
    scale = np.where(runs.n > 2, MEDIAN_TO_MEAN, 1.0) / np.sqrt(runs.n)
    between, within = scale * _spread(runs), scale * np.sqrt(runs.mean(runs.errors**2))
    error, freedom, differ = _pooled(runs, between, within, runs.known.astype(float))
    flags = [_half(runs.known & ((runs.doubts & flag) > 0), runs.known) * int(flag) for flag in Doubt]
    failed = _half(runs.computed & ~runs.known, runs.computed) * int(Doubt.RUN_FAILED)
    doubt = np.bitwise_or.reduce([*flags, failed, differ * int(Doubt.RUNS_DIFFER)], axis=0)
    return Combined(value, error, runs.mean(runs.sizes) * runs.n, doubt, freedom)


def _median_without_error(runs: _Runs) -> Combined:
    return _median(runs)._replace(standard_error=np.full(runs.n.shape, np.nan))


def _mean(runs: _Runs) -> Combined:
    n, known = runs.n, runs.known
    highest = np.max(np.where(known, runs.values, -np.inf), axis=-1, keepdims=True)
    weights = np.nan_to_num(np.exp(runs.values - np.where(np.isfinite(highest), highest, 0.0)))
    total, squares = weights.sum(axis=-1), (weights**2).sum(axis=-1)
    value = highest[..., 0] + np.log(total / n)
    unweighed = (known & np.isnan(runs.sizes)).any(axis=-1, keepdims=True)
    size = np.where(total > 0, size_of_sum(weights, np.where(known & ~unweighed, runs.sizes, 1.0)), np.nan)

    spread = _spread(runs)
    variance = np.maximum((squares / n - (total / n) ** 2) / (n - 1), 0.0)
    first_order, log_normal = np.sqrt(variance) * n / total, np.sqrt(spread**2 / n + spread**4 / (2 * (n - 1)))
    narrow = spread <= WIDEST[np.minimum(n, len(WIDEST) - 1)]
    many = size >= np.clip(FRACTION * n, FEWEST, MANY)
    between = np.where(narrow, log_normal, np.where(many, first_order, np.fmax(first_order, log_normal)))
    few = ((runs.doubts & Doubt.FEW_EFFECTIVE_SAMPLES) > 0) & known
    enough = few & many[..., None]
    runs = runs._replace(errors=np.where(enough, np.fmin(runs.errors, 1 / np.sqrt(runs.sizes)), runs.errors))
    within = error_of_sum(weights, np.where(known, runs.errors, 0.0))
    error, freedom, differ = _pooled(runs, between, within, weights)

    few = np.where(np.isnan(within), ~(narrow | many), few.any(axis=-1) & ~many)
    failed = (runs.computed & ~known).any(axis=-1)
    others = np.bitwise_or.reduce(np.where(known, runs.doubts & ~np.uint8(Doubt.FEW_EFFECTIVE_SAMPLES), 0), axis=-1)
    doubt = others | few * int(Doubt.FEW_EFFECTIVE_SAMPLES) | failed * int(Doubt.RUN_FAILED)
    return Combined(value, error, size, doubt | differ * int(Doubt.RUNS_DIFFER), freedom)


def _spread(runs: _Runs) -> np.ndarray:
    """Standard deviation of the runs; NaN of one, inf where some are -inf."""
    finite = np.where(np.isneginf(runs.values), np.nan, runs.values)
    centre = runs._replace(values=finite).mean(finite)
    squares = np.where(np.isnan(finite), 0.0, (finite - centre[..., None]) ** 2).sum(axis=-1)
    spread = np.sqrt(squares / (runs.n - 1))
    return np.where(np.isneginf(runs.values).any(axis=-1), np.inf, spread)


def _pooled(
    runs: _Runs, between: np.ndarray, within: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The error, its degrees of freedom, and whether runs differ by more than their own errors.

    ``within`` is made of these with the weights.
    """
    variances = np.maximum(runs.errors, ROUNDING) ** 2
    finite = np.where(np.isfinite(runs.values), runs.values, 0.0)
    precisions = np.where(runs.known, 1 / variances, 0.0)
    centre = (precisions * finite).sum(axis=-1) / precisions.sum(axis=-1)
    chi_square = (precisions * (finite - centre[..., None]) ** 2).sum(axis=-1)
    freedom = np.maximum(runs.n - 1, 1)
    narrow = 2 / (9 * freedom)
    deviate = (np.cbrt(chi_square / freedom) - (1 - narrow)) / np.sqrt(narrow)  # Wilson & Hilferty (1931)
    several = runs.n > 1
    own = ~np.isnan(within) & ~(several & (deviate > SUSPECT))
    error = np.where(own, within, np.where(several, np.fmax(between, within), np.nan))
    parts = np.where(runs.known, (weights * runs.errors) ** 2, 0.0)
    return error, np.where(own, freedom_of_sum(parts, runs.freedoms), freedom), several & (deviate > DIFFERENT)


def size_of_sum(weights: np.ndarray, effective_sizes: np.ndarray) -> np.ndarray:
    """Effective sample size of a weighted sum of independent means along the last axis, of which each has its own."""
    size: np.ndarray = weights.sum(axis=-1) ** 2 / (weights**2 / effective_sizes).sum(axis=-1)
    return size


def error_of_sum(weights: np.ndarray, standard_errors: np.ndarray) -> np.ndarray:
    """Standard error of the logarithm of a sum of independent terms along the last axis, from those of their own."""
    error: np.ndarray = np.sqrt(((weights * standard_errors) ** 2).sum(axis=-1)) / weights.sum(axis=-1)
    return error


def freedom_of_sum(variances: np.ndarray, degrees_of_freedom: np.ndarray) -> np.ndarray:
    """Degrees of freedom of the sum of independent variances along the last axis ([Satterthwaite1946])."""
    losses = (variances**2 / degrees_of_freedom).sum(axis=-1)
    found: np.ndarray = np.divide(
        variances.sum(axis=-1) ** 2, losses, out=np.full_like(losses, np.inf), where=losses > 0
    )
    return found


def _half(of: np.ndarray, all_of: np.ndarray) -> np.ndarray:
    """Whether half of the runs or more are such."""
    return of.any(axis=-1) & (2 * of.sum(axis=-1) >= all_of.sum(axis=-1))


RULES: dict[OverRuns, Callable[[_Runs], Combined]] = {
    "max": _highest, "mean": _mean, "median": _median, "median_without_error": _median_without_error,
}  # fmt: skip
