"""EM and variational EM per iteration: against a vectorised NumPy twin, and against the arithmetic floor, in one run.

    python benchmarks/kernels.py

The floor of an iteration is (unique rows x hidden configurations x factors) multiply-adds at the rate that this core
reaches in NumPy's dot product of short vectors, plus one logarithm and one division per unique row at the rates of
NumPy's loops. The twin does the same E and M steps with NumPy's own loops, once over all rows of the data, as usual
(up to n = 10,240, where it is already slow), and once over the same unique rows.
"""

import timeit
from functools import partial

import numpy as np

from ockham import UniqueRows, bipartite, draw
from ockham.kernels import VECTOR
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import em, variational_em
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS

ITERATIONS = 2000
OPTIONS = {"max_iterations": ITERATIONS, "tolerance": 0.0}


def seconds(*calls):
    """Of one call of each (function, calls in a trial): the shortest of 100 trials in turns, for clocks drift."""
    return np.min([[timeit.timeit(call, number=number) / number for call, number in calls] for _ in range(100)], axis=0)


class NumpyEM:
    """One EM iteration of a bipartite network, vectorised over rows, which have counts, and hidden configurations."""

    def __init__(self, network, rows, counts):
        self.network, self.counts = network, counts[:, None].astype(float)
        observed = np.zeros((len(rows), network.n_variables), dtype=np.int64)
        observed[:, network.observed] = rows
        hidden = np.zeros((network.n_hidden_configurations, network.n_variables), dtype=np.int64)
        hidden[:, network.hidden] = network.hidden_configurations
        by_row, by_state = observed @ network.strides.T, hidden @ network.strides.T
        self.entries = np.array(network.offsets[:-1]) + by_row[:, None] + by_state[None]
        self.flat = self.entries.ravel()
        self.starts = network.row_starts[:-1]

    def step(self, theta):
        joint = np.prod(theta[self.entries], axis=-1)
        evidence = joint.sum(axis=1, keepdims=True)
        weights = np.repeat((self.counts * joint / evidence).ravel(), self.network.n_variables)
        posterior = self.network.prior + np.bincount(self.flat, weights, minlength=self.network.n_entries)
        log_likelihood = (self.counts * np.log(evidence)).sum() + (self.network.prior * np.log(theta)).sum()
        return posterior / np.add.reduceat(posterior, self.starts)[self.network.rows], log_likelihood


def floor(n_rows, n_hidden, n_factors):
    x, y = np.random.default_rng(0).random((2, 4096)) + 0.5
    z = np.empty_like(x)
    calls = (lambda: np.dot(x, y), 5000), (lambda: np.log(x, out=z), 500), (lambda: np.divide(x, 3.7, out=z), 1000)
    multiply_add, logarithm, division = seconds(*calls) / len(x)
    return n_rows * (n_hidden * n_factors * multiply_add + logarithm + division)


def main():
    space = bipartite([2, 2], [5] * 4)
    truth, full = space["1-12-12-2"], space["12-12-12-12"]
    rng = np.random.default_rng(1)
    parameters = np.concatenate([PARAMETERS[name].ravel() for name in truth.names])
    states = draw(truth, parameters, 10_000_000, rng)[:, list(truth.observed)].astype(np.int8)
    start = sample_log(full, rng)
    print(f"vectors: {VECTOR}; microseconds per iteration, fully connected structure")
    print("         n  unique      EM    VBEM   floor  EM/floor  NumPy, all rows  ratio  NumPy, unique  ratio")
    for n in (480, 10_240, 1_000_000, 10_000_000):
        data = UniqueRows.of(states[:n], [5] * 4)
        twin = NumpyEM(full, data.rows, data.counts)
        fast, bound, slow = seconds(
            (partial(em.run, full, data, start, full.prior, **OPTIONS), 1),
            (partial(variational_em.run, full, data, start, **OPTIONS), 1),
            (partial(twin.step, np.exp(start)), 20),
        ) / [ITERATIONS, ITERATIONS, 1]  # fmt: skip
        plain = np.nan
        if n <= 10_240:
            every = NumpyEM(full, states[:n], np.ones(n))
            np.testing.assert_allclose(every.step(np.exp(start))[1], twin.step(np.exp(start))[1], rtol=1e-12)
            (plain,) = seconds((partial(every.step, np.exp(start)), 5))
        least = floor(len(data.rows), full.n_hidden_configurations, full.n_variables)
        agree = twin.step(twin.step(np.exp(start))[0])[1]
        mine = em.run(full, data, start, full.prior, max_iterations=1, tolerance=0.0).objective
        np.testing.assert_allclose(agree, mine, rtol=1e-12)
        print(
            f"{n:10d} {len(data.rows):7d} {fast * 1e6:7.2f} {bound * 1e6:7.2f} {least * 1e6:7.2f} {fast / least:9.2f}"
            f" {plain * 1e6:16.1f} {plain / fast:6.1f} {slow * 1e6:14.1f} {slow / fast:6.1f}"
        )


if __name__ == "__main__":
    main()
