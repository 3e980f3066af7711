"""One step of annealed importance sampling, against a bare C loop of its gamma draws, log-gammas and likelihood.

    python benchmarks/annealing.py

The bare loop (bare_step.c) draws as many gamma variates from NumPy's generator, takes as many log-gammas and logarithms
with libm, and computes the likelihood over the same unique rows, but decides and keeps nothing. It is compiled here by
`cc -O3`. Both are timed in turn, in one process.
"""

import ctypes
import subprocess
import tempfile
import timeit
from functools import partial
from pathlib import Path

import numpy as np

from ockham import UniqueRows, bipartite, draw
from ockham.estimation.schedules import nonlinear_schedule
from ockham.kernels import VECTOR
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import annealing
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS

STEPS, STRENGTH = 16384, 2000.0


def compiled(folder):
    """The bare loop as a function."""
    library = Path(folder, "bare_step.so")
    root = Path(np.random.__file__).parent
    command = ["cc", "-O3", "-shared", "-fPIC", f"-I{np.get_include()}", *python_include(), str(source()), "-o"]
    subprocess.run([*command, str(library), f"-L{root / 'lib'}", "-lnpyrandom", "-lm"], check=True)
    function = ctypes.CDLL(str(library)).bare_steps
    function.restype = ctypes.c_double
    return function


def source():
    return Path(__file__).with_name("bare_step.c")


def python_include():
    import sysconfig

    return [f"-I{sysconfig.get_path('include')}"]


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def main():
    space = bipartite([2, 2], [5] * 4)
    truth = space["1-12-12-2"]
    parameters = np.concatenate([PARAMETERS[name].ravel() for name in truth.names])
    rows = draw(truth, parameters, 10_240, np.random.default_rng(1))[:, list(truth.observed)]
    temperatures, strengths = nonlinear_schedule(STEPS, 0.2), np.full(STEPS, STRENGTH)
    print(f"vectors: {VECTOR}; microseconds per step")
    print("  structure         n   rows     AIS    bare  AIS/bare")
    with tempfile.TemporaryDirectory() as folder:
        bare = compiled(folder)
        for label in ("1-12-12-2", "12-12-12-12"):
            network = space[label]
            start = sample_log(network, np.random.default_rng(2))
            shape = STRENGTH * np.maximum(np.exp(start), 1e-3)
            for n in (480, 10_240):
                data = UniqueRows.of(rows[:n], [5] * 4)
                observed = np.zeros((len(data.rows), network.n_variables), dtype=np.int64)
                observed[:, network.observed] = data.rows
                hidden = np.zeros((network.n_hidden_configurations, network.n_variables), dtype=np.int64)
                hidden[:, network.hidden] = network.hidden_configurations
                entries = (
                    np.array(network.offsets[:-1])
                    + (observed @ network.strides.T)[:, None]
                    + hidden @ network.strides.T
                )
                arrays = (
                    np.ascontiguousarray(entries, dtype=np.int32),
                    data.counts.astype(float),
                    np.empty(network.n_entries),
                )
                rng = np.random.default_rng(3)
                sizes = len(data.rows), network.n_hidden_configurations, network.n_variables
                generator = rng.bit_generator.ctypes.bit_generator
                call = partial(
                    bare, generator, ctypes.c_long(STEPS), ctypes.c_long(network.n_entries), pointer(shape),
                    *map(ctypes.c_long, sizes), *map(pointer, arrays),
                )  # fmt: skip
                ours = partial(annealing.run, network, data, start, temperatures, strengths, rng)
                pairs = [(timeit.timeit(ours, number=1), timeit.timeit(call, number=1)) for _ in range(7)]
                fast, slow = (1e6 * min(times) / STEPS for times in zip(*pairs, strict=True))
                print(f"{label:>11s} {n:9d} {len(data.rows):6d} {fast:7.2f} {slow:7.2f} {fast / slow:9.2f}")


if __name__ == "__main__":
    main()
