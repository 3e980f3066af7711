"""How often the intervals of sampled arcs hold, on small random tables whose arcs are known exactly.

``python benchmarks/arcs.py [tables] [effective samples]``. Tables have five to eight columns, of a random network or of
coin flips; schedules are short, so that weights differ. An arc's interval holds where it has the exact probability. Two
negative controls: the normal interval of the error to first order, which is nothing where all samples agree, and the
intervals held against the exact arcs of the other prior. Errors are over tables, for arcs of one go together.
"""

import os
import sys
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np

from ockham.errors import OckhamWarning
from ockham.orders import arcs, estimates, sampled_graphs
from ockham.orders.data.random_networks import sample_table
from ockham.orders.family import FAMILY
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

RANGES = ((0.0, 0.01), (0.01, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 1.0 + 1e-12))


def problem(seed):
    """A table, its space, and the steps of the first schedule."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 9))
    n_rows = int(rng.choice([10, 30, 100, 300, 1000]))
    if seed % 5 == 0:
        states = rng.integers(0, 2, (n_rows, n))
    else:
        states = sample_table(n, n_rows, Stream(seed, "calibration")).states.astype(int)
    space = OrderSpace(n, int(rng.integers(1, 4)))
    return FAMILY.read(space, states), space, int(rng.choice([2, 5, 10, 30, 100, 300]))


def first_order(log_weights, matrices, posteriors, deviate=1.96):
    """The normal interval, as a negative control."""
    half = deviate * estimates.arc_errors(log_weights, matrices, posteriors, floor=False)
    return posteriors - half, posteriors + half


def held(found, truth, k):
    return (found.low[k] - 1e-9 <= truth) & (truth <= found.high[k] + 1e-9)


def main(n_tables, n_effective):
    warnings.simplefilter("ignore", OckhamWarning)
    wilson = sampled_graphs.arc_intervals
    rows = {(prior, kind): [] for prior in PRIORS for kind in ("interval", "first order", "other prior")}
    unknown, sizes, widths = dict.fromkeys(PRIORS, 0), {p: [] for p in PRIORS}, {p: [] for p in PRIORS}
    for seed in range(n_tables):
        data, space, n_steps = problem(seed)
        given = {"seed": seed, "n_steps": n_steps, "n_graphs": int(np.random.default_rng(seed).choice([1, 10]))}
        truth = arcs.estimate(data, space)
        sampled_graphs.arc_intervals = wilson
        found = arcs.estimate(data, space, exact=False, n_effective=n_effective, **given)
        sampled_graphs.arc_intervals = first_order
        plain = arcs.estimate(data, space, exact=False, n_effective=n_effective, **given)
        sampled_graphs.arc_intervals = wilson
        off = ~np.eye(space.n_nodes, dtype=bool)
        for k, prior in enumerate(PRIORS):
            if found.arcs_doubt[k]:
                unknown[prior] += 1
                continue
            sizes[prior].append(found.effective_sample_size[k])
            exact, other = truth.arcs[k][off], truth.arcs[1 - k][off]
            widths[prior].append((found.high[k] - found.low[k])[off].mean())
            for kind, hits in (
                ("interval", held(found, truth.arcs[k], k)[off]),
                ("first order", held(plain, truth.arcs[k], k)[off]),
                ("other prior", held(found, truth.arcs[1 - k], k)[off]),
            ):
                known = np.abs(exact - other) > 0.1 if kind == "other prior" else np.ones(len(exact), dtype=bool)
                rows[prior, kind].append((exact[known], hits[known]))
    print(
        f"{n_tables} tables, {n_effective} effective samples wanted; intervals of 95 % that hold, by exact probability"
    )
    heads = "".join(f"{f'{low:g}-{min(high, 1):g}':>11}" for low, high in RANGES)
    print(f"{'prior':>8} {'':12}{'arcs':>6}{'all':>15}{heads}")
    for (prior, kind), parts in rows.items():
        exact, hits = (np.concatenate(of) for of in zip(*parts, strict=True))
        by_table = [hit.mean() for _, hit in parts if len(hit)]
        error = np.std(by_table, ddof=1) / np.sqrt(len(by_table))
        cells = [hits[(low <= exact) & (exact < high)] for low, high in RANGES]
        line = "".join(f"{part.mean():11.1%}" if len(part) else f"{'':>11}" for part in cells)
        print(f"{prior:>8} {kind:12}{len(hits):6d}{hits.mean():8.1%} +-{error:5.1%}{line}", flush=True)
    for prior in PRIORS:
        print(
            f"{prior}: {unknown[prior]} unknown; effective samples {np.min(sizes[prior]):.0f} to "
            f"{np.max(sizes[prior]):.0f}, median {np.median(sizes[prior]):.0f}; mean width {np.mean(widths[prior]):.3f}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 100)
