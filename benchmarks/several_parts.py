"""Bridges of several parts beside longer ones, which have four times the chains and starts and other random numbers.

``python benchmarks/several_parts.py [draw:n ...]``: every structure of Beal & Ghahramani on draws of the prior, with
the settings of the study. Distances are in the standard error of both, of bridges that are not doubted. ``apart`` are
those that would be doubted if the modes that the bounds tell apart were parts.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np

from ockham.estimation.posterior_parts import LARGEST_MISSING
from ockham.networks.inference import modes
from ockham.studies.cells import draw_replicate, score_cell
from ockham.studies.loading import load

LONGER = {"n_starts": 256, "n_chains": 16, "n_burn_in": 500, "n_draws": 500, "error": 0.1}
missing = []


def watched(*of, find=modes.find):
    search = find(*of)
    missing.append(search.share_missing)
    return search


def bridge(study, data, draw, cell, **changes):
    """One estimate, and whether it would be doubted by the modes alone."""
    settings = study.scorer_settings["bridge"]
    study.scorer_settings["bridge"] = settings.model_copy(update=changes)
    missing.clear()
    found = score_cell(study, "bridge", data, draw, cell)["bridge_sampling"]
    study.scorer_settings["bridge"] = settings
    return found, max(missing, default=0) > LARGEST_MISSING


def main(*cells):
    modes.find = watched
    study = load("config/beal_ghahramani_2006_truth_draws.yaml")
    print("  draw     n structures  parts  apart doubted   rms z  largest   95 %   error  longer")
    for cell in cells or ("7:10240", "13:10240", "3:5120", "9:2560"):
        replicate, n = map(int, cell.split(":"))
        draw = draw_replicate(study, replicate)
        data = study.family.prepare(study, draw, n)
        several, apart, doubted, found = 0, 0, 0, []
        for label in study.models:
            short, by_modes = bridge(study, data, draw, (replicate, n, label, 0))
            if short.diagnostics["n_parts"] == 1:
                continue
            several, apart, doubted = several + 1, apart + by_modes, doubted + (not short.trusted)
            long, _ = bridge(study, data, draw, (replicate, n, label, 1), **LONGER)
            if short.trusted and long.trusted:
                found.append((short.log_evidence - long.log_evidence, short.standard_error, long.standard_error))
        off, own, other = np.array(found).reshape(-1, 3).T
        z = off / np.hypot(own, other)
        print(
            f"{replicate:6d}{n:6d}{len(study.models):11d}{several:7d}{apart:7d}{doubted:8d}"
            + (f"{np.sqrt((z**2).mean()):8.2f}{np.abs(z).max():9.2f}{(np.abs(z) < 1.96).mean():7.0%}" if len(z) else "")
            + (f"{np.median(own):8.2f}{np.median(other):8.2f}" if len(z) else ""),
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
