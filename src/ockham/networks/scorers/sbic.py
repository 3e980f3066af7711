"""The singular BIC ([DrtonPlummer2017]), and BIC by the effective dimension ([GeigerHeckermanMeek1996])."""

from math import log

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.effective_dimension import check_states
from ockham.networks.inference.em import Search
from ockham.networks.inference.submodels import check_submodels, learning_coefficients, submodels
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "bic_effective": Estimator("Bayesian information criterion by the effective dimension", local=True),
    "sbic": Estimator("Singular Bayesian information criterion"),
}


class Settings(Search):
    """Where EM starts, and when it stops; of the network and of each of its submodels."""


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for too many submodels, or for fits or states that are too large."""
    _check(network.relevant, n, settings)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """Both, from maximum likelihood fits of the network and of its submodels.

    A submodel has fewer values of the hidden variables, down to one of each, under which nothing is hidden. The highest
    likelihood of a model is at least that of its submodels. Where a submodel explains the data as well, the network's
    penalty is that of its learning coefficient there, of which an upper bound is taken. So ``sbic`` is at least
    ``bic_effective``, and at most the likelihood with the smallest of these penalties. As its authors have it, it has
    no ln S. Both are doubted where a fit was stopped at its cap. Hidden variables without observed descendants are
    left out.

    The diagnostics are the effective dimension, the smallest coefficient, and the log likelihood in nats.

    Raises
    ------
    ModelError
        For more than 256 submodels, or more joint states of the observed variables than memory has room for.

    Notes
    -----
    ``bic_effective`` is ln p(y | theta) - D / 2 ln n. With L_ij = p(y | theta_i) n^(-lambda_ij), the L_i that solve
    L_i = sum_(j <= i) L_ij L_j / sum_(j <= i) L_j are those of [DrtonPlummer2017] for multiplicities of 1 and equal
    prior probabilities of the submodels; ``sbic`` is the log of the network's own.
    """
    network = network.relevant
    data.check_fits(network)
    _check(network, data.n, settings)
    models, coefficients = submodels(network), learning_coefficients(network)
    fits = []
    for model in models:
        own = stream if model.network is network else stream.child("submodel", *model.values)
        fits.append(em.search(model.network, data, own, settings, np.zeros(model.network.n_entries)))
    log_likelihoods: list[float] = []
    for fit, allowed in zip(fits, ~np.isnan(coefficients), strict=True):
        log_likelihoods.append(max([fit.log_likelihood, *np.array(log_likelihoods)[np.flatnonzero(allowed)[:-1]]]))
    n_passes = sum(fit.n_evaluations for fit in fits)
    log_parts = np.array(log_likelihoods)[:, None] - coefficients * log(data.n)
    diagnostics = {
        "effective_dimension": 2 * float(coefficients[-1, -1]),
        "smallest_coefficient": float(np.nanmin(coefficients[-1])),
        "log_likelihood": log_likelihoods[-1],
        "hit_cap": not all(fit.converged for fit in fits),
    }
    found = {"bic_effective": log_parts[-1, -1], "sbic": _solution(log_parts)}
    doubt = Doubt.NOT_CONVERGED if diagnostics["hit_cap"] else NO_DOUBT
    return {
        name: Evidence(float(value), n_evaluations=n_passes, diagnostics=diagnostics, doubt=doubt)
        for name, value in found.items()
    }


def _check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    em.check(network, n, settings)
    check_submodels(network)
    check_states(network)


def _solution(log_parts: np.ndarray) -> float:
    """ln L of the last model, from ln L_ij, nats, shape (n_models, n_models), NaN where j is no submodel of i.

    Every L_i is the positive root of L^2 + (S - L_ii) L - T = 0, with S the sum of L_j and T that of L_ij L_j over
    the submodels j.
    """
    solved: list[float] = []
    for i, parts in enumerate(log_parts):
        smaller = np.flatnonzero(~np.isnan(parts[:i]))
        if not len(smaller):
            solved.append(float(parts[i]))
            continue
        others = np.array(solved)[smaller]
        scale = max(float(parts[i]), float(others.max()), float((parts[smaller] + others).max() / 2))
        linear = np.exp(parts[i] - scale) - np.exp(others - scale).sum()
        constant = np.exp(parts[smaller] + others - 2 * scale).sum()
        root = np.sqrt(linear**2 + 4 * constant)
        if linear >= 0:
            solved.append(scale + log((linear + root) / 2))
        else:  # without cancellation; the constant may underflow, its log does not
            log_constant = np.logaddexp.reduce(parts[smaller] + others)
            solved.append(float(log(2) + log_constant - scale - log(root - linear)))
    return solved[-1]
