"""What an estimate of the evidence costs: CPU seconds to an error of .1 nat, and how far runs are apart.

An error falls with the square root of the work, so a run of t seconds with error e stands for t (e / .1)^2. Tables:
draws of the structure and parameters that Beal & Ghahramani print, at n = 480 and 10,240, and 435 rows of 16 items of
three states from mixtures of classes, as surveys have them. One weight of annealing has no error, so an estimate of
``ais`` is the mean of eight runs, and one of ``ais_completions`` of sixteen chains, left out with thousands
of rows, which it takes one by one. All else is as by default.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import process_time

import numpy as np

from ockham import families
from ockham.estimation.combining import combine_runs
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.structure_space import bipartite_network, naive_bayes
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS
from ockham.streams import Stream

RUNS = 3
SCORERS = {
    "bridge": {}, "tempered_smc": {}, "smc": {}, "candidate": {}, "ais": {}, "ais_completions": {"n_chains": 16},
}  # fmt: skip
POOLED = {"ais": 8}
"""Runs of one estimate, where that is not 1."""
MOST_ROWS = {"ais_completions": 1000}


def tables():
    """Label, network and data of every problem."""
    true = bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5] * 4)
    parameters = np.concatenate([table.ravel() for table in PARAMETERS.values()])
    states = draw(true, parameters, 10_240, np.random.default_rng(1))[:, list(true.observed)]
    full = bipartite_network([[1, 2]] * 4, [2, 2], [5] * 4)
    for n in (480, 10_240):
        for label, network in (("true structure", true), ("fully connected", full)):
            yield f"{label}, n = {n}", network, UniqueRows.of(states[:n], [5] * 4)
    for n_classes in (2, 3, 5):
        mixture = naive_bayes([n_classes], [3] * 16)[f"classes-{n_classes}"]
        rng = np.random.default_rng(n_classes)
        rows = draw(mixture, np.exp(sample_log(mixture, rng)), 435, rng)[:, list(mixture.observed)]
        yield f"survey, {n_classes} classes", mixture, UniqueRows.of(rows, [3] * 16)


def estimate(name, network, data, stream):
    """One estimate with an error."""
    scorer = families.scorer("discrete_network", name)
    settings = scorer.Settings(**SCORERS[name])
    if name not in POOLED:
        return next(iter(scorer.score(network, data, settings, stream).values()))
    runs = [scorer.score(network, data, settings, stream.child("run", k)) for k in range(POOLED[name])]
    (about,) = scorer.ESTIMATES.values()
    return combine_runs(about, [evidence for run in runs for evidence in run.values()])


def main():
    print(f"{RUNS} estimates each; nats and CPU seconds")
    print(f"{'table':27}{'scorer':>16}{'median':>12}{'range':>9}{'error':>9}{'doubted':>8}{'s each':>8}{'s to .1':>9}")
    for label, network, data in tables():
        for name in (name for name in SCORERS if data.n <= MOST_ROWS.get(name, data.n)):
            found, seconds = [], []
            for run in range(RUNS):
                start = process_time()
                found.append(estimate(name, network, data, Stream(7, label, run)))
                seconds.append(process_time() - start)
            values = np.array([evidence.log_evidence for evidence in found])
            error = np.sqrt(np.mean([evidence.standard_error**2 for evidence in found]))
            said = f"{error:.2f}" if error < 1000 else "> 999"
            doubted = sum(not evidence.trusted for evidence in found)
            cost = np.mean(seconds) * (error / 0.1) ** 2 if not doubted and np.isfinite(error) else np.nan
            print(
                f"{label:27}{name:>16}{np.median(values):12.2f}{np.ptp(values):9.2f}{said:>9}{doubted:8d}"
                f"{np.mean(seconds):8.2f}{cost:9.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
