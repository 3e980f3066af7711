"""How often intervals of averages of eight chains of annealing hold on larger networks, by their number of steps.

    python benchmarks/annealing_calibration.py [networks of a kind]

The networks are those of two kinds of the study of calibration, with 40 to 1280 rows, and others than there. The truth
is a bridge with an error of .03 nats, whose own error the intervals allow for. ``ais`` and ``ais_completions`` as
``ockham.score`` has them: with the steps that pilot chains find, and with 16,384 and 2048, as before these were tuned,
which is the negative control. What is doubted makes no interval. As many networks at a time as there are cores; seconds
are CPU seconds of an average of eight.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from time import process_time

import numpy as np

import ockham
from ockham.estimation.intervals import interval
from ockham.networks.data.random_networks import random_problem
from ockham.streams import Stream

ROWS = {"larger_graphs": 1280, "surveys": 500}
RUNS = 8
LEVELS = (0.5, 0.8, 0.95)
ESTIMATES = {
    "ais": ("ais", {}),
    "ais, 16384 steps": ("ais", {"n_steps": 16384}),
    "ais_completions": ("ais_completions", {"n_chains": 1}),
    "ais_completions, 2048 steps": ("ais_completions", {"n_chains": 1, "n_steps": 2048}),
}


def judged(problem):
    """By estimate: whether it is doubted, how far it is off, its error, which intervals hold, and its seconds."""
    kind, seed = problem
    warnings.simplefilter("ignore", ockham.OckhamWarning)  # what is doubted is counted
    network, states = random_problem(kind, ROWS[kind], Stream(4711, kind, seed))
    truth = ockham.score(network, states, "bridge", runs=1, seed=seed, progress=False, error=0.03)["bridge_sampling"]
    if not (truth.trusted and truth.standard_error <= 0.05):
        return kind, {}
    found = {}
    for name, (scorer, settings) in ESTIMATES.items():
        start = process_time()
        of = ockham.score(network, states, scorer, runs=RUNS, seed=seed, progress=False, **settings)
        seconds, (estimate,) = process_time() - start, of.values()
        error = np.hypot(estimate.standard_error, truth.standard_error)
        off = estimate.log_evidence - truth.log_evidence
        ends = [interval(off, error, estimate.degrees_of_freedom, level) for level in LEVELS]
        found[name] = not estimate.trusted, off, error, *[low <= 0 <= high for low, high in ends], seconds
    return kind, found


def main(networks="100"):
    problems = product(ROWS, range(1000, 1000 + int(networks)))
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(judged, problems))
    print("doubted, then of the others: bias, root mean square error, their own, and intervals that hold; CPU seconds")
    heads = "".join(f"{level:7.0%}" for level in LEVELS)
    print(f"{'':13} {'':27} {'number':>7}{'doubted':>8}{'bias':>8}{'rms':>7}{'error':>7}{heads}{'s':>8}")
    for kind, name in product(ROWS, ESTIMATES):
        all_of = np.array([of[name] for of_kind, of in found if of_kind == kind and of], dtype=float)
        of = all_of[all_of[:, 0] == 0]
        shares = "".join(f"{share:7.1%}" for share in of[:, 3:-1].mean(axis=0))
        rms, error = (np.sqrt((column**2).mean()) for column in of[:, 1:3].T)
        print(f"{kind:13} {name:27} {len(all_of):7}{len(all_of) - len(of):8}{of[:, 1].mean():8.3f}{rms:7.3f}"
              f"{error:7.3f}{shares}{all_of[:, -1].mean():8.2f}")  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
