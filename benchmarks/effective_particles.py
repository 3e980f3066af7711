"""How often intervals of ``smc`` of networks hold, by the fewest particles that the weights of a batch left.

    python benchmarks/effective_particles.py 6            so many runs of each table

Two or three classes of 8 to 32 items of two values under a flat prior, and two or three kinds of rows: of many items
hardly a draw of the prior suits the first row of a kind. Truth is the exact sum.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from itertools import pairwise

import numpy as np

from ockham.contracts import Doubt
from ockham.estimation import waste_free
from ockham.estimation.intervals import interval
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.scorers import exact, smc
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

NUMBERS = (8, 14, 20, 26, 32)
BLOCKS = ((9, 9, 3), (12, 3), (8, 1, 1))
FEWEST = (0, 3, 6, 10, 20, 40, 1000)


def tables():
    """Networks, rows, and their exact evidence."""
    for n_items in NUMBERS:
        for n_classes in (2, 3):
            for sizes in BLOCKS:
                rng = np.random.default_rng([n_items, n_classes])
                rows = rng.integers(0, 2, (len(sizes), n_items)).repeat(sizes, axis=0)
                network = naive_bayes([n_classes], [2] * n_items)[f"classes-{n_classes}"]
                data = UniqueRows.of(rows, [2] * n_items)
                settings = exact.Settings(max_completions=10**8)
                yield network, data, exact.score(network, data, settings, Stream(0))["exact"].log_evidence


def main(n_runs):
    waste_free.FEWEST = 0
    found = []
    for network, data, truth in tables():
        for run in range(n_runs):
            one = smc.score(network, data, smc.Settings(), Stream(run))["sequential_monte_carlo"]
            if not one.doubt & Doubt.FEW_EFFECTIVE_SAMPLES:
                low, high = interval(one.log_evidence, one.standard_error, one.degrees_of_freedom, 0.95)
                off = one.log_evidence - truth
                found.append((one.diagnostics["fewest_effective"], off, off / one.standard_error, low <= truth <= high))
    print("  fewest  number    95%     bias     rms  farthest")
    fewest, off, z, holds = np.array(found).T
    for low, high in pairwise(FEWEST):
        at = (fewest >= low) & (fewest < high)
        if at.any():
            words = f"{100 * holds[at].mean():5.0f}%  {off[at].mean():6.2f}  {(off[at] ** 2).mean() ** 0.5:6.2f}"
            print(f"{low:>3}-{high:<4}  {at.sum():6}  {words}  {abs(z[at]).max():8.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
