"""The evidence of a finite mixture by the ways to put rows into classes: their sum, by set partitions, or annealing."""

import numpy as np

from ockham.estimation import partition_sums
from ockham.kernels import mixture_completions as kernel
from ockham.mixtures.finite_mixture import FiniteMixture, Sums
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.layout import conjugates

__all__ = ["log_evidence", "log_weight", "n_cases"]


def n_cases(model: FiniteMixture, design: Design) -> int:
    """Rows that the sum goes over; 0 where the closed form is enough."""
    return 0 if model.n_classes == 1 else int(design.counts.sum())


def log_evidence(model: FiniteMixture, design: Design) -> float:
    """The log evidence in nats, exact to rounding.

    Notes
    -----
    sum over partitions of the n rows into b blocks of K! / (K - b)! Gamma(K a) / Gamma(K a + n) times the product over
    the blocks B of Gamma(a + |B|) / Gamma(a) and the marginals of the items in B.
    """
    if n_cases(model, design) == 0:
        whole = Sums(np.atleast_1d(design.counts.sum()), (design.counts @ design.statistics)[None])
        return float(model.log_marginal(whole)) + design.log_base
    statistics = design.by_case().statistics
    members = partition_sums.members(len(statistics)).astype(np.float64)
    log_block = model.log_marginal_of_class(members.sum(axis=1), members @ statistics)
    of_weights = float(model.log_marginal_of_weights(len(statistics)))
    return of_weights + partition_sums.log_sum(log_block, model.n_classes) + design.log_base


def log_weight(model: FiniteMixture, design: Design, temperatures: np.ndarray, rng: np.random.Generator) -> float:
    """ln w of a run of annealed importance sampling over classes, nats; its exp is unbiased for the evidence.

    From classes that are all as probable, through p(z, y | m) ** temperature, to their posterior, by a sweep of
    collapsed Gibbs sampling at each temperature; shape (n_steps + 1,), from 0 to 1. The design has one row a case.
    """
    found: float = kernel.log_weight(
        rng.bit_generator,
        *conjugates(tuple(model.items.values())),
        weights_prior=model.concentration,
        statistics=design.statistics,
        temperatures=temperatures,
        classes=np.empty(len(design.statistics), dtype=np.int32),
        work=np.empty((model.n_classes, model.n_statistics + 3)),
    )
    return found + len(design.statistics) * float(np.log(model.n_classes)) + design.log_base
