"""What is known of a table's arcs and evidence under both priors of structures."""

from dataclasses import dataclass
from math import isnan

import numpy as np

from ockham.contracts import Doubt
from ockham.estimation.wording import CONFIDENCE, bound_in_words, in_words
from ockham.orders.space import PRIORS

__all__ = ["PRIOR_LABELS", "ArcEstimates", "by_probability"]

PRIOR_LABELS = {"orders": "order-modular", "graphs": "uniform over graphs"}


@dataclass(frozen=True, eq=False)
class ArcEstimates:
    """What is known of a table's arcs and evidence under each of the two ``PRIORS`` of structures.

    All is NaN under a prior that was not asked for.

    Attributes
    ----------
    names : tuple of str
    exact : ndarray of bool, shape (2,)
        By prior, whether the values are sums over all structures; otherwise they are estimates from samples.
    log_evidence, standard_error, lower_bound, effective_sample_size : ndarray, shape (2,)
        By prior; nats but for the last. The log evidence exceeds the bound with a probability of 95 %. Error and size
        are NaN where the evidence is exact.
    log_total, log_count : ndarray, shape (2,)
        By prior, nats: ln of the sum of the scores of all structures, and ln of how many there are, whose difference
        the log evidence is. Where forbidden and required arcs leave too much to count, the latter is NaN, and with it
        the log evidence; its error then is that of the former.
    doubt, arcs_doubt : ndarray of int, shape (2,)
        By prior, the flags of ``Doubt`` that speak against the log evidence, and against the arcs.
    arcs, low, high : ndarray, shape (2, n_nodes, n_nodes)
        Posterior probability of the arc from the row's node to the column's, and the ends of its 95 % interval, which
        are the probability itself where that is exact. All NaN where the arcs are doubted: they are unknown.
    about : dict
        How they were found, for the attributes of a file.
    """

    names: tuple[str, ...]
    exact: np.ndarray
    log_evidence: np.ndarray
    standard_error: np.ndarray
    lower_bound: np.ndarray
    effective_sample_size: np.ndarray
    log_total: np.ndarray
    log_count: np.ndarray
    doubt: np.ndarray
    arcs_doubt: np.ndarray
    arcs: np.ndarray
    low: np.ndarray
    high: np.ndarray
    about: dict[str, str | float]

    def evidence_in_words(self, prior: str) -> str:
        """The log evidence under a prior, with how it was found."""
        k = PRIORS.index(prior)
        value, bound = self.log_evidence[k], self.lower_bound[k]
        if isnan(self.log_count[k]) and not isnan(self.log_total[k]):
            return "unknown, for the graphs that the rules allow are too many to count"
        if self.exact[k]:
            return f"{value:.3f} nats, exact"
        doubt = Doubt(int(self.doubt[k]))
        said = in_words(value, self.standard_error[k], doubt, bound, digits=3, probability=CONFIDENCE)
        also = "" if doubt else f", {bound_in_words(bound, CONFIDENCE, digits=3)}"
        return (
            f"{said}{also} (nats), sampled: effective sample size "
            f"{self.effective_sample_size[k]:.1f} of {self.about['samples']}"
        )


def by_probability(found: ArcEstimates, prior: str) -> list[tuple[int, int]]:
    """Pairs of a parent and a child, from the most probable arc under a prior on."""
    n, arcs = len(found.names), found.arcs[PRIORS.index(prior)]
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    return sorted(pairs, key=lambda pair: -np.nan_to_num(arcs[pair]))
