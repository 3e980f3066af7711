"""How often intervals of ``ockham.evidence`` hold on one table under hyperparameters of .05.

``python benchmarks/sparse_evidence.py [seeds]``. The table has two patterns that most rows follow and four rows between
them; the mixture has two classes. The truth is the exact sum of the same model as a network. Under such hyperparameters
sequential Monte Carlo and annealing over completions are left. A few passes that all miss a mode agree with one
another, so the first small error is no reason to stop: the last row shows what would be said by that of the former.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings

import numpy as np

import ockham
from ockham.estimation.intervals import interval
from ockham.mixtures.items import Categorical

ROWS = np.array([[0, 0, 0]] * 19 + [[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 1, 0]] + [[1, 1, 1]] * 17)
SPARSE = 0.05
ERROR, SECONDS = 0.1, 10.0


def first_small(found):
    """The first run with an error as small as was asked for."""
    runs = (run.evidence for run in found.runs if run.scorer == "smc")
    return next((run for run in runs if run.trusted and run.standard_error <= ERROR), None)


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
    print(f"exact {truth:.3f} nats; {len(known)} of {n_seeds} are known")
    groups = {
        "known": [each.evidence for each in known],
        f"error of {ERROR} reached": [each.evidence for each in known if each.reached],
        f"first error of {ERROR}": [first for each in found if (first := first_small(each)) is not None],
    }
    for label, of in groups.items():
        if of:
            errors = np.array([each.log_evidence - truth for each in of])
            stated = np.array([each.standard_error for each in of])
            ends = [interval(each.log_evidence, each.standard_error, each.degrees_of_freedom, 0.95) for each in of]
            held = [low <= truth <= high for low, high in ends]
            print(f"{label:>22}: {len(of):4d}, intervals of 95 % hold in {np.mean(held):.0%}, mean error "
                  f"{errors.mean():.2f}, rms {np.sqrt((errors**2).mean()):.2f}, stated "
                  f"{np.sqrt((stated**2).mean()):.2f}")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
