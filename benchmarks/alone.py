"""The evidence of many rows alike and a few others, by the hyperparameter: what no chain may come to.

``python benchmarks/alone.py``: what ``ockham.evidence`` of mixtures would say if ``smc`` and ``ais_completions`` were
not doubted under sparse priors, minus the exact sum over how many rows of each kind are in each class; three seeds
each, nats. ``python benchmarks/alone.py networks``: eight runs of ``ais_completions`` of a network, of rows alike and
one, whether they are doubted or not; six seeds each.
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


def networks():
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    print(f"{'rows':>5}{'items':>8}{'classes':>9}{'rms error':>11}{'rms z':>7}{'largest z':>11}{'doubted':>9}")
    for n in (12, 16, 31):
        rows = np.array([[0, 1]] * (n - 1) + [[2, 0]])
        for prior in (0.05, 0.03, 0.01, 0.001):
            for of_classes in (10.0, 100.0):
                items = {"x": Categorical(3, prior), "y": Categorical(2, prior)}
                mixture = ockham.FiniteMixture(2, items, of_classes)
                truth = float(summed(mixture, MixedRows.of(rows.astype(float), mixture.items)))
                network = ockham.DiscreteNetwork.build(
                    {"class": 2, "x": 3, "y": 2}, {"x": ["class"], "y": ["class"]}, hidden=["class"],
                    prior={"class": of_classes, "x": prior, "y": prior},
                )  # fmt: skip
                found = [
                    ockham.score(network, rows, "ais_completions", runs=8, seed=seed, progress=False)["ais_completions"]
                    for seed in range(6)
                ]
                errors = np.array([one.log_evidence - truth for one in found])
                z = errors / [one.standard_error for one in found]
                print(
                    f"{n:5d}{prior:8g}{of_classes:9g}{np.sqrt((errors**2).mean()):11.3f}{np.sqrt((z**2).mean()):7.2f}"
                    f"{np.abs(z).max():11.2f}{sum(not one.trusted for one in found):9d}",
                    flush=True,
                )


if __name__ == "__main__":
    networks() if sys.argv[1:] == ["networks"] else main()
