"""What becomes of scores when one in eight of NumPy's exponentials and logarithms is another one by its last bit.

``python benchmarks/last_bits.py [networks] [scorer ...]``: the first random graphs of ``config/calibration.yaml``, each
scored twice. NumPy's functions differ so between processors: with AVX-512 it has others than without. Kernels have
functions of their own, which are the same everywhere. A sampler whose steps enlarge a difference takes another path.

``python benchmarks/last_bits.py avx512``: how many of a million of these numbers are others without AVX-512, on a
processor that has it.
"""

import os
import subprocess
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import warnings
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
from cores import REPOSITORY

import ockham
from ockham.streams import Stream
from ockham.studies.loading import load

STUDY = REPOSITORY / "config/calibration.yaml"
SCORERS = ("ais", "bridge", "tempered_smc", "ais_completions", "candidate", "smc", "vb")
CHAINS = {"ais": 8, "ais_completions": 8}
"""As in the study: one chain of annealing has no error."""
WITHOUT = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL"}
"""What NumPy is told at its import, to have the functions of a processor without AVX-512."""
NUMBERS = """
import sys
import numpy as np
x = np.random.default_rng(0).uniform(0, 1, 10**6)
sys.stdout.buffer.write(np.stack([np.log(x), np.exp(-x)]).tobytes())
"""


class OtherLastBits:
    """A function of NumPy that gives every eighth float64 one unit in the last place too large."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments, **options):
        found = self.function(*arguments, **options)
        if getattr(found, "dtype", None) != np.float64:
            return found
        changed = np.where(found.view(np.int64) % 8 == 3, np.nextafter(found, np.inf), found)
        if found.ndim == 0:
            return changed[()]
        found[...] = changed  # in place, for it may be the array that was given for it
        return found

    def __getattr__(self, name):
        return getattr(self.function, name)


@contextmanager
def other_last_bits():
    with patch.object(np, "exp", OtherLastBits(np.exp)), patch.object(np, "log", OtherLastBits(np.log)):
        yield


def networks(n):
    """The first random graphs of the study, each with its rows."""
    study = load(f"{STUDY}:graphs")
    root = Stream(study.root_seed, "data", study.stream_name)
    for replicate in study.replicates.indices()[:n]:
        draw = study.family.draw(study, study.sizes, replicate, root, None)
        yield study.family.model_of(study, draw, "drawn"), study.family.prepare(study, draw, max(study.sizes))


def value(model, data, scorer):
    """The first estimate, and its error."""
    found = next(iter(ockham.score(model, data, scorer, runs=CHAINS.get(scorer, 1), progress=False).values()))
    return found.log_evidence, found.standard_error


def avx512():
    """Logarithms, and exponentials, that are others in a process without AVX-512; and by how many last places."""
    with_it, without = (
        np.frombuffer(subprocess.check_output([sys.executable, "-c", NUMBERS], env=os.environ | extra))
        for extra in ({}, WITHOUT)
    )
    apart = abs((with_it - without) / np.spacing(without)).reshape(2, -1)
    return (apart > 0).sum(axis=1), apart.max(axis=1)


def main(n="14", *scorers):
    if n == "avx512":
        for name, count, most in zip(("logarithms", "exponentials"), *avx512(), strict=True):
            print(f"{name:14}{count:8,} of 1,000,000 differ without AVX-512, by at most {most:.0f} in the last place")
        return
    some = list(networks(int(n)))
    print(f"{'scorer':16}{'networks':>9}{'by 1e-6 nats':>14}{'largest, nats':>15}{'in its errors':>15}")
    for scorer in scorers or SCORERS:
        before = np.array([value(*each, scorer) for each in some])  # of all, for what tunes the steps keeps its last
        with other_last_bits():
            after = np.array([value(*each, scorer) for each in some])
        nats = abs(after - before)[:, 0]
        errors = np.divide(nats, before[:, 1], out=np.zeros(len(some)), where=before[:, 1] > 0)
        print(
            f"{scorer:16}{len(some):9d}{(nats > 1e-6).sum():14d}{nats.max():15.1e}{errors.max():15.1e}",
            flush=True,
        )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    main(*sys.argv[1:])
