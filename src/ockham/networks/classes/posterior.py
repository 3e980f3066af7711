"""Posterior probabilities of numbers of classes from evidences with errors, and what is known where one is unknown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ockham.estimation.certifying import Certified
from ockham.streams import Stream

__all__ = ["ClassPosterior", "class_posterior", "in_words", "listed"]

N_DRAWS = 20_000
TAIL = 0.025
"""Of the draws on either side of an interval; a number of classes that leads in fewer is not the best one."""
SURE = 0.999
"""Of the draws that a bound holds for, so that with a bound of the evidence, of 95 %, it does with 95 % as well."""


@dataclass(frozen=True, eq=False)
class ClassPosterior:
    """p(K | data) under a uniform prior over K.

    Attributes
    ----------
    classes : tuple of int
    probability : ndarray, shape (n_models,)
        NaN for all where the evidence of any is unknown.
    low, high : ndarray, shape (n_models,)
        Ends of the interval that has 95 %; where an evidence is unknown, what is known for all that: bounds.
    leads : ndarray, shape (n_models,)
        With what probability this evidence is the highest, given the errors; among those that are known.
    unknown : tuple of int
        Whose evidence is unknown.
    """

    classes: tuple[int, ...]
    probability: np.ndarray
    low: np.ndarray
    high: np.ndarray
    leads: np.ndarray
    unknown: tuple[int, ...]

    @property
    def leading(self) -> tuple[int, ...]:
        """Which may have the highest evidence of those that are known."""
        return tuple(k for k, leads in zip(self.classes, self.leads, strict=True) if leads >= TAIL)

    @property
    def chosen(self) -> int | None:
        """The number of classes of the highest evidence, where all are known and their errors leave no other."""
        return self.leading[0] if len(self.leading) == 1 and not self.unknown else None

    def __str__(self) -> str:
        """Which leads, in words: ``3``, ``3 or 4``, ``unknown``, or ``unknown (of those known, 3)``."""
        leading = listed(self.leading, "or") if self.leading else ""
        if not self.unknown:
            return leading
        return f"unknown (of those known, {leading})" if leading else "unknown"


def in_words(probability: float) -> str:
    """Three digits, and never 0 or 1; ``unknown`` for NaN."""
    if np.isnan(probability):
        return "unknown"
    return "<0.001" if probability < 0.0005 else ">0.999" if probability > 0.9995 else f"{probability:.3f}"


def listed(numbers: Sequence[int], word: str) -> str:
    """``1, 2 and 3``, with this word before the last."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} {word} {last}" if first else last


def class_posterior(found: Mapping[int, Certified], stream: Stream) -> ClassPosterior:
    """The posterior over numbers of classes.

    The errors of the log evidences are taken to be independent, with the t distribution that each came with; the
    interval is that of the probabilities over draws from these. Where an evidence is unknown, all that bounds
    probabilities is what it is at least.
    """
    classes = tuple(found)
    known = np.array([each.trusted for each in found.values()])
    unknown = tuple(k for k, each in found.items() if not each.trusted)
    values = np.array([each.log_evidence for each in found.values()])
    draws = _draws(found, stream.generator())[:, known]
    leads = np.full(len(classes), np.nan)
    if known.any():
        leads[known] = np.bincount(draws.argmax(axis=1), minlength=known.sum()) / N_DRAWS
    if not unknown:
        low, high = np.quantile(_softmax(draws), [TAIL, 1 - TAIL], axis=0)
        return ClassPosterior(classes, _softmax(values), low, high, leads, ())
    low, high = np.zeros(len(classes)), np.ones(len(classes))
    least = np.array([each.at_least for each in found.values()])[~known]
    if known.any():
        top = np.max(draws, axis=1, keepdims=True)
        weights, others = np.exp(draws - top), np.exp(np.minimum(least - top, 700.0))
        total = weights.sum(axis=1, keepdims=True) + others.sum(axis=1, keepdims=True)
        high[known] = np.quantile(weights / total, SURE, axis=0)
        if len(unknown) == 1:
            low[~known] = np.quantile(others / total, 1 - SURE, axis=0)
    return ClassPosterior(classes, np.full(len(classes), np.nan), low, high, leads, unknown)


def _draws(found: Mapping[int, Certified], rng: np.random.Generator) -> np.ndarray:
    """Log evidences as they may be, given the estimates; shape (N_DRAWS, n_models), NaN where unknown."""
    columns = []
    for each in found.values():
        freedom = each.evidence.degrees_of_freedom
        noise = rng.standard_t(freedom, N_DRAWS) if freedom < 1e6 else rng.standard_normal(N_DRAWS)
        columns.append(each.log_evidence + each.standard_error * noise)
    return np.stack(columns, axis=1)


def _softmax(values: np.ndarray) -> np.ndarray:
    weights: np.ndarray = np.exp(values - values.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
