"""What one call of ``ockham.evidence_by_size`` costs beside a call of ``ockham.score`` for every size.

    python benchmarks/growing.py [largest]

Rows are drawn with the structure and parameters that Beal & Ghahramani print, and sizes are the paper's up to the
``largest``, 480 by default. Each has the mean of eight passes by both, and how far the two are apart in their errors.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import sys
import warnings
from math import hypot
from time import process_time

import numpy as np

import ockham
from ockham.estimation.wording import error_in_words
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.structure_space import bipartite_network
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS

SIZES = [10, 20, 40, 80, 110, 160, 230, 320, 400, 430, 480, 560, 640, 800, 960, 1120, 1280, 2560, 5120, 10_240]
SCORE = "sequential_monte_carlo"


def said(found):
    """An estimate with its error, and whether it is doubted."""
    return f"{found.log_evidence:.2f} +- {error_in_words(found.standard_error)}{' ?' if found.doubt else ''}"


def main(largest="480"):
    network = bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5] * 4)
    parameters = np.concatenate([table.ravel() for table in PARAMETERS.values()])
    sizes = [n for n in SIZES if n <= int(largest)]
    states = draw(network, parameters, max(sizes), np.random.default_rng(1))[:, list(network.observed)]
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    begun = process_time()
    together = ockham.evidence_by_size(network, states, sizes, progress=False)
    of_all = process_time() - begun
    print(f"{'rows':>6}{'one call':>22}{'score':>22}{'apart':>7}{'CPU s':>8}")
    total = 0.0
    for n in sizes:
        begun = process_time()
        alone = ockham.score(network, states[:n], "smc", runs=1, progress=False)[SCORE]
        seconds = process_time() - begun
        total += seconds
        one = together[n]
        apart = abs(one.log_evidence - alone.log_evidence) / hypot(one.standard_error, alone.standard_error)
        print(f"{n:6,}{said(one):>22}{said(alone):>22}{apart:7.1f}{seconds:8.2f}")
    print(f"one call {of_all:.1f} s of CPU, one for each size {total:.1f} s: {total / of_all:.1f} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
