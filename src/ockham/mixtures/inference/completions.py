"""The exact evidence of a finite mixture: the sum over all ways to put rows into classes, by set partitions."""

import numpy as np

from ockham.estimation import partition_sums
from ockham.mixtures.finite_mixture import FiniteMixture, Sums
from ockham.mixtures.inference.design import Design

__all__ = ["log_evidence", "n_cases"]


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
