"""How often intervals of estimators of the evidence hold, on random small networks whose evidence is a sum.

``python benchmarks/calibration.py [many] [networks] [scorer ...]``, or their seeds, such as ``200:400``, in place of
their number. Half are random graphs, half mixtures of few distinct rows with classes to spare, the hardest known;
``evidence`` is ``ockham.evidence`` without the exact sum. Intervals are Student's t of an estimate's error; where an
estimate is doubted, or has no error, it makes none. One run each, with the package's defaults; ``ais:5`` is five runs
of ``ais`` together. With ``many`` before the number, all are mixtures of 11 to 20 classes.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings
from itertools import product
from time import process_time

import numpy as np

import ockham
from ockham import families
from ockham.errors import ModelError
from ockham.estimation.combining import combine_runs
from ockham.estimation.intervals import interval
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.family import Networks
from ockham.streams import Stream

LEVELS = (0.5, 0.8, 0.95)


def problem(seed):
    """A random graph on three to six variables of 2 or 3 values, one or two of them hidden, and 4 to 12 rows of it."""
    rng = np.random.default_rng(seed)
    names = [f"v{i}" for i in range(rng.integers(3, 7))]
    cardinalities = {name: int(rng.integers(2, 4)) for name in names}
    order = rng.permutation(names)
    parents = {
        str(name): [str(p) for p in rng.permutation(order[:place])[: rng.integers(0, min(place, 2) + 1)]]
        for place, name in enumerate(order)
    }
    hidden = [str(name) for name in rng.permutation(names)[: rng.integers(1, 3)]]
    prior = float(rng.choice([0.01, 0.1, 0.3, 1.0, 3.0], p=[0.1, 0.1, 0.2, 0.4, 0.2]))
    network = DiscreteNetwork.build(cardinalities, parents, hidden, prior)
    observed = [network.cardinalities[i] for i in network.observed]
    n = int(rng.integers(4, 13))
    n_kinds = int(rng.integers(2, n + 1))
    kinds = np.stack([rng.integers(0, r, n_kinds) for r in observed], axis=1)
    return network, prior, UniqueRows.of(kinds[rng.integers(0, n_kinds, n)], observed)


def mixture(seed):
    """Two to four classes of three to five items of 2 or 3 values, and 4 to 12 rows, half of them distinct."""
    rng = np.random.default_rng([seed, 1])
    n_classes = int(rng.integers(2, 5))
    return mixture_of(n_classes, 9 if n_classes > 2 else 13, rng)


def many_classes(seed):
    """The same of 11 to 20 classes, and 4 to 6 rows."""
    rng = np.random.default_rng([seed, 2])
    return mixture_of(int(rng.integers(11, 21)), 7, rng)


def mixture_of(n_classes, rows_below, rng):
    n_items = int(rng.integers(3, 6))
    prior = float(rng.choice([1e-10, 1e-6, 1e-4, 0.01, 0.03, 0.1, 0.15, 0.2, 0.3, 1.0]))
    cardinalities = {"class": n_classes} | {f"item {i}": int(rng.integers(2, 4)) for i in range(n_items)}
    parents = {name: ["class"] for name in cardinalities if name != "class"}
    network = DiscreteNetwork.build(cardinalities, parents, ["class"], prior)
    observed = [network.cardinalities[i] for i in network.observed]
    n = int(rng.integers(4, rows_below))
    kinds = np.stack([rng.integers(0, r, max(2, n // 2)) for r in observed], axis=1)
    return network, prior, UniqueRows.of(kinds[rng.integers(0, len(kinds), n)], observed)


def estimate(name, network, data, seed):
    """What runs of a scorer with its defaults say together, by its first estimate, or ``ockham.evidence``."""
    if name == "evidence":
        rows = np.repeat(data.rows, data.counts, axis=0)
        with warnings.catch_warnings(action="ignore", category=ockham.OckhamWarning):
            return ockham.evidence(network, rows, seconds=30, seed=seed).evidence
    name, _, n_runs = name.partition(":")
    scorer = families.scorer("discrete_network", name)
    streams = [Stream(seed, "run", k) for k in range(int(n_runs))] if n_runs else [Stream(seed, "run")]
    runs = [scorer.score(network, data, scorer.Settings(), stream) for stream in streams]
    label, about = next(iter(scorer.ESTIMATES.items()))
    return combine_runs(about, [run[label] for run in runs])


PROBLEMS = {"graphs": (problem, 10**6), "mixtures": (mixture, 10**6), "classes": (many_classes, 10**8)}
"""Of each kind, and the completions to sum at the most."""


def main(seeds, scorers, kinds):
    Networks.plan = Networks.plan._replace(exact="")
    exact = families.scorer("discrete_network", "exact")
    found = {name: [] for name in scorers}
    seconds = dict.fromkeys(scorers, 0.0)
    for seed in seeds:
        kind = kinds[seed % len(kinds)]
        make, most = PROBLEMS[kind]
        network, prior, data = make(seed)
        try:
            truth = exact.score(network.relevant, data, exact.Settings(max_completions=most), Stream(seed))["exact"]
        except ModelError:
            continue
        for name in scorers:
            start = process_time()
            evidence = estimate(name, network, data, seed)
            error = evidence.log_evidence - truth.log_evidence
            ends = [
                interval(evidence.log_evidence, evidence.standard_error + 1e-9, evidence.degrees_of_freedom, p)
                for p in LEVELS
            ]
            held = [bool(low <= truth.log_evidence <= high) for low, high in ends]
            known = evidence.trusted and 0 < evidence.standard_error < np.inf  # an exact value has no interval
            found[name].append((kinds.index(kind), prior, error, evidence.standard_error, known, *held))
            seconds[name] += process_time() - start
    print("doubted or without an error, then of the others:")
    print("bias, root mean square error, their own, and intervals that hold")
    heads = "".join(f"{f'{level:.0%}':>7}" for level in LEVELS)
    print(
        f"{'scorer':>17} {'models, prior':20}{'number':>7}{'doubted':>8}{'bias':>8}{'rms':>8}{'error':>8}"
        f"{heads}{'s':>8}"
    )
    for name, rows in found.items():
        table = np.array(rows, dtype=float)
        for k, dense in product(range(len(kinds)), (True, False)):
            here = table[(table[:, 0] == k) & ((table[:, 1] >= 0.1) == dense)]
            known = here[here[:, 4] > 0]
            label = f"{kinds[k]}, {'from .1' if dense else 'below'}"
            line = f"{name:>17} {label:20}{len(here):7d}{len(here) - len(known):8d}"
            if len(known):
                rms, own = (np.sqrt((known[:, column] ** 2).mean()) for column in (2, 3))
                held = "".join(f"{share:7.1%}" for share in known[:, 5:].mean(axis=0))
                line += f"{known[:, 2].mean():8.3f}{rms:8.3f}{own:8.3f}{held}{seconds[name] / len(table):8.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    many, given = sys.argv[1:2] == ["many"], sys.argv[1:]
    numbers, *chosen = given[many:] or ["300"]
    first, _, last = numbers.rpartition(":")
    main(
        range(int(first or 0), int(last)),
        chosen or ["evidence", "bridge", "tempered_smc", "smc", "candidate"],
        ("classes",) if many else ("graphs", "mixtures"),
    )
