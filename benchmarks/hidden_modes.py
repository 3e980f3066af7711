"""How often ``ockham.evidence`` is right where few starts, or none, lead to the mode that has the mass.

    python benchmarks/hidden_modes.py 20           so many tables, as networks
    python benchmarks/hidden_modes.py 20 mixture   the same tables as finite mixtures
    python benchmarks/hidden_modes.py 20 few       as networks, from as many starts as studies take: the control

A table has three columns of which each is the parity of the other two, which no pair of them shows, and two pairs that
resemble one another, which each pair shows; the rest is noise. The four classes of the model may follow the parities or
the pairs. Most starts of variational fits lead to the pairs, hardly one to the parities, whichever has the mass.

Truth is ``bridge`` from 4096 starts. A table is left where it doubts itself, or is below the variational bound of a fit
that begins at the parities. An interval is that of the difference, of 95 %.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings
from math import hypot
from time import process_time

import numpy as np

import ockham
from ockham import families
from ockham.estimation.intervals import interval
from ockham.mixtures.items import Categorical
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import variational_em

K, PAIRS, SIZE = 4, 2, 2
ERROR, SECONDS, STARTS = 0.1, 60.0, 4096
FARTHEST = 1.0
"""Nats, from which on a value that is known and does not hold is a mode that was missed."""


def table(seed):
    """Rows of bits; the first three columns are the parities."""
    rng = np.random.default_rng(seed)
    n, n_noise = int(rng.integers(150, 401)), int(rng.integers(2, 7))
    a, b, flips = rng.integers(2, size=n), rng.integers(2, size=n), rng.uniform(0.05, 0.12)
    bits = rng.integers(2, size=(PAIRS, n))
    resembling = [bit ^ (rng.random(n) < flips) for bit in bits for _ in range(SIZE)]
    return np.stack([a, b, a ^ b, *rng.integers(2, size=(n_noise, n)), *resembling], axis=1)


def mixture_of(n_columns):
    """A network of four classes, whose parameters begin with theirs."""
    items = {f"y{j}": 2 for j in range(n_columns)}
    return ockham.DiscreteNetwork.build({"class": K} | items, {name: ["class"] for name in items}, ["class"])


def bound_at_parities(network, rows, sure=0.98):
    """The variational bound of a fit that begins where each class is one of the four patterns of the parities."""
    start = np.full(network.n_entries, 0.5)
    start[:K] = 1 / K
    patterns = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)]
    start[K : K + 6 * K] = [sure if bit == state else 1 - sure for column in zip(*patterns, strict=True)
                            for bit in column for state in (0, 1)]  # fmt: skip
    data = UniqueRows.of(rows, [2] * rows.shape[1])
    return variational_em.run(network, data, np.log(start), max_iterations=2000, tolerance=1e-8).bound


def main(n_tables, as_mixture):
    held, wrong, unknown, left, seconds = 0, [], 0, 0, 0.0
    for seed in range(n_tables):
        rows = table(seed)
        network = mixture_of(rows.shape[1])
        truth = ockham.score(network, rows, "bridge", n_starts=STARTS, seed=seed, progress=False)["bridge_sampling"]
        planted = bound_at_parities(network, rows)
        if not truth.trusted or truth.log_evidence < planted:
            left += 1
            continue
        items = {f"y{j}": Categorical(2) for j in range(rows.shape[1])}
        model, data = (ockham.FiniteMixture(K, items), rows.astype(float)) if as_mixture else (network, rows)
        before = process_time()
        found = ockham.evidence(model, data, error=ERROR, seconds=SECONDS, seed=seed, progress=False)
        seconds += process_time() - before
        error = found.log_evidence - truth.log_evidence
        if not found.trusted:
            unknown += 1
        else:
            low, high = interval(error, hypot(found.standard_error, truth.standard_error))
            held += low <= 0 <= high
            if abs(error) > FARTHEST:
                wrong.append(f"{error:.1f}")
        print(f"{seed}: {rows.shape}, true {truth.log_evidence:.2f}, parities {planted:.2f}; {found}", file=sys.stderr)
    n = n_tables - left
    print(f"{n} tables ({left} left): {n - unknown} known, whose 95 % intervals hold in {held}; off by more than "
          f"{FARTHEST:g} nat: {', '.join(wrong) or 'none'}; {unknown} unknown; "
          f"{seconds / max(n, 1):.0f} s of CPU each")  # fmt: skip


if __name__ == "__main__":
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    if "few" in sys.argv[2:]:
        families.MOST_STARTS = 0
    main(int(sys.argv[1]), "mixture" in sys.argv[2:])
