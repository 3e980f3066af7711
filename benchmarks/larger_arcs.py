"""How often the intervals of sampled arcs and evidences hold on tables as large as exact sums allow.

    python benchmarks/larger_arcs.py [tables of each size]
    python benchmarks/larger_arcs.py peers [power]
    python benchmarks/larger_arcs.py data

Tables have 500 rows and 12 to 20 columns of three values, each of which follows one or two others most of the time, in
any order. Samples are those of ``ockham arcs`` where sums are not exact, with its defaults. Only arcs whose exact
probability is between .01 and .99 are counted; of tables where the arcs are not unknown. A table is missed where fewer
than half of these arcs hold. The negative control holds intervals against the exact arcs of the other prior, where the
two differ by more than .1. Errors are over tables, for arcs of one go together. With ``peers`` the tables are those of
``peers.py`` with 17 and 20 columns, each with three seeds of the samples. With a power graphs come to count once at
that power of the likelihood: at 1, another control, they miss a part of the posterior of the 20 columns. With ``data``
they have 18 columns, drawn from those of the three data sets of [NiinimakiKoivisto2013] that differ, and some rows.
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
from ockham.orders.data.structure_data import read_data_set
from ockham.orders.estimates import DEVIATE
from ockham.orders.family import FAMILY
from ockham.orders.inference import graph_annealing
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

SIZES = (12, 14, 16, 18, 20)
N_ROWS = {"alarm": (100, 300, 1000), "mushroom": (50, 200, 1000), "promoters": (106,)}
N_COLUMNS = 18
LEAST = 0.0005
"""Nats: errors of evidences are printed with three decimals."""


def rows(n, seed):
    """States of a table, shape (500, n)."""
    rng = np.random.default_rng([seed, n])
    return problems.graphs(n, rng=rng)["states"][:, rng.permutation(n)]


def real(name, n_rows, seed):
    """States of some of the columns of a data set, shape (n_rows, N_COLUMNS)."""
    states = read_data_set(name, n_rows, Stream(seed, "larger arcs")).states.astype(int)
    columns = np.random.default_rng(seed).permutation(states.shape[1])
    chosen = [column for column in columns if np.ptp(states[:, column])][:N_COLUMNS]
    return np.stack([np.unique(states[:, column], return_inverse=True)[1] for column in chosen], axis=1)


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
        error = max(found.standard_error[k], LEAST)
        open_arcs = (exact > 0.01) & (exact < 0.99)
        result[prior] = (
            bool(found.arcs_doubt[k]),
            held(found, exact, k)[open_arcs],
            held(found, other, k)[np.abs(exact - other) > 0.1],
            np.nan if found.doubt[k] else (found.log_evidence[k] - truth.log_evidence[k]) / error,
        )
    return result


def line(prior, of, found):
    """A row, over tables of some kind."""
    known = [one for one in found if not one[0]]
    shares = [one[1].mean() for one in known if len(one[1])]
    hits, controls = (np.concatenate([np.empty(0), *(one[part] for one in known)]) for part in (1, 2))
    errors = np.array([one[3] for one in found])
    errors = np.abs(errors[~np.isnan(errors)])
    spread = f" +-{np.std(shares, ddof=1) / np.sqrt(len(shares)):6.1%}" if len(shares) > 1 else ""
    control = f"{controls.mean():.1%} of {len(controls)}" if len(controls) else ""
    held_of = f"{hits.mean():9.1%}{spread:9}" if len(hits) else f"{'':18}"
    near = f"{np.mean(errors < DEVIATE):10.1%} of {len(errors)}{errors.max():9.1f}" if len(errors) else ""
    return (
        f"{prior:>8}{of:>14}{len(found):7d}{len(found) - len(known):8d}{len(hits):7d}{held_of}"
        f"{sum(share < 0.5 for share in shares):7d}{control:>16}{near}"
    )


def at_power(power):
    """Where graphs come to count once in this process."""
    if power:
        graph_annealing.flat_power = lambda sums, orders: power


def main(tables, power=None):
    """Of tables by their kind, with the seeds of their samples."""
    heads = f"{'hold':>9}{'':9} missed{'other prior':>16}{'evidence holds':>16}"
    print(f"{'prior':>8}{'columns':>14} tables unknown   arcs{heads}  furthest", flush=True)
    with ProcessPoolExecutor(os.cpu_count(), initializer=at_power, initargs=(power,)) as pool:
        jobs = {of: [pool.submit(compared, *each) for each in given] for of, given in tables.items()}
        for of, pending in jobs.items():
            found = [job.result() for job in pending]
            for prior in PRIORS:
                print(line(prior, of, [one[prior] for one in found]), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["peers"]:
        power = float(sys.argv[2]) if len(sys.argv) > 2 else None
        main({n: [(problems.graphs(n)["states"], seed) for seed in (1, 2, 3)] for n in (17, 20)}, power)
    elif sys.argv[1:] == ["data"]:
        main({name: [(real(name, n, seed), seed) for n in sizes for seed in (1, 2)] for name, sizes in N_ROWS.items()})
    else:
        n_tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10
        main({n: [(rows(n, seed), seed + 1) for seed in range(n_tables)] for n in SIZES})
