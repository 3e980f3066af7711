"""How often what ``ockham.select`` says of numbers of classes holds: p(K | data), Bayes factors, and the chosen number.

    python benchmarks/selecting.py 40      so many tables

Tables of 8 to 11 rows, whose evidences are exact sums of which ``select`` is not told: it has them with errors. They
are drawn from one to three classes of three to five items, under a prior, and selected among one to three under that
one and under another. As control, intervals are held to the probabilities with .3 nats more for three classes.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings
from time import process_time

import numpy as np
import pandas as pd

import ockham
from ockham.estimation.model_posterior import bayes_factors
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.dirichlet import sample_log
from ockham.networks.family import Networks
from ockham.streams import Stream

CLASSES, PRIORS = (1, 2, 3), (1.0, 0.3)
MORE = 0.3
"""Nats, of the control."""
ROUNDING = 1e-9


def table(seed):
    """Rows of letters, and the labels of each column."""
    rng = np.random.default_rng(seed)
    cardinalities = rng.integers(2, 4, rng.integers(3, 6)).tolist()
    k = int(rng.choice(CLASSES))
    network = ockham.naive_bayes([k], cardinalities, float(rng.choice(PRIORS)))[f"classes-{k}"]
    rows = draw(network, np.exp(sample_log(network, rng)), int(rng.integers(8, 12)), rng)[:, 1:]
    return pd.DataFrame({f"y{j}": np.array(list("abc"))[column] for j, column in enumerate(rows.T)})


def exact(selection, prior):
    """Exact log evidences by number of classes."""
    cardinalities = [len(labels) for labels in selection.labels.values()]
    rows = np.repeat(selection.data.rows, selection.data.counts, axis=0)
    return np.array([
        ockham.score(ockham.naive_bayes([k], cardinalities, prior)[f"classes-{k}"], rows, "exact", progress=False)
        ["exact"].log_evidence for k in CLASSES
    ])  # fmt: skip


def posterior(values):
    weights = np.exp(values - values.max())
    return weights / weights.sum()


def inside(low, value, high):
    return bool(low - ROUNDING <= value <= high + ROUNDING)


def main(n_tables):
    Networks.plan = Networks.plan._replace(exact="")
    held = {
        name: [] for name in ("p(K | data)", "p(K | data), control", "Bayes factors", "bounds where one is unknown")
    }
    chosen, seconds = [], 0.0
    for seed in range(n_tables):
        frame = table(seed)
        before = process_time()
        selection = ockham.select(frame, CLASSES, priors=list(PRIORS), seed=seed, progress=False)
        seconds += process_time() - before
        for prior, under in zip(PRIORS, (selection.main, *selection.others), strict=True):
            truths, said = exact(selection, prior), under.posterior
            for name, values in (("", truths), (", control", truths + np.array([0, 0, MORE]))):
                which = "bounds where one is unknown" if said.unknown else f"p(K | data){name}"
                if not (said.unknown and name):
                    held[which].append(np.mean([*map(inside, said.low, posterior(values), said.high)]))
            for k, each in bayes_factors(under.evidences, CLASSES[0], Stream(seed, "factors")).items():
                if k != CLASSES[0]:
                    true = truths[CLASSES.index(k)] - truths[0]
                    held["Bayes factors"].append(inside(each.low, true, each.high))
            if said.chosen is not None:
                chosen.append(said.chosen == CLASSES[int(np.argmax(truths))])
    for name, values in held.items():
        if values:
            print(f"{name:>28}: intervals of 95 % hold in {100 * np.mean(values):.1f} % of {len(values)}")
    print(f"a number is chosen in {len(chosen)} of {2 * n_tables}, of the highest evidence in {sum(chosen)}; "
          f"{seconds / n_tables:.1f} s a table")  # fmt: skip


if __name__ == "__main__":
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    main(int(sys.argv[1]))
