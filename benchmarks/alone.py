"""The evidence of mixtures of many rows alike and a few others, by the hyperparameter: what no chain may come to.

``python benchmarks/alone.py``: what ``ockham.evidence`` would say if ``smc`` and ``ais_completions`` were not doubted
under sparse priors, minus the exact sum over how many rows of each kind are in each class; three seeds each, nats.
"""

import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np
from reference.mixed_items import summed

import ockham
from ockham.contracts import NO_DOUBT
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.items import Categorical, Gaussian, Ordered
from ockham.mixtures.scorers import ais_completions, smc

N_SEEDS, SECONDS = 3, 4.0
CASES = {
    "30 rows and one": lambda prior: (2, {"x": Categorical(3, prior), "y": Categorical(2, prior)}, 100.0),
    "100 rows and one": lambda prior: (3, {"x": Categorical(2, prior), "y": Categorical(2, prior)}, 10.0),
    "an ordering": lambda prior: (2, {"x": Ordered(4, 2 * prior)}, 100.0),
    "two kinds": lambda prior: (3, {"x": Gaussian(0.0, 1.0, 1.0, 1.0)}, prior),
}
ROWS = {
    "30 rows and one": [[0, 1]] * 30 + [[2, 0]],
    "100 rows and one": [[0, 0]] * 100 + [[1, 1]],
    "an ordering": [[0]] * 30 + [[3]],
    "two kinds": [[0.5]] * 12 + [[3.0]] * 12,
}


def main():
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    smc.doubted = ais_completions.doubted = lambda model: NO_DOUBT
    for prior in (0.09, 0.05, 0.03, 0.02, 0.01):
        for name, of in CASES.items():
            model, rows = ockham.FiniteMixture(*of(prior)), np.array(ROWS[name], dtype=float)
            truth = float(summed(model, MixedRows.of(rows, model.items)))
            each = [ockham.evidence(model, rows, seconds=SECONDS, seed=seed, progress=False) for seed in range(N_SEEDS)]
            found = [
                f"{one.log_evidence - truth:.3f} +- {one.standard_error:.3f}" if one.trusted else "unknown"
                for one in each
            ]
            print(f"{prior:5.2f}  {name:18}{''.join(f'{words:>18}' for words in found)}")


if __name__ == "__main__":
    main()
