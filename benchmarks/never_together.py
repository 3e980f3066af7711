"""Intervals of ``bridge`` and ``tempered_smc`` where missing cells leave parameters open, against quadrature.

``python benchmarks/never_together.py [tables] [scorer] [chains] [n ...]``: rows that have one of two bits each, never
both, where the second has the first as its parent, under uniform priors. The scorer is ``bridge``, ``tempered_smc`` or
``evidence``; chains are ``hamiltonian``, as they are, or ``gibbs``, the control, where modes without a chain are not
missing, for by them slow chains are noticed as well. Intervals are of 95 %, of what is not doubted.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings
from time import process_time

import numpy as np
from scipy.special import xlogy

import ockham
from ockham.estimation.intervals import interval
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.scorers import bridge, tempered_smc

NETWORK = ockham.DiscreteNetwork.build({"a": 2, "b": 2}, {"b": ["a"]})
N_POINTS = 20_000
ACCURACY = 1e-3
"""Nats, of the quadrature, for values that are exact."""
FARTHEST = 40.0
"""Nats below the highest likelihood of a bit, beyond which it is nothing."""


def counts(seed, n):
    """Rows with a 0 and a 1 of the first bit, and then of the second."""
    return np.random.default_rng([seed, n]).multinomial(n // 2, [[0.3, 0.7], [0.6, 0.4]])


def rows(n_a, n_b):
    return UniqueRows.of([[0, -1], [1, -1], [-1, 0], [-1, 1]], [2, 2], missing=True, weights=[*n_a, *n_b])


def log_evidence(n_a, n_b):
    """Nats. P(b = 0) is p u + (1 - p) v of uniform u and v, with a density of straight lines given p = P(a = 0)."""
    points = (np.arange(N_POINTS) + 0.5) / N_POINTS
    logs = [xlogy(n[0], points) + xlogy(n[1], 1 - points) for n in (n_a, n_b)]
    near = [log > log.max() - FARTHEST for log in logs]
    p, q = points[near[0]][:, None], points[near[1]]
    least = np.minimum(p, 1 - p)
    density = np.minimum(np.minimum(q, 1 - q), least) / (least * (1 - least))
    weights = [np.exp(log[kept] - log.max()) for log, kept in zip(logs, near, strict=True)]
    return sum(log.max() for log in logs) + np.log(weights[0] @ density @ weights[1]) - 2 * np.log(N_POINTS)


def estimate(scorer, data, seed):
    if scorer == "evidence":
        return ockham.evidence(NETWORK, data, seed=seed, progress=False).evidence
    (found,) = ockham.score(NETWORK, data, scorer, runs=1, seed=seed, progress=False).values()
    return found


def main(n_tables="40", scorer="bridge", chains="hamiltonian", *sizes):
    if chains == "gibbs":
        bridge.leaves_open = tempered_smc.leaves_open = lambda *_: False
        bridge.share_missing = lambda *_: (0.0, 0)
        bridge.n_independent_visits = lambda *_: np.inf
        tempered_smc.share_unvisited = lambda *_: 0.0
    print(f"{'n':>8}{'tables':>8}{'known':>7}{'95 %':>7}{'rms z':>8}{'largest':>9}{'rms error':>11}{'s':>7}")
    for n in map(int, sizes or ("2000", "20000", "200000")):
        found, held, began = [], 0, process_time()
        for seed in range(int(n_tables)):
            n_a, n_b = counts(seed, n)
            one, truth = estimate(scorer, rows(n_a, n_b), seed), log_evidence(n_a, n_b)
            if one.trusted:
                low, high = interval(one.log_evidence, one.standard_error, one.degrees_of_freedom)
                slack = 0.0 if one.standard_error > 0 else ACCURACY
                held += low - slack <= truth <= high + slack
                found.append((one.log_evidence - truth, one.standard_error))
        seconds, (error, stated) = (process_time() - began) / int(n_tables), np.array(found or [(np.nan, 1.0)]).T
        z = error / np.maximum(stated, ACCURACY)
        print(
            f"{n:8d}{n_tables:>8}{len(found):7d}{held / max(len(found), 1):7.0%}{np.sqrt((z**2).mean()):8.2f}"
            f"{np.abs(z).max():9.2f}{np.sqrt((error**2).mean()):11.3f}{seconds:7.2f}",
            flush=True,
        )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    main(*sys.argv[1:])
