"""How often ``bridge`` of a mixture is right where its posterior has several modes that chains do not leave.

    python benchmarks/two_factors.py 60            so many tables, with two classes and with three
    python benchmarks/two_factors.py 60 one        all chains as if of one part of the posterior: the control

The columns of a table follow either of two independent factors of two values, which are nearly alike. Two classes are
those of one factor or of the other; three are the four combinations, of which one pair is taken for one. Truth is
``bridge`` of the same model as a network. An interval is that of the difference.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings
from math import hypot
from time import process_time

import numpy as np

import ockham
from ockham.estimation.intervals import interval
from ockham.mixtures.inference import bridging
from ockham.mixtures.items import Categorical

LEVELS = 0.5, 0.8, 0.95
LEAST = 0.01
"""Share of the evidence that all but the largest part must have, for a table to have several."""


def table(seed):
    """Rows of bits, the first half of the columns by one factor, the second by the other, but for a few cells alike."""
    rng = np.random.default_rng(seed)
    n, n_items = int(rng.integers(50, 201)), int(rng.integers(3, 6))
    factors = rng.integers(2, size=(n, 2))
    rows = np.repeat(factors, n_items, axis=1) ^ (rng.random((n, 2 * n_items)) < rng.uniform(0.04, 0.1))
    rows = np.concatenate([rows, np.roll(rows, n_items, axis=1)])
    changed = rng.choice(len(rows), int(rng.integers(0, 5)), replace=False)
    rows[changed, 0] = rng.integers(0, 2, len(changed))
    return rows


def main(n_tables):
    for n_classes in (2, 3):
        errors, left, doubted, seconds, others = [], 0, 0, 0.0, []
        for seed in range(n_tables):
            rows = table(seed)
            columns = [2] * rows.shape[1]
            network = ockham.naive_bayes([n_classes], columns)[f"classes-{n_classes}"]
            truth = ockham.score(network, rows, "bridge", seed=seed, progress=False)["bridge_sampling"]
            if not truth.trusted or truth.diagnostics["largest_share"] > 1 - LEAST:
                left += 1
                continue
            model = ockham.FiniteMixture(n_classes, {f"y{j}": Categorical(2) for j in range(len(columns))})
            before = process_time()
            found = ockham.score(model, rows.astype(float), "bridge", runs=1, seed=seed, progress=False)
            seconds += process_time() - before
            found = found["bridge_sampling"]
            others.append(1 - truth.diagnostics["largest_share"])
            if found.trusted:
                error = hypot(found.standard_error, truth.standard_error)
                errors.append((found.log_evidence - truth.log_evidence, error))
            else:
                doubted += 1
        print(f"{n_classes} classes: {len(others)} tables, with {np.mean(others):.2f} of the evidence beside the "
              f"largest part ({left} with one part), {doubted} doubted; {seconds / len(others):.2f} s")  # fmt: skip
        if errors:
            off, stated = np.sqrt((np.array(errors) ** 2).mean(axis=0))
            hold = [np.mean([low <= 0 <= high for low, high in (interval(*each, probability=p) for each in errors)])
                    for p in LEVELS]  # fmt: skip
            print(f"  root mean square error {off:.3f}, stated {stated:.3f}; intervals of 50, 80 and 95 % hold in "
                  + ", ".join(f"{100 * h:.0f}" for h in hold) + " %")  # fmt: skip


if __name__ == "__main__":
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    if "one" in sys.argv[2:]:
        bridging.groups_of = lambda densities: [list(range(len(densities)))]
    main(int(sys.argv[1]))
