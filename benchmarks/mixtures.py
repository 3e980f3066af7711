"""EM for a mixture of many features, beside BLAS doing its matrix products and a NumPy twin; and 20 tries of CS.

In a naive-Bayes mixture an E step is two matrix products: of the indicators of the data (cases, feature values) with
the log parameters, and of their transpose with the posterior of the classes. One indicator of two is enough for binary
features. The twin does all of EM with them.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import perf_counter

import numpy as np

import ockham
from ockham.kernels import VECTOR
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import em
from ockham.networks.structure_space import naive_bayes


def shortest(function, calls, repeats=7):
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        for _ in range(calls):
            function()
        best = min(best, (perf_counter() - start) / calls)
    return best


def mixture(n_classes, n_features, n):
    network = naive_bayes([n_classes], [2] * n_features)[f"classes-{n_classes}"]
    rng = np.random.default_rng(1)
    states = draw(network, np.exp(sample_log(network, rng)), n, rng)[:, list(network.observed)]
    return network, states, UniqueRows.of(states, [2] * n_features)


def twin(network, states, log_start, n_iterations):
    """MAP EM by matrix products, all hyperparameters 1; returns the log likelihoods before every M step."""
    x = states.astype(np.float64)
    log_class = network.family(0, log_start)[0]
    log_1 = np.array([network.family(i, log_start)[:, 1] for i in network.observed])
    log_0 = np.array([network.family(i, log_start)[:, 0] for i in network.observed])
    history = []
    for _ in range(n_iterations):
        joint = x @ (log_1 - log_0) + (log_0.sum(axis=0) + log_class)
        largest = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - largest)
        total = posterior.sum(axis=1, keepdims=True)
        history.append(float((largest + np.log(total)).sum()))
        posterior /= total
        ones, sizes = x.T @ posterior, posterior.sum(axis=0)
        log_class = np.log((1 + sizes) / (1 + sizes).sum())
        log_1, log_0 = np.log(1 + ones), np.log(1 + sizes - ones)
        normaliser = np.log(2 + sizes)
        log_1, log_0 = log_1 - normaliser, log_0 - normaliser
    return history


def compare(n_classes, n_features, n, n_iterations=100):
    """Seconds of an iteration of ours, of its two matrix products, and of an iteration of the twin."""
    network, states, data = mixture(n_classes, n_features, n)
    start = sample_log(network, np.random.default_rng(3))

    def run(max_iterations):
        return em.run(network, data, start, network.prior, max_iterations=max_iterations, tolerance=0.0)

    assert np.isclose(twin(network, states, start, 6)[5], run(5).log_likelihood, rtol=1e-12)
    x = states.astype(np.float64)
    logs, posterior = np.random.default_rng(4).random((n_features, n_classes)), np.full((n, n_classes), 1 / n_classes)
    return (
        shortest(lambda: run(n_iterations), 1) / n_iterations,
        shortest(lambda: (x @ logs, x.T @ posterior), 50),
        shortest(lambda: twin(network, states, start, 20), 1) / 20,
    )


def main():
    print(f"vectors: {VECTOR}; microseconds per iteration, binary features")
    print("classes  features  cases      EM  products  EM/products    twin  twin/EM")
    for n_classes, n_features, n in ((4, 64, 400), (8, 64, 400), (8, 128, 400), (16, 128, 400)):
        ours, products, other = compare(n_classes, n_features, n)
        times = ours * 1e6, products * 1e6, ours / products, other * 1e6, other / ours
        row = "{:7d}  {:8d}  {:5d}  {:6.1f}  {:8.1f}  {:11.2f}  {:6.1f}  {:7.2f}"
        print(row.format(n_classes, n_features, n, *times))
    network, states, _ = mixture(2, 4, 480)
    seconds = shortest(lambda: ockham.score(network, states, "em", runs=20), 1)
    print(f"20 tries of Cheeseman-Stutz, 2 classes, 4 binary items, n = 480: {seconds:.4f} s (AutoClass: 0.028 s)")


if __name__ == "__main__":
    main()
