"""Whether bridges of mixtures find small classes beside a large one.

    python benchmarks/small_classes.py 12            so many tables
    python benchmarks/small_classes.py 12 starts     without starts from distant rows
    python benchmarks/small_classes.py 12 control    nor with what may be missing where hardly a start led to any mode

Five classes of six rows and one of 700, of eight normal items. The evidence is at least what the classes that were
drawn have under all their names, in closed form. A search has as many starts as ``ockham.evidence`` takes.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from math import lgamma
from time import process_time

import numpy as np

from ockham.estimation import posterior_parts
from ockham.families import STARTED_ROWS
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import starts
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.scorers import bridge
from ockham.streams import Stream

SIZES, N_ITEMS = (700, 6, 6, 6, 6, 6), 8


def problem(seed):
    """A mixture, rows, and the log evidence of the classes that were drawn, nats."""
    rng, classes = np.random.default_rng(sum(SIZES) + seed), np.repeat(np.arange(len(SIZES)), SIZES)
    rows = (2.5 * rng.normal(size=(len(SIZES), N_ITEMS)))[classes] + rng.normal(size=(len(classes), N_ITEMS))
    rows = rows.round(1) + 0.0  # no minus zero, for rows are told by their bytes
    items = {f"x{j}": Gaussian(float(np.median(column)), 1.0, 1 / 9, 2.0) for j, column in enumerate(rows.T)}
    model, data = FiniteMixture(len(SIZES), items), MixedRows.of(rows, items)
    design = Design.of(model, data)
    place = {row.tobytes(): k for k, row in enumerate(data.rows)}
    drawn = np.empty(len(data.rows), dtype=int)
    drawn[[place[row.tobytes()] for row in rows]] = classes
    own = float(model.log_marginal(design.sums(drawn, len(SIZES))))
    return model, data, own + design.log_base + lgamma(len(SIZES) + 1)


def main(n_tables, control=None):
    if control:
        starts.DISTANT = 10**9
    if control == "control":
        posterior_parts.RARE = 0.0
    n_starts, n_trusted, n_wrong, farthest, before = STARTED_ROWS // sum(SIZES), 0, 0, 0.0, process_time()
    for seed in range(n_tables):
        model, data, least = problem(seed)
        one = bridge.score(model, data, bridge.Settings(n_starts=n_starts), Stream(seed))["bridge_sampling"]
        n_trusted += one.trusted
        n_wrong += one.trusted and one.log_evidence < least - 4 * one.standard_error
        farthest = min(farthest, one.log_evidence - least) if one.trusted else farthest
    seconds = (process_time() - before) / n_tables
    words = f"{n_trusted} of {n_tables} are trusted, {n_wrong} of them more than four errors below the bound"
    print(f"{words}, by {abs(farthest):.1f} nats at the most; {seconds:.0f} s each")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
