"""How often intervals hold where the posterior of a network has several modes of about the same weight, by few rows.

    python benchmarks/several_modes.py 20            so many tables of each kind
    python benchmarks/several_modes.py 20 control    without what chains do not come to, or seldom leave

Two hidden variables of two values make four classes of three kinds of rows, so that any kind may have two; or there is
one kind of rows more than classes, so that any two may have one. Truth is the exact sum.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np

from ockham.estimation.intervals import interval
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.completed_proposals import CompletedBridge
from ockham.networks.scorers import ais_from_vb, bridge, exact, tempered_smc
from ockham.streams import Stream

SCORERS = {
    "bridge": (bridge, bridge.Settings()),
    "tempered_smc": (tempered_smc, tempered_smc.Settings()),
    "ais_from_vb": (ais_from_vb, ais_from_vb.Settings(n_chains=32)),
}


def factors(rng):
    """Three kinds of rows of six to ten bits, and two hidden variables."""
    items = [f"y{i}" for i in range(int(rng.integers(6, 11)))]
    rows = np.repeat(rng.integers(0, 2, (3, len(items))), rng.integers(5, 15, 3), axis=0)
    parents = {"h2": ["h1"], **{item: ["h1", "h2"] for item in items}}
    return DiscreteNetwork.build({"h1": 2, "h2": 2, **dict.fromkeys(items, 2)}, parents, ["h1", "h2"]), rows


def one_kind_too_many(rng):
    """Of three or four classes; a kind has bits of its own."""
    n_classes = int(rng.integers(3, 5))
    kinds = np.repeat(np.eye(n_classes + 1, dtype=int), int(rng.integers(2, 9)), axis=1)
    rows = np.repeat(kinds, rng.integers(2, 4 if n_classes == 4 else 9, n_classes + 1), axis=0)
    items = [f"y{i}" for i in range(rows.shape[1])]
    return DiscreteNetwork.build(
        {"h": n_classes, **dict.fromkeys(items, 2)}, {item: ["h"] for item in items}, ["h"]
    ), rows


def leave_out():
    bridge.share_missing = lambda *_: (0.0, 0)
    bridge.n_independent_visits = lambda *_: np.inf
    CompletedBridge.share_missing = lambda *_: 0.0
    ais_from_vb.share_unvisited = tempered_smc.share_unvisited = lambda *_: 0.0


def main(n_tables, control=None):
    if control:
        leave_out()
    print("           tables       scorer  number  unknown    bias     rms   error     95%  farthest")
    for make in (factors, one_kind_too_many):
        found = {name: [] for name in SCORERS}
        for seed in range(n_tables):
            network, rows = make(np.random.default_rng(seed))
            data = UniqueRows.of(rows, [2] * rows.shape[1])
            truth = exact.score(network, data, exact.Settings(max_completions=10**9), Stream(0))["exact"].log_evidence
            for name, (module, settings) in SCORERS.items():
                one = next(iter(module.score(network, data, settings, Stream(seed)).values()))
                if one.trusted:
                    low, high = interval(one.log_evidence, one.standard_error, one.degrees_of_freedom, 0.95)
                    found[name].append((one.log_evidence - truth, one.standard_error, low <= truth <= high))
        for name, each in found.items():
            said = f"{make.__name__:>17}{name:>13}{n_tables:8d}{n_tables - len(each):9d}"
            if each:
                off, errors, holds = np.array(each).T
                roots = [np.sqrt((numbers**2).mean()) for numbers in (off, errors)]
                farthest = np.abs(off / errors).max()
                said += f"{off.mean():8.3f}{roots[0]:8.3f}{roots[1]:8.3f}{holds.mean():8.1%}{farthest:10.1f}"
            print(said, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
