"""Cross validation of restricted Boltzmann machines: the log likelihood of held-out rows; [ChenWelling2013]."""

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Estimator, Evidence
from ockham.errors import DataError
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.fit import (
    Fitting,
    check_fit,
    doubt_of_sampling,
    log_likelihood,
    monte_carlo_error,
    search,
)
from ockham.machines.inference.likelihood import check_fits
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"cross_validation": Estimator("Log likelihood of held-out rows", over_runs="median_without_error")}


class Settings(Fitting):
    """The folds, and the fits to all but one of them."""

    n_folds: int = Field(default=10, ge=2, le=1000, description="parts of the data, each held out once")
    with_prior: bool = Field(default=True, description="whether the fits are MAP, or else ML")


def check(model: RestrictedBoltzmann, n: int, settings: Settings) -> None:
    """Raise a ModelError for fits that would cost too much."""
    check_fit(model, n, settings, 2.0 * settings.n_folds * n)


def score(model: RestrictedBoltzmann, data: BinaryRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The sum over the folds of the log likelihood of the fold under the fit to the others.

    It is a log probability of every row, but not an evidence. All machines, runs and settings share the folds of a data
    set, so that what differs between machines is no other division. The diagnostics are the mean over the folds of the
    log likelihood per row and its standard deviation, and the error of the sum that annealed partition functions make
    (nats); above .5 the sum is doubted.

    Raises
    ------
    DataError
        When there are fewer rows than folds.
    """
    check_fits(model, data)
    check(model, data.n, settings)
    if data.n < settings.n_folds:
        raise DataError(f"{data.n} rows cannot make {settings.n_folds} folds: lower n_folds, or give more rows")
    division = Stream(stream.root, "folds", data.digest).generator()
    folds = split(data.counts, settings.n_folds, division)
    held_out, errors = np.empty((2, settings.n_folds))
    n_evaluations, doubt = 0, NO_DOUBT
    for k, counts in enumerate(folds):
        training = _rows(data, data.counts - counts)
        fold = stream.child("fold", k)
        fit = search(model, training, settings, fold, with_prior=settings.with_prior)
        held_out[k], errors[k] = log_likelihood(model, fit.theta, _rows(data, counts), settings, fold)
        n_evaluations += fit.n_evaluations
        doubt |= fit.doubt
    error = float(np.sqrt((errors**2).sum()))
    doubt |= doubt_of_sampling(error)
    per_row = held_out / folds.sum(axis=1)
    diagnostics = {"held_out_mean": float(per_row.mean()), "held_out_deviation": float(per_row.std(ddof=1))}
    diagnostics |= monte_carlo_error(error)
    return {
        "cross_validation": Evidence(
            float(held_out.sum()), n_evaluations=n_evaluations, diagnostics=diagnostics, doubt=doubt
        )
    }


def split(counts: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Counts of the distinct rows in every fold, (n_folds, n_rows): a random division, equal up to one row."""
    n, left, folds = int(counts.sum()), counts.copy(), []
    for k in range(n_folds):
        size = n * (k + 1) // n_folds - n * k // n_folds
        folds.append(rng.multivariate_hypergeometric(left, size, method="marginals"))
        left -= folds[-1]
    return np.array(folds)


def _rows(data: BinaryRows, counts: np.ndarray) -> BinaryRows:
    return BinaryRows(data.rows[counts > 0], counts[counts > 0])
