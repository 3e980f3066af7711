"""How often intervals of ``ockham.evidence`` hold on one table under hyperparameters of .02.

``python benchmarks/sparse_evidence.py [seeds]``. The table has two patterns that most rows follow and four rows between
them; the mixture has two classes. The truth is the exact sum of the same model as a network. Under such hyperparameters
sequential Monte Carlo alone is believed, and no other estimator checks it: passes that all miss a mode agree with one
another, and end the run.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings

import numpy as np

import ockham
from ockham.mixtures.items import Categorical

ROWS = np.array([[0, 0, 0]] * 19 + [[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 1, 0]] + [[1, 1, 1]] * 17)
SPARSE = 0.02
ERROR, SECONDS = 0.1, 10.0


def main(n_seeds):
    items = {f"y{j}": 2 for j in range(ROWS.shape[1])}
    prior = {"class": 1.0} | dict.fromkeys(items, SPARSE)
    network = ockham.DiscreteNetwork.build({"class": 2} | items, {name: ["class"] for name in items}, ["class"], prior)
    truth = ockham.evidence(network, ROWS, progress=False).log_evidence
    mixture = ockham.FiniteMixture(2, {name: Categorical(2, SPARSE) for name in items}, 1.0)
    with warnings.catch_warnings(action="ignore", category=ockham.OckhamWarning):
        found = [
            ockham.evidence(mixture, ROWS.astype(float), error=ERROR, seconds=SECONDS, seed=seed, progress=False)
            for seed in range(n_seeds)
        ]
    known = [each for each in found if each.trusted]
    print(f"exact {truth:.3f} nats; {len(known)} of {n_seeds} runs are trusted")
    for label, of in (("all", known), (f"error of {ERROR} reached", [each for each in known if each.reached])):
        if of:
            errors = np.array([each.log_evidence - truth for each in of])
            stated = np.array([each.standard_error for each in of])
            held = [low <= truth <= high for low, high in (each.interval() for each in of)]
            print(f"{label:>22}: {len(of):4d}, intervals of 95 % hold in {np.mean(held):.0%}, mean error "
                  f"{errors.mean():.2f}, rms {np.sqrt((errors**2).mean()):.2f}, stated "
                  f"{np.sqrt((stated**2).mean()):.2f}")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
