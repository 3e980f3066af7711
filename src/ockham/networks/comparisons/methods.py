"""A paragraph for a paper on how networks were compared, made from what was done."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ockham.estimation.model_posterior import in_words, listed
from ockham.networks.classes.methods import ESTIMATED_BY
from ockham.networks.data.unique_rows import MISSING
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.table_results.methods import errors_of, found_by, missing_cells, of_program

if TYPE_CHECKING:
    from ockham.networks.comparisons.comparison import Comparison

__all__ = ["judgement", "methods", "priors_of"]


def methods(found: "Comparison") -> str:
    """What was done, and what came of it."""
    return " ".join([*_models(found), *judgement(found)])


def judgement(found: "Comparison") -> Iterator[str]:
    """Sentences on evidences and what follows from them, whatever the networks are from."""
    for part in (_evidences, _factors, _posterior, of_program):
        yield from part(found)


def _models(found: "Comparison") -> Iterator[str]:
    yield (
        f"{len(found.models)} discrete networks ({_names(list(found.models))}) were compared on {found.data.n:,} "
        f"rows of {len(found.labels)} categorical variables."
    )
    hidden = {
        name: [f"{model.names[i]} ({model.cardinalities[i]} values)" for i in model.hidden]
        for name, model in found.models.items()
    }
    if said := [f"{listed(of, 'and')} in {name}" for name, of in hidden.items() if of]:
        yield f"Hidden variables were {'; '.join(said)}."
    yield from missing_cells(found.data.rows == MISSING, found.data.counts)
    yield priors_of(list(found.models.values()))


def priors_of(models: Sequence[DiscreteNetwork]) -> str:
    """A sentence on the hyperparameters of networks."""
    values = np.unique(np.concatenate([model.prior for model in models]))
    span = f"all hyperparameters {values[0]:g}" if len(values) == 1 else (
        f"hyperparameters from {values[0]:g} to {values[-1]:g}"
    )  # fmt: skip
    return f"Every row of conditional probabilities had a Dirichlet prior, with {span}."


def _evidences(found: "Comparison") -> Iterator[str]:
    known = {name: each for name, each in found.evidences.items() if each.trusted}
    yield "Networks were judged by their marginal likelihood (evidence)."
    if ways := found_by(known, ESTIMATED_BY, _names):
        yield f"It was found {', '.join(ways)}."
    yield from errors_of(known, ESTIMATED_BY, _names)
    if unknown := [name for name in found.evidences if name not in known]:
        yield f"For {_names(unknown)} it could not be established, and is treated as unknown."


def _factors(found: "Comparison") -> Iterator[str]:
    best, *others = found.models
    said = [
        f"{factor.log_factor:.2f} ({factor.low:.2f} to {factor.high:.2f}) for {name}"
        for name in others
        if (factor := found.bayes_factors[name]).log_factor == factor.log_factor
    ]
    if said:
        yield (
            f"Log Bayes factors (Kass & Raftery, 1995) against {best}, with 95 % intervals to which the standard "
            f"errors were propagated, are {', '.join(said)}."
        )


def _posterior(found: "Comparison") -> Iterator[str]:
    of = found.posterior
    if of.unknown:
        yield "As an evidence is unknown, posterior probabilities have bounds only."
        return
    every = zip(of.models, of.probability, of.low, of.high, strict=True)
    said = [f"{in_words(p)} ({in_words(low)} to {in_words(high)}) for {name}" for name, p, low, high in every]
    yield f"Posterior probabilities under equal prior odds are {', '.join(said)}."
    if of.chosen is None:
        yield f"The errors leave open for which of {listed(of.leading, 'or')} the evidence was highest."


def _names(names: Sequence[str]) -> str:
    return listed(names, "and")
