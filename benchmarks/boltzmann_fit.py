"""Fitting and sampling restricted Boltzmann machines, beside what they consist of and scikit-learn's.

A step of persistent contrastive divergence consists of six matrix products (the means of the features in the data, a
sweep of Gibbs sampling, the means in the chains), a hyperbolic tangent for every unit in them, and a uniform number for
every unit that is drawn. ``BernoulliRBM`` of scikit-learn takes one such step for a batch of rows, with as many
chains as rows. A step of Langevin dynamics is the same, with a reconstruction of every row for the chains.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import process_time

import numpy as np
from sklearn.neural_network import BernoulliRBM

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import contrastive_divergence, langevin
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import laplace
from ockham.streams import Stream


def shortest(function, repeats=7):
    best = float("inf")
    for _ in range(repeats):
        start = process_time()
        function()
        best = min(best, process_time() - start)
    return best


def rows_of(n, n_visible):
    return (np.random.default_rng(1).random((n, n_visible)) < 0.1).astype(np.float64)


def parts(model, n_data, n_chains):
    """CPU seconds of the products, tangents and uniform numbers of one step."""
    rng = np.random.default_rng(2)
    weights = rng.random((model.n_visible, model.n_hidden))
    data, chains = rows_of(n_data, model.n_visible), rows_of(n_chains, model.n_visible)
    hidden_data, hidden = rng.random((n_data, model.n_hidden)), rng.random((n_chains, model.n_hidden))

    def run():
        for rows, units in ((data, hidden_data), (chains, hidden)):
            np.tanh(rows @ weights)
            rows.T @ units
        np.tanh(chains @ weights)
        rng.random(hidden.shape)
        np.tanh(hidden @ weights.T)
        rng.random(chains.shape)

    return shortest(run, 200)


def divergence(model, n, n_chains=100, n_steps=200):
    """CPU seconds of one step: ours, its parts, and scikit-learn's."""
    table = rows_of(n, model.n_visible)
    data, theta = BinaryRows.of(table), np.zeros(model.n_parameters)

    def ours():
        contrastive_divergence.fit(
            model, data, theta, np.random.default_rng(3),
            n_steps=n_steps, n_particles=n_chains, step_size=0.1, decay_after=100.0, precision_of_prior=1.0,
        )  # fmt: skip

    peer = BernoulliRBM(n_components=model.n_hidden, learning_rate=0.1, random_state=0)

    def theirs():
        for _ in range(n_steps):
            peer.partial_fit(table)

    return shortest(ours) / n_steps, parts(model, len(data.rows), n_chains), shortest(theirs) / n_steps


def brief_sampling(model, n, n_steps=200):
    """CPU seconds of one step of one chain: ours, and its parts."""
    data = BinaryRows.of(rows_of(n, model.n_visible))
    gradient, start = langevin.BriefGradient(model, data, 100), np.zeros((1, model.n_parameters))

    def ours():
        rng = np.random.default_rng(4)
        langevin.run(gradient, start, rng, step_size=0.01, n_burn_in=n_steps - 1, n_draws=1, interval=1)

    return shortest(ours) / n_steps, parts(model, len(data.rows), len(gradient.rows))


def main():
    print("CPU microseconds a step; visible and hidden units, rows")
    print("                V  K     n      ours     parts  ours/parts  scikit-learn  scikit-learn/ours")
    for shape, n in (((5, 3), 100), ((10, 5), 1000), ((100, 9), 100)):
        ours, floor, peer = (1e6 * seconds for seconds in divergence(RestrictedBoltzmann(*shape), n))
        row = "divergence    {:3d} {:2d} {:5d}  {:8.1f}  {:8.1f}  {:10.2f}  {:12.1f}  {:17.2f}"
        print(row.format(*shape, n, ours, floor, ours / floor, peer, peer / ours))
    for shape, n in (((5, 3), 100), ((5, 3), 1000), ((100, 9), 100)):
        ours, floor = (1e6 * seconds for seconds in brief_sampling(RestrictedBoltzmann(*shape), n))
        print(f"Langevin      {shape[0]:3d} {shape[1]:2d} {n:5d}  {ours:8.1f}  {floor:8.1f}  {ours / floor:10.2f}")
    model, table, settings = RestrictedBoltzmann(10, 5), rows_of(625_000, 10), laplace.Settings(expectations="exact")
    print("Laplace, exact means, 10 and 5 units: rows, distinct rows, evaluations, milliseconds of one")
    for n in (1000, 25_000, 625_000):
        data = BinaryRows.of(table[:n])
        n_evaluations = laplace.score(model, data, settings, Stream(1, "fit"))["map"].n_evaluations
        seconds = shortest(lambda data=data: laplace.score(model, data, settings, Stream(1, "fit")), 3)
        print(f"{n:7d} {len(data.rows):5d} {n_evaluations:5d}  {1e3 * seconds / n_evaluations:.3f}")


if __name__ == "__main__":
    main()
