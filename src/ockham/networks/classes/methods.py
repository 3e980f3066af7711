"""A paragraph for a paper on how the number of classes was chosen, made from what was done."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ockham.networks.data.unique_rows import MISSING
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
    from ockham.networks.classes.selection import CategoricalSelection
    from ockham.table_results.selection import UnderPrior

__all__ = ["ESTIMATED_BY", "methods"]

ESTIMATED_BY = {
    "bridge": "bridge sampling (Meng & Wong, 1996; Frühwirth-Schnatter, 2004)",
    "tempered_smc": "tempered sequential Monte Carlo (Del Moral et al., 2006)",
    "smc": "waste-free sequential Monte Carlo (Dau & Chopin, 2022)",
    "ais_from_vb": "the acceptance ratio (Bennett, 1976) of annealing over class memberships, both ways between a "
    "variational posterior and the posterior",
    "exact": "the exact sum over all completions of the data",
}
"""Scorers of the plan of networks; others go by their name."""


def methods(found: "CategoricalSelection") -> str:
    """What was done, and what came of it."""
    return " ".join(
        sentence
        for part in (_models, _evidences, of_posterior, of_scores, _statistics, _others, of_program)
        for sentence in part(found)
    )


def _models(found: "CategoricalSelection") -> Iterator[str]:
    data, classes = found.data, found.classes
    yield (
        f"Latent class models with {classes_in_words(*classes)}, in which items are independent given the class, "
        f"were compared on {data.n:,} rows of {len(found.labels)} categorical items."
    )
    yield from missing_cells(data.rows == MISSING, data.counts)
    yield f"{_prior(found.main)}."


def _prior(under: "UnderPrior") -> str:
    value, is_divided = under.prior
    if is_divided:
        return (
            "Class sizes and the probabilities of every item in every class had Dirichlet priors whose hyperparameters "
            f"divide an equivalent sample size of {value:g} over each table (BDeu; Heckerman et al., 1995)"
        )
    uniform = ", which is the uniform distribution" if value == 1 else ""
    return (
        "Class sizes and the probabilities of every item in every class had Dirichlet priors with all hyperparameters "
        f"{value:g}{uniform}"
    )


def _evidences(found: "CategoricalSelection") -> Iterator[str]:
    yield from of_evidences(found, ESTIMATED_BY)


def _statistics(found: "CategoricalSelection") -> Iterator[str]:
    if found.fits:
        yield (
            "Fit at the posterior mode was described by the likelihood-ratio statistic G2 of complete rows "
            "(Goodman, 1974), bivariate residuals (Oberski et al., 2013) and the relative entropy of classification "
            "(Ramaswamy et al., 1993)."
        )


def _others(found: "CategoricalSelection") -> Iterator[str]:
    cited = " (Heckerman et al., 1995)" if any(under.prior.is_divided for under in found.others) else ""
    yield from of_others(found, cited)
