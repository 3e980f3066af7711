"""How often intervals of estimators of the evidence hold, on random small networks whose evidence is a sum.

``python benchmarks/calibration.py [networks] [scorer ...]``. Intervals are Student's t of an estimate's error; where an
estimate is doubted, or has no error, it makes none. One run each, with the package's defaults.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import process_time

import numpy as np

from ockham import families
from ockham.errors import ModelError
from ockham.estimation.intervals import interval
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
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


def main(n_networks, scorers):
    exact = families.scorer("discrete_network", "exact")
    found = {name: [] for name in scorers}
    seconds = dict.fromkeys(scorers, 0.0)
    for seed in range(n_networks):
        network, prior, data = problem(seed)
        try:
            truth = exact.score(network.relevant, data, exact.Settings(max_completions=10**6), Stream(seed))["exact"]
        except ModelError:
            continue
        for name in scorers:
            scorer = families.scorer("discrete_network", name)
            start = process_time()
            for evidence in scorer.score(network, data, scorer.Settings(), Stream(seed, "run")).values():
                error = evidence.log_evidence - truth.log_evidence
                held = [
                    bool(low <= truth.log_evidence <= high)
                    for low, high in (
                        interval(evidence.log_evidence, evidence.standard_error + 1e-9, evidence.degrees_of_freedom, p)
                        for p in LEVELS
                    )
                ]
                found[name].append(
                    (
                        prior,
                        error,
                        evidence.standard_error,
                        evidence.trusted and np.isfinite(evidence.standard_error),
                        *held,
                    )
                )
            seconds[name] += process_time() - start
    print("one run each; doubted or without an error, then of the others:")
    print("bias, root mean square error, their own, and intervals that hold")
    heads = "".join(f"{f'{level:.0%}':>7}" for level in LEVELS)
    print(
        f"{'scorer':>10}{'prior':>8}{'networks':>9}{'doubted':>8}{'bias':>8}{'rms':>8}{'error':>8}{heads}{'s a run':>8}"
    )
    for name, rows in found.items():
        table = np.array(rows, dtype=float)
        sparse = table[:, 0] < 0.1
        for label, here in (("below .1", table[sparse]), ("from .1", table[~sparse])):
            known = here[here[:, 3] > 0]
            line = f"{name:>10}{label:>9}{len(here):8d}{len(here) - len(known):8d}"
            if len(known):
                rms, own = (np.sqrt((known[:, column] ** 2).mean()) for column in (1, 2))
                held = "".join(f"{share:7.1%}" for share in known[:, 4:].mean(axis=0))
                line += f"{known[:, 1].mean():8.3f}{rms:8.3f}{own:8.3f}{held}{seconds[name] / len(table):8.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300, sys.argv[2:] or ["bridge", "smc", "candidate", "ais"])
