"""Bridge sampling of two classes of one variable, which data do not identify, against the exact sum.

``python benchmarks/two_classes.py [tables] [chains] [n ...]``: random tables of a variable of five values; chains are
``hamiltonian``, as they are, or ``gibbs``. Distances are in the estimate's own standard errors, of those that are
doubted, too. The longest autocorrelation time is that of any probability along the chains, which move less far the more
data there are; the error is made of the other time, that of the bridge.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import process_time

import numpy as np

from ockham.estimation.autocorrelation import autocorrelation_time
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import parts, two_classes
from ockham.networks.inference.labelling import Labelling
from ockham.networks.scorers import bridge
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

NETWORK = naive_bayes([2], [5])["classes-2"]
seen = {}


def watched(network, data, same, chains, *more, estimate=parts.estimate):
    """The chains are kept, and the estimate made."""
    seen.update(same=same, chains=chains)
    return estimate(network, data, same, chains, *more)


def longest_time():
    """Autocorrelation time in draws, of the probability that has the longest."""
    labelling = Labelling.of(seen["same"], np.concatenate(seen["chains"]))
    draws = [np.exp(labelling.apply(chain)[0]) for chain in seen["chains"]]
    return max(autocorrelation_time([chain[:, e] for chain in draws]) for e in range(NETWORK.n_entries))


def main(n_tables="12", chains="hamiltonian", *sizes):
    bridge._exact = lambda *_: None  # or there is no bridge
    bridge.leaves_open = lambda *_: chains == "hamiltonian"
    parts.estimate = watched
    print(f"{'n':>6}{'tables':>8}{'doubted':>9}{'rms z':>8}{'largest':>9}{'95 %':>7}{'time':>7}{'longest':>9}{'s':>7}")
    for n in map(int, sizes or ("40", "160", "640", "2560", "10240")):
        rows, began = [], process_time()
        for seed in range(int(n_tables)):
            rng = np.random.default_rng([seed, n])
            table = rng.choice(5, (n, 1), p=rng.dirichlet(np.ones(5)))
            data = UniqueRows.of(table, [5])
            found = bridge.score(NETWORK, data, bridge.Settings(), Stream(seed, n))["bridge_sampling"]
            z = (found.log_evidence - two_classes.log_evidence(NETWORK, data)) / found.standard_error
            rows.append((z, found.trusted, found.diagnostics["autocorrelation_time"], longest_time()))
        z, trusted, times, longest = np.array(rows).T
        seconds = (process_time() - began) / len(rows)
        print(
            f"{n:6d}{len(rows):8d}{(trusted == 0).sum():9d}{np.sqrt((z**2).mean()):8.2f}{np.abs(z).max():9.2f}"
            f"{(np.abs(z) < 1.96).mean():7.0%}{np.median(times):7.1f}{np.median(longest):9.0f}{seconds:7.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
