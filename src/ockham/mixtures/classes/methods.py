"""A paragraph for a paper on how the number of classes of mixed items was chosen, made from what was done."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ockham.estimation.model_posterior import listed
from ockham.table_results.methods import (
    missing_cells,
    of_evidences,
    of_others,
    of_posterior,
    of_program,
    of_scores,
)  # fmt: skip
from ockham.table_results.selection_showing import classes_in_words

if TYPE_CHECKING:
    from ockham.mixtures.classes.selection import MixedSelection

__all__ = ["methods"]

ESTIMATED_BY = {
    "bridge": "bridge sampling (Meng & Wong, 1996; Frühwirth-Schnatter, 2004)",
    "smc": "sequential Monte Carlo over completions of the data (Kong et al., 1994)",
    "exact": "the exact sum over all partitions of the rows (of one class, a closed form)",
}
"""Scorers of the plan of mixtures; others go by their name."""
KINDS = {
    "categorical": "categorical",
    "ordered": "ordered",
    "gaussian": "numerical (Gaussian in every class)",
    "poisson": "count (Poisson in every class)",
    "binomial": "bounded count (binomial in every class)",
}


def methods(found: "MixedSelection") -> str:
    """What was done, and what came of it."""
    return " ".join(
        sentence
        for part in (_models, _priors, _evidences, of_posterior, of_scores, _statistics, of_others, of_program)
        for sentence in part(found)
    )


def _models(found: "MixedSelection") -> Iterator[str]:
    numbers = Counter(item.kind for item in next(iter(found.models.values())).items.values())
    kinds = [f"{numbers[kind]} {words}" for kind, words in KINDS.items() if numbers[kind]]
    items = "item" if numbers.total() == 1 else "items"
    yield (
        f"Latent class models with {classes_in_words(*found.classes)}, in which items are independent given the class, "
        f"were compared on {found.data.n:,} rows of {listed(kinds, 'and')} {items}."
    )
    yield from missing_cells(np.isnan(found.data.rows), found.data.counts)


def _priors(found: "MixedSelection") -> Iterator[str]:
    prior, kinds = found.main.prior, {item.kind for item in next(iter(found.models.values())).items.values()}
    yield (
        "Class sizes, and the probabilities of categories and bounded counts in every class, had Dirichlet priors with "
        f"all hyperparameters {prior.concentration:g}."
    )
    if "ordered" in kinds:
        yield (
            "Orderings were sequences of decisions to stop at a value or go on (Tutz, 1991), each with a Beta prior of "
            f"{2 * prior.concentration:g} imagined cases."
        )
    if "gaussian" in kinds:
        yield (
            "Numbers had normal-inverse-gamma priors in units of the items: the standard deviation inside a class was "
            f"expected to be {prior.within:g} times that of the item (shape {prior.shape:g}), and the means of classes "
            "lay around its mean with what is left of its variance."
        )
    if "poisson" in kinds:
        yield f"Rates of counts had gamma priors of shape {prior.rates:g} around the mean of the item."
    if kinds & {"gaussian", "poisson"}:
        yield "The evidence depends on these hyperparameters."


def _evidences(found: "MixedSelection") -> Iterator[str]:
    yield from of_evidences(found, ESTIMATED_BY)


def _statistics(found: "MixedSelection") -> Iterator[str]:
    if found.fits:
        yield (
            "Fit at the posterior mode was described by score statistics for dependence of two items inside classes, "
            "in the manner of bivariate residuals (Oberski et al., 2013), and for skewness, kurtosis and "
            "overdispersion of an item inside classes, and by the relative entropy of classification (Ramaswamy et "
            "al., 1993)."
        )
