"""Posterior probabilities and Bayes factors of models from evidences with errors, and bounds where one is unknown."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from ockham.estimation.certifying import Certified
from ockham.streams import Stream

__all__ = ["BayesFactor", "Label", "ModelPosterior", "bayes_factors", "in_words", "listed", "model_posterior"]

N_DRAWS = 20_000
TAIL = 0.025
"""Of the draws on either side of an interval; a model that leads in fewer is not the best one."""
SURE = 0.999
"""Of the draws that a bound holds for, so that with a bound of the evidence, of 95 %, it does with 95 % as well."""
ROUNDING = 1e-9
"""Nats, within which log evidences are the same, as of equivalent graphs."""

Label = TypeVar("Label", bound=Hashable)
"""What models are told apart by, such as numbers of classes, or names."""


@dataclass(frozen=True, eq=False)
class ModelPosterior(Generic[Label]):
    """p(model | data) under a uniform prior over the models.

    Attributes
    ----------
    models : tuple of int or str
        Numbers of classes, or names.
    probability : ndarray, shape (n_models,)
        NaN for all where the evidence of any is unknown.
    standard_error : ndarray, shape (n_models,)
        Its standard error, by those of the evidences; NaN where it is unknown.
    low, high : ndarray, shape (n_models,)
        Ends of the interval that has 95 %; where an evidence is unknown, what is known for all that: bounds.
    leads : ndarray, shape (n_models,)
        With what probability this evidence is the highest, given the errors; among those that are known, and not below
        what an unknown one is at least. Equal ones share it.
    unknown : tuple of int or str
        Whose evidence is unknown.
    """

    models: tuple[Label, ...]
    probability: np.ndarray
    standard_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    leads: np.ndarray
    unknown: tuple[Label, ...]

    @property
    def leading(self) -> tuple[Label, ...]:
        """Which may have the highest evidence of those that are known; none where one that is unknown is higher."""
        return tuple(model for model, leads in zip(self.models, self.leads, strict=True) if leads >= TAIL)

    @property
    def chosen(self) -> Label | None:
        """The model of the highest evidence, where all are known and their errors leave no other."""
        return self.leading[0] if len(self.leading) == 1 and not self.unknown else None

    def __str__(self) -> str:
        """Which leads, in words: ``3``, ``3 or 4``, ``unknown``, or ``unknown (of those known, 3)``."""
        leading = listed(self.leading, "or") if self.leading else ""
        if not self.unknown:
            return leading
        return f"unknown (of those known, {leading})" if leading else "unknown"


class BayesFactor(NamedTuple):
    """The log Bayes factor of a model against another, in nats.

    Attributes
    ----------
    log_factor, standard_error : float
        NaN where one of the evidences is unknown; an error of 0 where both are exact.
    low, high : float
        Ends of the interval that has 95 %; -inf or inf where nothing bounds it.
    """

    log_factor: float
    standard_error: float
    low: float
    high: float


def in_words(probability: float) -> str:
    """Three digits, and never 0 or 1; ``unknown`` for NaN."""
    if np.isnan(probability):
        return "unknown"
    return "<0.001" if probability < 0.0005 else ">0.999" if probability > 0.9995 else f"{probability:.3f}"


def listed(members: Sequence[Hashable], word: str) -> str:
    """``1, 2 and 3``, with this word before the last."""
    *first, last = map(str, members)
    return f"{', '.join(first)} {word} {last}" if first else last


def model_posterior(found: Mapping[Label, Certified], stream: Stream) -> ModelPosterior[Label]:
    """The posterior over models.

    The errors of the log evidences are taken to be independent, with the t distribution that each came with; standard
    error and interval are those of the probabilities over draws from these. Where an evidence is unknown, all that
    bounds probabilities is what it is at least.
    """
    models = tuple(found)
    known = np.array([each.trusted for each in found.values()])
    unknown = tuple(model for model, each in found.items() if not each.trusted)
    values = np.array([each.log_evidence for each in found.values()])
    draws = _draws(found, stream)[:, known]
    leads = np.full(len(models), nan)
    least = _least([each for each in found.values() if not each.trusted])
    top = draws.max(axis=1, keepdims=True, initial=-np.inf)
    if known.any():
        highest = (draws >= top - ROUNDING) & (top >= np.fmax.reduce(least, initial=-np.inf))
        leads[known] = (highest / np.maximum(highest.sum(axis=1, keepdims=True), 1)).mean(axis=0)
    if not unknown:
        probabilities = _softmax(draws)
        low, high = np.quantile(probabilities, [TAIL, 1 - TAIL], axis=0)
        return ModelPosterior(models, _softmax(values), probabilities.std(axis=0), low, high, leads, ())
    low, high = np.zeros(len(models)), np.ones(len(models))
    if known.any():
        weights, others = np.exp(draws - top), np.exp(np.minimum(least - top, 700.0))
        total = weights.sum(axis=1, keepdims=True) + others.sum(axis=1, keepdims=True)
        high[known] = np.quantile(weights / total, SURE, axis=0)
        if len(unknown) == 1:
            low[~known] = np.quantile(others / total, 1 - SURE, axis=0)
    nothing = np.full(len(models), nan)
    return ModelPosterior(models, nothing, nothing, low, high, leads, unknown)


def _least(unknown: Sequence[Certified]) -> np.ndarray:
    """What the log evidences of all are at least, with 95 %; shape (n_unknown,).

    Those that are not proven are by Markov's inequality, and each has an equal part of the 5 % that one alone has.
    """
    shares = np.array([each.at_least_probability < 1 for each in unknown], dtype=bool)
    return np.array([each.at_least for each in unknown]) - shares * np.log(max(shares.sum(), 1))


def bayes_factors(found: Mapping[Label, Certified], against: Label, stream: Stream) -> dict[Label, BayesFactor]:
    """Log Bayes factors of all models against one of them, eq. (1) of [KassRaftery1995].

    The errors are taken to be independent, and the interval is that of differences of draws, as in ``model_posterior``.
    What is unknown is bounded by what its evidence is at least.
    """
    other = found[against]
    draws = dict(zip(found, _draws(found, stream).T, strict=True))

    def factor(model: Label, each: Certified) -> BayesFactor:
        if each is other:
            return BayesFactor(0.0, 0.0, 0.0, 0.0) if each.trusted else BayesFactor(nan, nan, -inf, inf)
        if each.trusted and other.trusted:
            low, high = np.quantile(draws[model] - draws[against], [TAIL, 1 - TAIL])
            error = float(np.hypot(each.standard_error, other.standard_error))
            return BayesFactor(each.log_evidence - other.log_evidence, error, float(low), float(high))
        low = each.at_least - np.quantile(draws[against], SURE) if other.trusted else -inf
        high = np.quantile(draws[model], SURE) - other.at_least if each.trusted else inf
        return BayesFactor(nan, nan, float(low), float(high))

    return {model: factor(model, each) for model, each in found.items()}


def _draws(found: Mapping[Label, Certified], stream: Stream) -> np.ndarray:
    """Log evidences as they may be, given the estimates; shape (N_DRAWS, n_models), NaN where unknown."""
    rng, columns = stream.generator(), []
    for each in found.values():
        freedom = each.evidence.degrees_of_freedom
        noise = rng.standard_t(freedom, N_DRAWS) if freedom < 1e6 else rng.standard_normal(N_DRAWS)
        columns.append(each.log_evidence + each.standard_error * noise)
    return np.stack(columns, axis=1)


def _softmax(values: np.ndarray) -> np.ndarray:
    weights: np.ndarray = np.exp(values - values.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
