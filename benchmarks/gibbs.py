"""A Gibbs sweep of a network: beside an iteration of EM, NumPy's multinomial numbers, and the arithmetic in it.

    python benchmarks/gibbs.py

The arithmetic in a sweep is an iteration of EM, random bits, and NumPy's gamma numbers of all parameters. The bits are
16 for each copy of a row; of a row with more than 512 copies, a number for each hidden configuration. NumPy's
multinomial numbers are those of all rows in one call, from probabilities that are given. Tables are those of
`evidence.py`, and two of more rows. All take turns in one process.
"""

from functools import partial
from time import process_time

import numpy as np

from ockham import UniqueRows, bipartite, draw, naive_bayes
from ockham.kernels import VECTOR
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import em, gibbs
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS

N_SWEEPS = 300
ITERATIONS = {"max_iterations": N_SWEEPS, "tolerance": 0.0}
TRIALS = 25


def tables():
    """Label, network and data."""
    space = bipartite([2, 2], [5] * 4)
    true, full = space["1-12-12-2"], space["12-12-12-12"]
    parameters = np.concatenate([PARAMETERS[name].ravel() for name in true.names])
    states = draw(true, parameters, 1_000_000, np.random.default_rng(1))[:, list(true.observed)].astype(np.int8)
    for n in (480, 10_240, 100_000, 1_000_000):
        for label, network in (("true structure", true), ("fully connected", full)):
            yield f"{label}, n = {n}", network, UniqueRows.of(states[:n], [5] * 4)
    for n_classes in (2, 3, 5):
        mixture, rng = naive_bayes([n_classes], [3] * 16)[f"classes-{n_classes}"], np.random.default_rng(n_classes)
        rows = draw(mixture, np.exp(sample_log(mixture, rng)), 435, rng)[:, list(mixture.observed)]
        yield f"survey, {n_classes} classes", mixture, UniqueRows.of(rows, [3] * 16)


def seconds(*calls):
    """Of each function, called often enough: the least CPU time of a call, in turns."""
    times = np.empty((TRIALS, len(calls)))
    for trial in times:
        for i, (call, number) in enumerate(calls):
            start = process_time()
            for _ in range(number):
                call()
            trial[i] = (process_time() - start) / number
    return times.min(axis=0)


def pieces_of_a_sweep(network, data):
    """Log parameters of a fit, and the calls of which the arithmetic in a sweep there is made."""
    rng = np.random.default_rng(3)
    fit = em.run(network, data, sample_log(network, rng), network.prior, max_iterations=200, tolerance=0.0)
    shape = network.prior + gibbs.run(network, data, fit.log_parameters, rng, 100).best_counts
    n_numbers = int(np.where(data.counts > 512, network.n_hidden_configurations, (data.counts + 3) // 4).sum())
    pieces = (
        (partial(em.run, network, data, fit.log_parameters, network.prior, **ITERATIONS), 1),
        (partial(rng.bit_generator.random_raw, n_numbers), 30),
        (partial(rng.standard_gamma, shape), 30),
    )
    return fit.log_parameters, pieces


def arithmetic(network, data):
    """CPU seconds of the arithmetic in one sweep."""
    _, pieces = pieces_of_a_sweep(network, data)
    return float((seconds(*pieces) / [N_SWEEPS, 1, 1]).sum())


def main():
    print(f"vectors: {VECTOR}; CPU microseconds of a sweep, of an iteration of EM, of NumPy's multinomial numbers")
    print(f"{'table':30s}{'rows':>5s}{'sweep':>8s}{'EM':>7s}{'NumPy':>8s}{'arithmetic':>12s}{'sweep/arithmetic':>18s}")
    for label, network, data in tables():
        rng = np.random.default_rng(4)
        log_parameters, pieces = pieces_of_a_sweep(network, data)
        posteriors = rng.dirichlet(np.full(network.n_hidden_configurations, 0.5), len(data.rows))
        sweeps, multinomials, iterations, bits, gammas = seconds(
            (partial(gibbs.run, network, data, log_parameters, rng, N_SWEEPS), 1),
            (partial(rng.multinomial, data.counts, posteriors), 30),
            *pieces,
        ) * 1e6 / [N_SWEEPS, 1, N_SWEEPS, 1, 1]  # fmt: skip
        floor = iterations + bits + gammas
        print(
            f"{label:30s}{len(data.rows):5d}{sweeps:8.2f}{iterations:7.2f}{multinomials:8.2f}{floor:12.2f}"
            f"{sweeps / floor:18.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
