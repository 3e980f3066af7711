"""What an estimate of the evidence costs: CPU seconds to an error of .1 nat, and how far runs are apart.

    python benchmarks/evidence.py [scorer ...] [--tables TEXT]      all, or those with this text in their name

An error falls with the square root of the work, so a run of t seconds with error e stands for t (e / .1)^2, but for no
less than t. What is doubted is unknown, and counts for nothing else. Tables: draws of the structure and parameters that
Beal & Ghahramani print, at n = 480 and 10,240, and 435 rows of 16 items of three states from mixtures of classes, as
surveys have them. One weight of annealing has no error, so an estimate of ``ais`` is the mean of eight runs, and one of
``ais_completions`` of sixteen chains; unless it is named it is left out with thousands of rows, which it takes one by
one, or many classes, and ``ais_from_vb`` with thousands of rows. All else is as by default. ``evidence`` is
``ockham.evidence``: several of them, until one has an error of .1 and another agrees, for a minute at the most.

The last column is by how much the seconds exceed the arithmetic in as many Gibbs sweeps as passes over the data were
made, as in ``gibbs.py``: less than 1 where a pass is less than a sweep, as of ``ais``, which draws nothing for rows,
and of ``smc``, over part of the rows. ``evidence`` does not count its passes.
"""

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import process_time

import numpy as np
from gibbs import arithmetic

import ockham
from ockham import families
from ockham.estimation.combining import combine_runs
from ockham.estimation.wording import error_in_words
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.structure_space import bipartite_network, naive_bayes
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS
from ockham.streams import Stream

RUNS = 3
ERROR, SECONDS = 0.1, 60.0
SCORERS = {
    "bridge": {}, "tempered_smc": {}, "smc": {}, "candidate": {}, "ais": {}, "ais_completions": {"n_chains": 16},
    "ais_from_vb": {}, "evidence": {},
}  # fmt: skip
POOLED = {"ais": 8}
"""Runs of one estimate, where that is not 1."""
MOST_STATES = {"ais_completions": 3000, "ais_from_vb": 10_000}
"""Rows times states of what is hidden."""


def tables():
    """Label, network and rows of every problem."""
    true = bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5] * 4)
    parameters = np.concatenate([table.ravel() for table in PARAMETERS.values()])
    states = draw(true, parameters, 10_240, np.random.default_rng(1))[:, list(true.observed)]
    full = bipartite_network([[1, 2]] * 4, [2, 2], [5] * 4)
    for n in (480, 10_240):
        for label, network in (("true structure", true), ("fully connected", full)):
            yield f"{label}, n = {n}", network, states[:n]
    for n_classes in (2, 3, 5, 10, 20):
        mixture = naive_bayes([n_classes], [3] * 16)[f"classes-{n_classes}"]
        rng = np.random.default_rng(n_classes)
        rows = draw(mixture, np.exp(sample_log(mixture, rng)), 435, rng)[:, list(mixture.observed)]
        yield f"survey, {n_classes} classes", mixture, rows


def estimate(name, network, rows, label, run):
    """One estimate with an error."""
    if name == "evidence":
        return ockham.evidence(network, rows, ERROR, SECONDS, seed=run, progress=False)
    states = [network.cardinalities[i] for i in network.observed]
    data, stream = UniqueRows.of(rows, states), Stream(7, label, run)
    scorer = families.scorer("discrete_network", name)
    settings = scorer.Settings(**SCORERS[name])
    if name not in POOLED:
        return next(iter(scorer.score(network, data, settings, stream).values()))
    runs = [scorer.score(network, data, settings, stream.child("run", k)) for k in range(POOLED[name])]
    (about,) = scorer.ESTIMATES.values()
    return combine_runs(about, [evidence for run in runs for evidence in run.values()])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scorers", nargs="*")
    parser.add_argument("--tables", default="")
    given = parser.parse_args()
    print(f"{RUNS} estimates each; nats and CPU seconds")
    print(f"{'table':27}{'scorer':>16}{'median':>12}{'range':>9}{'error':>9}{'doubted':>8}{'s each':>8}{'s to .1':>9}"
          f"{'s/arithmetic':>14}")  # fmt: skip
    for label, network, rows in (table for table in tables() if given.tables in table[0]):
        n_states = len(rows) * np.prod([network.cardinalities[i] for i in network.hidden])
        floor = arithmetic(network, UniqueRows.of(rows, [network.cardinalities[i] for i in network.observed]))
        some = [name for name in SCORERS if n_states <= MOST_STATES.get(name, n_states)]
        for name in given.scorers or some:
            found, seconds = [], []
            for run in range(RUNS):
                start = process_time()
                found.append(estimate(name, network, rows, label, run))
                seconds.append(process_time() - start)
            known = [evidence for evidence in found if evidence.trusted]
            said, cost = f"{'unknown':>12}{'':18}", ""
            if known:
                values = np.array([evidence.log_evidence for evidence in known])
                error = np.sqrt(np.mean([evidence.standard_error**2 for evidence in known]))
                said = f"{np.median(values):12.2f}{np.ptp(values):9.2f}{error_in_words(error):>9}"
                if len(known) == RUNS:
                    cost = f"{np.mean(seconds) * max(1.0, (error / ERROR) ** 2):.2f}"
            passes = np.mean([getattr(evidence, "n_evaluations", 0) for evidence in found])
            beyond = f"{np.mean(seconds) / (passes * floor):.1f}" if passes else ""
            row = f"{label:27}{name:>16}{said}{RUNS - len(known):8d}{np.mean(seconds):8.2f}{cost:>9}{beyond:>14}"
            print(row.rstrip(), flush=True)


if __name__ == "__main__":
    main()
