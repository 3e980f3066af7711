"""Scores of the evidence from one fit of a mixture, MAP or ML ([BealGhahramani2006], sections 3.2 and 3.3)."""

from collections.abc import Mapping
from math import lgamma, log

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.em import State

__all__ = ["bic", "cheeseman_stutz", "evidences", "log_alike", "log_likelihood"]

UNUSED = 0.5
"""Expected rows below which a class is not in use."""


def log_likelihood(design: Design, fit: State) -> float:
    """With base measures, nats."""
    return fit.log_likelihood + design.log_base


def bic(model: FiniteMixture, design: Design, fit: State, n: int) -> float:
    """Log likelihood minus d / 2 ln n, nats; eq. (22) of [BealGhahramani2006] without ln S."""
    return log_likelihood(design, fit) - model.n_parameters / 2 * log(n)


def cheeseman_stutz(model: FiniteMixture, design: Design, fit: State) -> float:
    """Evidence of the expected complete data, corrected by the likelihoods at the fit, nats; eq. (27) to (30).

    The sums are those of the E step at the fitted parameters, which makes it a lower bound whatever these are
    (theorem 6.1, whose proof takes no more than conjugacy).
    """
    completed = float(model.log_marginal(fit.sums) - model.log_joint(fit.parameters, fit.sums))
    return log_likelihood(design, fit) + completed


def log_alike(fit: State) -> float:
    """Log number of the relabellings that leave a fit as it is, nats: permutations of classes that no row is in.

    Such classes have the parameters that the prior gives them, all the same, so the fit has K! aliases divided by this
    many.
    """
    return lgamma(1 + np.count_nonzero(fit.sums.cases < UNUSED))


def evidences(
    fit: State,
    scores: Mapping[str, float],
    estimates: Mapping[str, Estimator],
    doubt: Doubt,
    **diagnostics: float,
) -> dict[str, Evidence]:
    """The scores of a fit; one that is no bound, whatever the parameters, has the doubt of the fit."""
    diagnostics |= {"n_iterations": fit.n_iterations, "hit_cap": not fit.converged, "log_alike": log_alike(fit)}
    return {
        name: Evidence(
            scores[name],
            n_evaluations=fit.n_evaluations,
            diagnostics=diagnostics,
            doubt=doubt if about.bound == "none" else NO_DOUBT,
        )
        for name, about in estimates.items()
    }
