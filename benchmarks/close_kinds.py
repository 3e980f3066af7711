"""Whether ``smc`` is believed where its passes put rows of two kinds together that differ in a few items.

    python benchmarks/close_kinds.py 60            so many tables

30 to 150 rows of 6 to 20 items of two values, of two kinds that differ in two to four items, with some cells flipped;
two or three classes under a flat prior, as a network and as a mixture. Truth is ``bridge`` of networks, where it is
trusted, and the errors of both count. Without the search for modes is the control.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np

from ockham.estimation import waste_free
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.scorers import smc as smc_of_mixtures
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.scorers import bridge, smc
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

FAR = 4.0
"""Errors of both together."""


def table(seed):
    """Rows, and the number of classes that they are to have."""
    rng = np.random.default_rng(seed)
    n_items, n_differ, n = rng.integers([6, 2, 30], [21, 5, 150])
    first = rng.integers(0, 2, n_items)
    second = np.where(np.arange(n_items) < n_differ, 1 - first, first)
    rows = np.where(rng.random((n, 1)) < rng.uniform(0.15, 0.5), second, first)
    flipped = rng.random(rows.shape) < rng.choice([0.02, 0.05, 0.1, 0.15])
    return np.where(flipped, 1 - rows, rows), int(rng.integers(2, 4))


def estimates(rows, n_classes, seed):
    """By bridge sampling, and by ``smc`` of a network and of a mixture."""
    n_items = rows.shape[1]
    network, data = naive_bayes([n_classes], [2] * n_items)[f"classes-{n_classes}"], UniqueRows.of(rows, [2] * n_items)
    model = FiniteMixture(n_classes, {f"y{j}": Categorical(2) for j in range(n_items)})
    return (
        bridge.score(network, data, bridge.Settings(), Stream(seed))["bridge_sampling"],
        smc.score(network, data, smc.Settings(), Stream(seed))["sequential_monte_carlo"],
        smc_of_mixtures.score(
            model, MixedRows.of(rows.astype(float), model.items), smc_of_mixtures.Settings(), Stream(seed)
        )["sequential_monte_carlo"],
    )


def main(n_tables):
    found = {name: [] for name in ("network", "mixture", "network, control", "mixture, control")}
    evidence_of = waste_free.evidence_of
    for control in ("", ", control"):
        if control:
            waste_free.evidence_of = lambda passes, unseen, **more: evidence_of(passes, **more)
        for seed in range(n_tables):
            truth, *both = estimates(*table(seed), seed)
            if truth.trusted:
                for name, one in zip(("network", "mixture"), both, strict=True):
                    off = one.log_evidence - truth.log_evidence
                    found[name + control].append(
                        (one.trusted, off, abs(off) / np.hypot(one.standard_error, truth.standard_error))
                    )
    print("passes of          tables  trusted  over 4 errors off  rms (nats)  lowest (nats)")
    for name, of_one in found.items():
        trusted, off, errors = np.array(of_one).T
        known = trusted == 1
        print(
            f"{name:18} {len(of_one):6}  {known.sum():7}  {(errors[known] > FAR).sum():17}"
            f"  {(off[known] ** 2).mean() ** 0.5:10.3f}  {off[known].min():13.2f}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
