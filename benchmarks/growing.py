"""What one call of ``ockham.evidence_by_size`` costs beside a call of ``ockham.score`` for each, and its intervals.

    python benchmarks/growing.py [largest]
    python benchmarks/growing.py held [tables]

Rows are drawn with the structure and parameters that Beal & Ghahramani print, and sizes are the paper's up to the
``largest``, 480 by default. Each has the mean of eight passes by both, and how far the two are apart in their errors.

``held`` says how often intervals have the evidence of tables of three classes and six items, 60 by default: by bridge
sampling, whose own error counts, where neither is doubted.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import sys
import warnings
from math import hypot
from time import process_time

import numpy as np

import ockham
from ockham.estimation.intervals import interval
from ockham.estimation.wording import error_in_words
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.dirichlet import sample_log
from ockham.networks.structure_space import bipartite_network, naive_bayes
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS

SIZES = [10, 20, 40, 80, 110, 160, 230, 320, 400, 430, 480, 560, 640, 800, 960, 1120, 1280, 2560, 5120, 10_240]
SCORE = "sequential_monte_carlo"


def said(found):
    """An estimate with its error, and whether it is doubted."""
    return f"{found.log_evidence:.2f} +- {error_in_words(found.standard_error)}{' ?' if found.doubt else ''}"


def held(n_tables="60"):
    """Shares of intervals of 50, 80 and 95 % by the number of rows, and how many are doubted."""
    network, sizes = naive_bayes([3], [3] * 6)["classes-3"], [20, 80, 160]
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    found = {n: [] for n in sizes}
    for seed in range(int(n_tables)):
        rng = np.random.default_rng(seed)
        rows = draw(network, np.exp(sample_log(network, rng)), max(sizes), rng)[:, list(network.observed)]
        for n, one in ockham.evidence_by_size(network, rows, sizes, seed=seed, progress=False).items():
            bridge = ockham.score(network, rows[:n], "bridge", runs=1, seed=seed, progress=False)["bridge_sampling"]
            found[n].append((one, bridge))
    print(f"{'rows':>6}{'tables':>8}{'doubted':>9}{'50 %':>7}{'80 %':>7}{'95 %':>7}{'mean':>8}{'rms':>7}{'stated':>8}")
    for n, pairs in found.items():
        known = [pair for pair in pairs if all(each.trusted for each in pair)]
        off = np.array([one.log_evidence - bridge.log_evidence for one, bridge in known])
        errors = np.array([hypot(one.standard_error, bridge.standard_error) for one, bridge in known])
        freedom = np.array([one.degrees_of_freedom for one, _ in known])
        shares = [np.mean(np.abs(off) <= interval(0.0, errors, freedom, p)[1]) for p in (0.5, 0.8, 0.95)]
        doubted = sum(not one.trusted for one, _ in pairs)
        said = "".join(f"{share:7.0%}" for share in shares)
        rms, stated = (np.sqrt(np.mean(each**2)) for each in (off, errors))
        print(f"{n:6,}{len(pairs):8}{doubted:9}{said}{off.mean():8.2f}{rms:7.2f}{stated:8.2f}")


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
    held(*sys.argv[2:]) if sys.argv[1:2] == ["held"] else main(*sys.argv[1:])
