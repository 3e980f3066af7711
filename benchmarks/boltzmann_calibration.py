"""How often intervals of annealed importance sampling hold on tiny Boltzmann machines, one run and three together.

``python benchmarks/boltzmann_calibration.py [machines [steps [chains]]]``; without steps, or with ``tuned`` for them,
pilot chains find these. The truth is the mean likelihood over a million draws of the prior; machines where its error is
above .02 nats are left out. Estimates that are doubted make no interval. The last row is ``ockham.evidence`` of the
same machines, whatever the steps and chains.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings

import numpy as np

import ockham
from ockham.estimation.combining import combine
from ockham.estimation.intervals import interval
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states, visible_distribution
from ockham.machines.scorers import ais
from ockham.streams import Stream

LEVELS = (0.5, 0.8, 0.95)
N_RUNS = 3
ERROR, SECONDS = 0.1, 20.0
"""Of ``ockham.evidence``."""


def problem(seed):
    """One to three visible and one or two hidden units, a prior of any width, and 3 to 100 rows that they draw."""
    rng = np.random.default_rng(seed)
    model = RestrictedBoltzmann(int(rng.integers(1, 4)), int(rng.integers(1, 3)), float(rng.choice([0.5, 1, 2, 4])))
    theta, n = model.sample(rng), int(rng.choice([3, 10, 30, 100]))
    drawn = rng.choice(2**model.n_visible, n, p=visible_distribution(model, theta))
    return model, BinaryRows.of(states(model.n_visible)[drawn])


def log_likelihoods(model, data, thetas):
    """ln p(D | theta) of many parameters at once, by the table of all visible states."""
    rows, n_weights = states(model.n_visible), model.n_visible * model.n_hidden
    counts = np.zeros(len(rows))
    counts[(data.rows @ 2 ** np.arange(model.n_visible)[::-1]).astype(int)] = data.counts
    weights = thetas[:, :n_weights].reshape(-1, model.n_visible, model.n_hidden)
    visible, hidden = thetas[:, n_weights : n_weights + model.n_visible], thetas[:, n_weights + model.n_visible :]
    active = np.einsum("si,tik->tsk", rows, weights) + hidden[:, None]
    table = visible @ rows.T + np.logaddexp(0, active).sum(axis=2)
    return table @ counts - data.n * np.logaddexp.reduce(table, axis=1)


def by_prior(model, data, rng, n_blocks=10, n_draws=100_000):
    """The log evidence and its standard error, nats."""
    values = np.concatenate([
        log_likelihoods(model, data, rng.normal(0, model.deviation, (n_draws, model.n_parameters)))
        for _ in range(n_blocks)
    ])  # fmt: skip
    weights = np.exp(values - values.max())
    return values.max() + np.log(weights.mean()), weights.std() / weights.mean() / np.sqrt(len(weights))


def row(value, error, size, doubt, freedom, truth, truth_error):
    error = float(np.hypot(error, truth_error))
    held = [bool(low <= truth <= high) for low, high in (interval(float(value), error, freedom, p) for p in LEVELS)]
    return [value - truth, error, size, doubt, *held]


def main(machines="200", steps="tuned", chains="100"):
    n_steps = None if steps == "tuned" else int(steps)
    settings = ais.Settings(n_steps=n_steps, n_chains=int(chains))
    found = {"one run": [], "three runs": [], "evidence": []}
    for seed in range(int(machines)):
        model, data = problem(seed)
        truth = by_prior(model, data, np.random.default_rng((9, seed)))
        if truth[1] > 0.02:
            continue
        runs = [ais.score(model, data, settings, Stream(seed, "run", k)) for k in range(N_RUNS)]
        runs = [evidences["annealed_importance_sampling"] for evidences in runs]
        fields = [
            (run.log_evidence, run.standard_error, run.effective_sample_size, int(run.doubt), run.degrees_of_freedom)
            for run in runs
        ]
        found["one run"] += [row(*numbers, *truth) for numbers in fields]
        values, errors, sizes, doubts = (np.array(column) for column in list(zip(*fields, strict=True))[:4])
        together = combine(values, "mean", errors, sizes, doubts)
        numbers = together.value, together.standard_error, together.effective_sample_size, together.doubt
        found["three runs"].append(row(*map(float, numbers), float(together.degrees_of_freedom), *truth))
        rows = data.rows.repeat(data.counts.astype(int), axis=0)
        with warnings.catch_warnings(action="ignore", category=ockham.OckhamWarning):
            each = ockham.evidence(model, rows, error=ERROR, seconds=SECONDS, seed=seed, progress=False).evidence
        sure = each.log_evidence, each.standard_error, each.effective_sample_size, int(each.doubt)
        found["evidence"].append(row(*sure, each.degrees_of_freedom, *truth))
    heads = "".join(f"{f'{level:.0%}':>7}" for level in LEVELS)
    print(f"{steps} steps, {chains} chains; of those that are not doubted:")
    print(f"{'':>10}{'estimates':>10}{'doubted':>8}{'bias':>8}{'rms':>8}{'error':>8}{heads}")
    for name, rows in found.items():
        table = np.array(rows, dtype=float)
        known = table[table[:, 3] == 0]
        rms, own = (np.sqrt((known[:, column] ** 2).mean()) for column in (0, 1))
        held = "".join(f"{share:7.1%}" for share in known[:, 4:].mean(axis=0))
        print(
            f"{name:>10}{len(table):10d}{len(table) - len(known):8d}{known[:, 0].mean():8.3f}{rms:8.3f}{own:8.3f}{held}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
