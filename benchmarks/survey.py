"""A survey from its file to the number of its classes, beside StepMix, which has the same job.

    python benchmarks/survey.py TABLE.csv [options of ockham select]   (``pip install stepmix``)

Three jobs with 1 to 8 classes, missing cells summed out: all of `ockham select`; our fits by maximum likelihood alone,
from 1024 starts of which the better half goes on again and again; StepMix's from 32, all of which it climbs from. Where
both come to one maximum the log likelihoods are equal, and so are BIC's.
"""

import resource
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import xarray as xr
from sklearn.metrics import adjusted_rand_score
from stepmix.stepmix import StepMix

import ockham

CLASSES = range(1, 9)
N_STARTS, THEIRS = 1024, 32


def selected(arguments):
    """What ``ockham select`` stores, its lines, wall and CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "found"
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["ockham", "select", *arguments, "--output", output], capture_output=True, check=True)
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
        cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return xr.load_dataset(f"{output}.nc"), done.stdout.decode(), wall, cpu


def timed(work):
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def ours(models, rows):
    """Log likelihood and BIC (on the log scale) of every number of classes."""
    settings = {"n_starts": N_STARTS, "runs": 1, "progress": False}
    fits = [ockham.score(model, rows, "em_ml", **settings) for model in models]
    return [[fit[name].log_evidence for name in ("maximum_likelihood", "bic_ml")] for fit in fits]


def theirs(cells):
    fits = [
        StepMix(k, measurement="categorical_nan", n_init=THEIRS, max_iter=10_000, abs_tol=1e-9, rel_tol=0.0,
                random_state=0, progress_bar=0, verbose=0).fit(cells)
        for k in CLASSES
    ]  # fmt: skip
    return fits, [[fit.score(cells) * len(cells), -fit.bic(cells) / 2] for fit in fits]


def main(arguments):
    found, said, wall, cpu = selected(arguments)
    print(next(line for line in said.splitlines() if "highest evidence" in line))
    print(f"ockham select: {wall:.0f} s, {cpu:.0f} CPU s; {len(said.splitlines())} lines, page, picture and store")

    options = arguments[1:]
    dropped = [after for option, after in pairwise(options) if option == "--drop"]
    table = ockham.read_table(arguments[0], drop=dropped, header="--no-header" not in arguments)
    models = list(ockham.naive_bayes(list(CLASSES), table.cardinalities).values())
    cells = np.where(table.states < 0, np.nan, table.states)
    mine, seconds = timed(lambda: ours(models, table.states))
    (fits, other), longer = timed(lambda: theirs(cells))
    ratio = longer / seconds
    print(f"maximum likelihood: {seconds:.2f} CPU s, StepMix {longer:.1f}, ratio {ratio:.0f}")
    print("classes  log evidence      +-   log likelihood  StepMix's       BIC  StepMix's")
    for k, (likelihood, bic), (their_likelihood, their_bic) in zip(CLASSES, mine, other, strict=True):
        here = found.isel(prior=0).sel(n_classes=k)
        print(f"{k:7d}  {float(here.log_evidence):12.2f}  {float(here.standard_error):6.2f}  {likelihood:15.4f}"
              f"  {their_likelihood - likelihood:9.4f}  {bic:8.1f}  {their_bic - bic:9.4f}")  # fmt: skip
    chosen = int(np.argmax([bic for _, bic in other]))
    fitted = ockham.fit_classes(models[chosen], table.states, progress=False)
    same = adjusted_rand_score(fits[chosen].predict(cells), fitted.predict(table.states).probabilities.argmax(axis=1))
    print(f"memberships of {CLASSES[chosen]} classes, the highest BIC of StepMix: adjusted Rand index {same:.3f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
