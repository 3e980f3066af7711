"""Annealed importance sampling over completions of a finite mixture, by Gibbs sampling ([Neal2001])."""

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference.design import Design

__all__ = ["run"]


def run(
    model: FiniteMixture,
    design: Design,
    parameters: Parameters,
    temperatures: np.ndarray,
    rng: np.random.Generator,
    *,
    n_sweeps: int = 1,
) -> np.ndarray:
    """Log weights of chains but for base measures, nats, shape (n_chains,), each begun at a draw of the prior.

    Parameters
    ----------
    parameters : Parameters
        Draws of the prior, of leading shape (n_chains,).
    temperatures : ndarray, shape (n_steps + 1,)
        From 0 to 1.
    n_sweeps : int
        At every temperature but 0 and 1.

    Notes
    -----
    At the inverse temperature tau, classes and parameters have the joint density p(theta) p(z | theta)
    p(y | z, theta)^tau, with which cells count for tau, and rows in classes for 1: a Gibbs sweep draws both from closed
    forms. Over completions z alone it is p(z) m(tau S) with the sums S of the cells, so ln m(tau S) is what the weight
    is made of, with the parameters integrated out.
    """
    sums = design.complete(_tempered_parameters(parameters, temperatures[0]), rng)
    log_weights = np.zeros(len(sums.cases))
    of_last = len(temperatures) - 1
    for k in range(1, of_last + 1):
        before = model.log_marginal(_tempered(sums, temperatures[k - 1]))
        log_weights += model.log_marginal(_tempered(sums, temperatures[k])) - before
        if k == of_last:
            break
        for _ in range(n_sweeps):
            parameters = model.sample(_tempered(sums, temperatures[k]), rng)
            sums = design.complete(_tempered_parameters(parameters, temperatures[k]), rng)
    return log_weights


def _tempered(sums: Sums, temperature: float) -> Sums:
    return Sums(sums.cases, temperature * sums.items)


def _tempered_parameters(parameters: Parameters, temperature: float) -> Parameters:
    return Parameters(parameters.log_weights, temperature * parameters.natural)
