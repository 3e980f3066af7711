"""How often intervals of bridge sampling hold where posterior and proposal hardly overlap.

``python benchmarks/overlap.py [structures] [n ...]``: short runs on random structures of Beal & Ghahramani, on the data
of the true one, against one long run of each; distances are in the standard error of both, doubted runs among them.
Rows are by how many independent draws of the short run the proposal could have made, for of few of them an error to
first order is not known. What is doubted for another reason is left out.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from itertools import pairwise

import numpy as np

from ockham.contracts import Doubt
from ockham.networks.inference import parts
from ockham.networks.scorers import bridge
from ockham.streams import Stream
from ockham.studies.cells import draw_replicate
from ockham.studies.loading import load

SHORT = {"n_starts": 32, "n_chains": 4, "n_burn_in": 200, "n_draws": 500, "error": 0.001}
LENGTHS = (500, 1000, 2000)
LONG = bridge.Settings(n_starts=64, n_chains=8, max_draws=32_000, error=0.03)
EDGES = (0, 5, 10, 20, 40, 80, 10**9)
seen = {}


def watched(*arguments, estimate=parts.estimate):
    seen["estimate"] = estimate(*arguments)
    return seen["estimate"]


def main(n_structures="30", *sizes):
    parts.estimate = watched
    study = load("config/beal_ghahramani_2006_truth.yaml")
    draw = draw_replicate(study, 0)
    found = []
    for n in map(int, sizes or ("1280", "2560", "5120", "10240")):
        data = study.family.prepare(study, draw, n)
        for label in np.random.default_rng(n).choice(list(study.models), int(n_structures), replace=False):
            network = study.models[label]
            truth = bridge.score(network, data, LONG, Stream(1, n, label))["bridge_sampling"]
            if truth.standard_error == 0:
                continue
            if not truth.standard_error < 0.2 or truth.doubt & ~Doubt.FEW_EFFECTIVE_SAMPLES:
                print(f"{n:6d} {label}: unknown", flush=True)
                continue
            for run, length in enumerate(LENGTHS):
                chosen = bridge.Settings(**SHORT, max_draws=length)
                short = bridge.score(network, data, chosen, Stream(2, n, label, run))["bridge_sampling"]
                if short.standard_error < 0.5 and not short.doubt & ~Doubt.FEW_EFFECTIVE_SAMPLES:
                    error = np.hypot(short.standard_error, truth.standard_error)
                    z = (short.log_evidence - truth.log_evidence) / error
                    found.append((seen["estimate"].n_overlapping, z, short.standard_error))
    number, z, errors = np.array(found).T
    print(f"{'draws':>12}{'runs':>7}{'mean z':>8}{'rms z':>8}{'largest':>9}{'95 %':>7}{'error':>8}")
    for low, high in pairwise(EDGES):
        own = (number >= low) & (number < high)
        if own.any():
            print(
                f"{low:6d} to {high if high < 10**9 else '':>3}{own.sum():6d}{z[own].mean():8.2f}"
                f"{np.sqrt((z[own] ** 2).mean()):8.2f}{np.abs(z[own]).max():9.2f}"
                f"{(np.abs(z[own]) < 1.96).mean():7.0%}{np.median(errors[own]):8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
