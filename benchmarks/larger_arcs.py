"""How often the intervals of sampled arcs and evidences hold on tables as large as exact sums allow.

    python benchmarks/larger_arcs.py [tables of each size]
    python benchmarks/larger_arcs.py peers [power]

Tables have 500 rows and 12 to 20 columns of three values, each of which follows one or two others most of the time, in
any order. Samples are those of ``ockham arcs`` where sums are not exact, with its defaults. Only arcs whose exact
probability is between .01 and .99 are counted; of tables where the arcs are not unknown. A table is missed where fewer
than half of these arcs hold. The negative control holds intervals against the exact arcs of the other prior, where the
two differ by more than .1. Errors are over tables, for arcs of one go together. With ``peers`` the tables are those of
``peers.py`` with 17 and 20 columns, each with three seeds of the samples. With a power graphs come to count once at
that power of the likelihood: at 1, another control, they miss a part of the posterior of the 20 columns.
"""

import os
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np
from arcs import held
from peers import problems

from ockham.errors import OckhamWarning
from ockham.orders import arcs
from ockham.orders.estimates import DEVIATE
from ockham.orders.family import FAMILY
from ockham.orders.inference import graph_annealing
from ockham.orders.space import PRIORS, OrderSpace

SIZES = (12, 14, 16, 18, 20)


def rows(n, seed):
    """States of a table, shape (500, n)."""
    rng = np.random.default_rng([seed, n])
    return problems.graphs(n, rng=rng)["states"][:, rng.permutation(n)]


def compared(states, seed):
    """Of each prior: whether arcs are unknown, which intervals hold, and of the other prior; the evidence in errors."""
    warnings.simplefilter("ignore", OckhamWarning)
    space = OrderSpace(states.shape[1], problems.MAX_INDEGREE)
    data = FAMILY.read(space, states)
    truth = arcs.estimate(data, space, max_seconds=1000.0)
    found = arcs.estimate(data, space, exact=False, seed=seed)
    result = {}
    for k, prior in enumerate(PRIORS):
        exact, other = truth.arcs[k], truth.arcs[1 - k]
        open_arcs = (exact > 0.01) & (exact < 0.99)
        result[prior] = (
            bool(found.arcs_doubt[k]),
            held(found, exact, k)[open_arcs],
            held(found, other, k)[np.abs(exact - other) > 0.1],
            np.nan if found.doubt[k] else (found.log_evidence[k] - truth.log_evidence[k]) / found.standard_error[k],
        )
    return result


def line(prior, n, found):
    """A row of the table, over tables."""
    known = [one for one in found if not one[0]]
    shares = [one[1].mean() for one in known if len(one[1])]
    hits, controls = (np.concatenate([np.empty(0), *(one[part] for one in known)]) for part in (1, 2))
    errors = np.array([one[3] for one in found])
    errors = np.abs(errors[~np.isnan(errors)])
    spread = np.std(shares, ddof=1) / np.sqrt(len(shares)) if len(shares) > 1 else np.nan
    control = f"{controls.mean():.1%} of {len(controls)}" if len(controls) else ""
    return (
        f"{prior:>8} {n:7d}{len(found):7d}{len(found) - len(known):8d}{len(hits):7d}{hits.mean():9.1%} +-{spread:6.1%}"
        f"{sum(share < 0.5 for share in shares):7d}{control:>16}{np.mean(errors < DEVIATE):10.1%} of {len(errors)}"
        f"{errors.max():9.1f}"
    )


def main(tables):
    """Of tables by their number of columns, with the seeds of their samples."""
    heads = f"{'hold':>9}{'':9} missed{'other prior':>16}{'evidence holds':>16}"
    print(f"{'prior':>8} columns tables unknown   arcs{heads}  furthest", flush=True)
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = {n: [pool.submit(compared, *each) for each in of_size] for n, of_size in tables.items()}
        for n, pending in jobs.items():
            found = [job.result() for job in pending]
            for prior in PRIORS:
                print(line(prior, n, [one[prior] for one in found]), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["peers"]:
        graph_annealing.FLAT = float(sys.argv[2]) if len(sys.argv) > 2 else graph_annealing.FLAT
        main({n: [(problems.graphs(n)["states"], seed) for seed in (1, 2, 3)] for n in (17, 20)})
    else:
        n_tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10
        main({n: [(rows(n, seed), seed + 1) for seed in range(n_tables)] for n in SIZES})
