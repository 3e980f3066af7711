"""How often intervals of estimators of the evidence hold on random finite mixtures of mixed items.

``python benchmarks/mixture_calibration.py [tables [large tables [scorer ...]]]``, or their seeds, such as ``200:400``,
in place of a number. The truth of tables of 4 to 10 rows is the sum over all set partitions. Of 200 rows none is known:
there two estimators are compared, by intervals of their difference that hold 0. Intervals are Student's t of an
estimate's error; where an estimate is doubted it makes none. One run each, with the package's defaults. The scorer
``evidence`` is ``ockham.evidence`` without the exact sum.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

from time import process_time

import numpy as np

from ockham import families
from ockham.errors import DataError
from ockham.estimation.certifying import certify
from ockham.estimation.intervals import interval
from ockham.mixtures.data.drawing import draw_rows
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items.binomial import Binomial
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.ordered import Ordered
from ockham.mixtures.items.poisson import Poisson
from ockham.streams import Stream

LEVELS = (0.5, 0.8, 0.95)
ROWS = 200
ERROR, SECONDS = 0.1, 600.0
"""Of ``ockham.evidence``; more seconds than it takes, so that no clock has a part."""
PRIORS = (0.03, 0.1, 0.3, 1.0, 3.0)


def problem(seed, n=None):
    """Two to four classes of items of any kind, and rows that they draw.

    One to four items and 4 to 10 rows, of every other table few distinct ones; or 6 items and ``n`` rows.
    """
    rng = np.random.default_rng([seed, n or 0])
    prior, of_items = rng.choice(PRIORS, 2, p=[0.1, 0.1, 0.2, 0.4, 0.2])
    kinds = [
        Categorical(int(rng.integers(2, 5)), of_items),
        Ordered(int(rng.integers(3, 6)), of_items),
        Gaussian(0.0, float(rng.choice([0.5, 1, 2]))),
        Poisson(float(rng.choice([0.5, 3, 20]))),
        Binomial(int(rng.integers(2, 10))),
    ]
    items = {f"item {i}": kinds[rng.integers(len(kinds))] for i in range(rng.integers(1, 5) if n is None else 6)}
    model = FiniteMixture(int(rng.integers(2, 5)), items, prior)
    n_rows = int(rng.integers(4, 11)) if n is None else n
    rows = draw_rows(model, model.sample(model.nothing, rng), n_rows, 0.1, Stream(seed, "rows", n_rows))
    if n is None and seed % 2:
        rows = rows[rng.integers(0, max(2, n_rows // 2), n_rows)]
    rows[0, np.isnan(rows).all(axis=0)] = 0.0  # an item without any cell is refused
    return model, MixedRows.of(rows, model.items)


def estimate(name, model, data, seed):
    """What one run says, and its CPU seconds."""
    start = process_time()
    if name == "evidence":
        sources = families.sources(model, data, Stream(seed, "run"))._replace(exact=None)
        ((certified,), _) = certify([sources], ERROR, SECONDS)
        return certified.evidence, process_time() - start
    scorer = families.scorer("finite_mixture", name)
    (found,) = scorer.score(model, data, scorer.Settings(), Stream(seed, "run")).values()
    return found, process_time() - start


def held(difference, error, freedom):
    ends = [interval(difference, error + 1e-9, freedom, level) for level in LEVELS]
    return [bool(low <= 0 <= high) for low, high in ends]


def beside_exact(seeds, names):
    """By scorer and smallest hyperparameter, a row for each table: error, its own, known, seconds, and held."""
    found = {(name, prior): [] for name in names for prior in ("from .1", "below .1")}
    for seed in seeds:
        try:
            model, data = problem(seed)
        except DataError:  # an item that is the same in all rows
            continue
        prior = "from .1" if model.smallest_hyperparameter >= 0.1 else "below .1"
        truth, _ = estimate("exact", model, data, seed)
        for name in names:
            one, seconds = estimate(name, model, data, seed)
            error = one.log_evidence - truth.log_evidence
            known = one.trusted and np.isfinite(one.standard_error)
            found[name, prior].append(
                (error, one.standard_error, known, seconds, *held(error, one.standard_error, one.degrees_of_freedom))
            )
    return found


def beside_each_other(seeds, one_name, other_name):
    """The same of the difference of two; degrees of freedom by Welch and Satterthwaite."""
    found = []
    for seed in seeds:
        model, data = problem(seed, ROWS)
        (one, first), (other, second) = (estimate(name, model, data, seed) for name in (one_name, other_name))
        errors = np.array([one.standard_error, other.standard_error])
        error, difference = float(np.hypot(*errors)), one.log_evidence - other.log_evidence
        freedom = error**4 / (errors**4 / [one.degrees_of_freedom, other.degrees_of_freedom]).sum()
        known = one.trusted and other.trusted
        found.append((difference, error, known, first + second, *held(difference, error, freedom)))
    return found


def show(label, prior, rows):
    if not rows:
        return
    table = np.array(rows, dtype=float)
    known = table[table[:, 2] > 0]
    line = f"{label:>14} {prior:10}{len(table):7d}{len(table) - len(known):8d}"
    if len(known):
        rms, own = (np.sqrt((known[:, column] ** 2).mean()) for column in (0, 1))
        line += f"{known[:, 0].mean():8.3f}{rms:8.3f}{own:8.3f}"
        line += "".join(f"{share:7.1%}" for share in known[:, 4:].mean(axis=0))
    print(f"{line}{table[:, 3].mean():8.2f}", flush=True)


def seeds_of(argument):
    first, _, last = argument.rpartition(":")
    return range(int(first or 0), int(last))


def main(small, large, names):
    heads = "".join(f"{f'{level:.0%}':>7}" for level in LEVELS)
    head = f"{'prior':10}{'number':>7}{'doubted':>8}{'bias':>8}{'rms':>8}{'error':>8}{heads}{'s':>8}"
    print("4 to 10 rows, one run each; doubted, then of the others:")
    print("bias, root mean square error, their own, intervals that hold; CPU seconds")
    print(f"{'scorer':>14} {head}")
    for (name, prior), rows in beside_exact(small, names).items():
        show(name, prior, rows)
    if len(large):
        print(f"{ROWS} rows; the same of differences, of which 0 is taken for the truth")
        print(f"{'scorers':>14} {head}")
        show("bridge - smc", "any", beside_each_other(large, "bridge", "smc"))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        seeds_of(given[0] if given else "200"),
        seeds_of(given[1] if len(given) > 1 else "40"),
        given[2:] or ["bridge", "smc", "candidate", "evidence"],
    )
