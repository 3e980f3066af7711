"""How often intervals of sampled evidences over node orders hold, on small random tables with exact values.

``python benchmarks/order_evidence.py [tables]``. The tables are those of ``benchmarks/arcs.py``; budgets are a tenth of
the default and less, so that some are too short. One run of each sampler, and three together; estimates that are
doubted make no interval. Negative controls: intervals that are held against the evidence under the other prior, and
for corrected weights of one run those that are right for log-normal ones.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings

import numpy as np
from arcs import problem

import ockham
from ockham.estimation.combining import combine
from ockham.estimation.intervals import interval
from ockham.orders.estimates import corrected
from ockham.orders.space import PRIORS

LEVELS = (0.5, 0.8, 0.95, 0.999)
STEPS = (30_000, 100_000, 1_000_000)


def about(evidence, truth):
    """Whether it is trusted, how far it is off, its error, and whether each interval holds."""
    off = evidence.log_evidence - truth
    parts = off, evidence.standard_error + 1e-9, evidence.degrees_of_freedom
    held = [low <= 0 <= high for low, high in (interval(*parts, level) for level in LEVELS)]
    return evidence.trusted, *parts[:2], *held


def main(n_tables):
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    rows = {}
    for seed in range(n_tables):
        data, space, _ = problem(seed)
        rng = np.random.default_rng(seed)
        steps, ratios, length = int(rng.choice(STEPS)), int(rng.choice([4, 16])), int(rng.choice([1, 4]))
        exact = ockham.score(space, data.states, "exact", progress=False)
        truths = [exact[f"exact_{prior}"].log_evidence for prior in PRIORS]
        given = {"seed": seed, "steps": max(steps, 20 * length * space.n_nodes * data.n)}  # 20 samples, or more
        for name, sampler, settings, runs, against in (
            ("ais", "ais", {"length": length}, 1, truths),
            ("ais, three runs", "ais", {"length": length}, 3, truths),
            ("ais, other prior", "ais", {"length": length}, 3, truths[::-1]),
            ("mc3", "mc3", {"ratios": ratios}, 1, truths),
            ("mc3, three runs", "mc3", {"ratios": ratios}, 3, truths),
            ("mc3, other prior", "mc3", {"ratios": ratios}, 3, truths[::-1]),
        ):
            found = ockham.score(space, data.states, sampler, runs=runs, progress=False, **given, **settings)
            for prior, truth in zip(PRIORS, against, strict=True):
                rows.setdefault((name, prior), []).append(about(found[f"{sampler}_{prior}"], truth))
            if name == "ais":
                arrays = found["ais_graphs"].arrays
                weights = corrected(arrays["log_weight"], arrays["log_extensions"])
                mean = combine(weights[~np.isnan(weights)], "mean")
                log_normal = mean.evidence(0, plus=space.log_scale("graphs"))
                rows.setdefault(("ais, log-normal", "graphs"), []).append(about(log_normal, truths[1]))
    print("doubted estimates, then of the others: bias, root mean square error, their own, and intervals that hold")
    heads = "".join(f"{f'{level:.1%}':>8}" for level in LEVELS)
    print(f"{'':26}{'number':>8}{'doubted':>8}{'bias':>8}{'rms':>8}{'error':>8}{heads}")
    for (name, prior), found in rows.items():
        table = np.array(found, dtype=float)
        known = table[table[:, 0] > 0, 1:]
        rms, own = np.sqrt((known[:, :2] ** 2).mean(axis=0))
        shares = "".join(f"{share:8.1%}" for share in known[:, 2:].mean(axis=0))
        print(f"{name:18}{prior:8}{len(table):8d}{len(table) - len(known):8d}"
              f"{known[:, 0].mean():8.3f}{rms:8.3f}{own:8.3f}{shares}")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
