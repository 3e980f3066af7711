"""One Hamiltonian transition of a Boltzmann machine beside BLAS doing its matrix products; and 625,000 rows.

Each of the ten leapfrog steps needs the gradient of ln p(D | theta). By matrix products that is, with H all states of
the hidden layer and X the documents: H W' and X W for the activations, and H' mu and X' q for the gradient. The kernel
has none of them: it walks through H one unit at a time, and X is sparse. BLAS is timed on the products alone, without
the exponentials and logarithms that any way needs.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np

from ockham.estimation.timing import cpu_seconds
from ockham.kernels import VECTOR
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.annealing import run
from ockham.machines.inference.likelihood import gradient
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states, visible_distribution

N_STEPS, N_LEAPFROG = 20, 10


def transition(n_visible, n_hidden, n):
    """One transition and the products in it, seconds, on documents with four words each, as in 20 Newsgroups."""
    rng = np.random.default_rng(1)
    model = RestrictedBoltzmann(n_visible, n_hidden)
    rows = (rng.random((n, n_visible)) < 4 / n_visible).astype(float)
    data, theta = BinaryRows.of(rows), 0.3 * model.sample(rng)
    schedule = np.full(N_STEPS + 1, 0.5), np.full(N_STEPS, 0.05)
    kernel = cpu_seconds(lambda: run(model, data, theta, *schedule, N_LEAPFROG, rng), 20) / N_STEPS
    weights, hidden = model.unpack(theta)[0], states(n_hidden)
    mu, q = rng.random((len(hidden), n_visible)), rng.random((len(data.rows), n_hidden))
    outputs = np.empty_like(mu), np.empty_like(q), np.empty((n_hidden, n_visible)), np.empty((n_visible, n_hidden))

    def products():
        np.matmul(hidden, weights.T, out=outputs[0])
        np.matmul(data.rows, weights, out=outputs[1])
        np.matmul(hidden.T, mu, out=outputs[2])
        np.matmul(data.rows.T, q, out=outputs[3])

    return kernel, N_LEAPFROG * cpu_seconds(products, 20)


def many_rows():
    """A gradient on 625,000 rows, and one on their distinct rows, seconds; and how many these are."""
    rng = np.random.default_rng(2)
    model = RestrictedBoltzmann(10, 5)
    theta = model.sample(rng)
    drawn = rng.choice(2**10, 625_000, p=visible_distribution(model, theta))
    data = BinaryRows.of(states(10)[drawn])
    once = BinaryRows(data.rows, np.ones_like(data.counts))
    return (*(cpu_seconds(lambda rows=rows: gradient(model, theta, rows), 20) for rows in (data, once)), len(data.rows))


if __name__ == "__main__":
    print(f"{VECTOR} kernels; CPU time")
    for n_visible, n_hidden, n in ((100, 9, 100), (100, 5, 100), (100, 1, 100), (5, 9, 100)):
        kernel, products = transition(n_visible, n_hidden, n)
        print(
            f"{n_visible} visible, {n_hidden} hidden, {n} rows: one transition {kernel * 1e6:6.0f} us, "
            f"its matrix products {products * 1e6:6.0f} us, ratio {kernel / products:.2f}"
        )
    all_rows, distinct, n_rows = many_rows()
    print(
        f"10 visible, 5 hidden, 625,000 rows: one gradient {all_rows * 1e6:.1f} us, with each of the {n_rows} distinct "
        f"rows once {distinct * 1e6:.1f} us, ratio {all_rows / distinct:.2f}"
    )
