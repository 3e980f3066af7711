"""The exact evidence of two hidden classes of one observed variable, from how many cases each class may have."""

import numpy as np

from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.completions import log_rising

__all__ = ["log_evidence", "takes"]

MOST_CASES = 20_000
"""The work grows with their square: .1 s for these."""


def takes(network: DiscreteNetwork, data: UniqueRows) -> bool:
    """Whether ``log_evidence`` has this network, and not too many cases."""
    if not network.n_variables == 2 == len(network.hidden) + 1:
        return False
    (hidden,), (observed,) = network.hidden, network.observed
    return data.n <= MOST_CASES and network.cardinalities[hidden] == 2 and network.parents[observed] == (hidden,)


def log_evidence(network: DiscreteNetwork, data: UniqueRows) -> float:
    """The log evidence ln p(y | m) in nats, exact to rounding; NaN where its terms are beyond the range of floats.

    Notes
    -----
    Eq. (9) of [BealGhahramani2006]. Completions that put a_k of the n_k cases of value k in the first class are alike,
    and what the class sizes contribute depends on the sum of the a_k alone. So the sum over the a_k of one sum is a
    convolution, by one value after another.
    """
    (hidden,), (observed,) = network.hidden, network.observed
    first, second = network.family(observed, network.prior)
    counts = np.zeros(len(first), dtype=np.int64)
    known = data.rows[:, 0] != MISSING
    counts[data.rows[known, 0]] = data.counts[known]
    n = int(counts.sum())
    terms, scale = np.ones(1), 0.0  # by the size of the first class
    for k, n_k in enumerate(counts):
        one, other = log_rising(np.array([first[k], second[k]]), int(n_k))
        (factorials,) = log_rising(np.ones(1), int(n_k))
        divided = factorials[-1] - factorials - factorials[::-1] + one + other[::-1]
        terms = np.convolve(terms, np.exp(divided - divided.max()))
        scale += divided.max() + np.log(terms.max())
        terms /= terms.max()
    prior = network.family(hidden, network.prior)[0]
    starts = np.array([prior[0], prior[1], first.sum(), second.sum(), prior.sum()])
    of_first, of_second, values_of_first, values_of_second, of_both = log_rising(starts, n)
    if terms.min() < np.finfo(float).tiny:
        return float("nan")
    log_terms = np.log(terms) + of_first - values_of_first + (of_second - values_of_second)[::-1]
    highest = log_terms.max()
    return float(scale + highest + np.log(np.exp(log_terms - highest).sum()) - of_both[-1])
