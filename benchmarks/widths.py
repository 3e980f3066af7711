"""Every kernel for the baseline, for AVX2 and for AVX-512: CPU time of a call, which decides what is built.

    python benchmarks/widths.py

The calls are those that the package itself makes on data of the studies' sizes; of each function, the longest. They are
recorded with their arguments and then made again in every width that is built and that this processor has, in turn and
in one process, from the same arguments: the results have the same bits. Only kernels that are listed as wide in
`meson.build` are there in all widths; list all of them there to see all.
"""

import importlib
import importlib.util
from collections.abc import Callable
from time import process_time

import numpy as np

from ockham import UniqueRows, bipartite, draw, kernels
from ockham.estimation.class_names import log_permanent
from ockham.estimation.schedules import linear_schedule, nonlinear_schedule
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import annealing as hamiltonian_annealing
from ockham.machines.inference.likelihood import gradient, log_likelihood
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.mixtures.data.drawing import draw_rows
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import em as mixture_em
from ockham.mixtures.inference import merge_split
from ockham.mixtures.inference import variational_em as mixture_variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items import Categorical, Gaussian, Poisson
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import annealing, completions, em, fit_scores, gibbs, hamiltonian, variational_em
from ockham.networks.inference.likelihoods import log_joints
from ockham.orders.data.random_graphs import random_graph
from ockham.orders.data.random_networks import sample_table
from ockham.orders.inference import annealing as order_annealing
from ockham.orders.inference import tempering
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.inference.graph_sums import order_sums
from ockham.orders.inference.linear_extensions import log_counts
from ockham.orders.space import OrderSpace
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS
from ockham.streams import Stream

WIDTHS = ["baseline", "avx2", "avx512"]
TRIALS = 25


def copy(value):
    return value.copy() if isinstance(value, np.ndarray) else value


class Recorder:
    """Stands in place of a kernel's function, and keeps the arguments of the longest call of each name."""

    def __init__(self, function: Callable) -> None:
        self.function, self.longest, self.call = function, 0.0, None

    def __call__(self, *positional, **named):
        call = [copy(a) for a in positional], {name: copy(a) for name, a in named.items()}
        state = [a.state for a in positional if hasattr(a, "capsule")]
        start = process_time()
        result = self.function(*positional, **named)
        taken = process_time() - start
        if taken >= self.longest:
            self.longest, self.call = taken, (*call, state)
        return result


def recorders():
    """Of every function of every kernel but `work_size`, put in its place."""
    found = {}
    for name in sorted(set(kernels.__all__) - {"VECTOR"}):
        kernel = getattr(kernels, name)
        for function in [f for f in vars(kernel) if hasattr(vars(kernel)[f], "__code__") and f != "work_size"]:
            found[name, function] = Recorder(getattr(kernel, function))
            setattr(kernel, function, found[name, function])
    return found


def networks():
    space = bipartite([2, 2], [5] * 4)
    truth, full = space["1-12-12-2"], space["12-12-12-12"]
    parameters = np.concatenate([PARAMETERS[name].ravel() for name in truth.names])
    rng = np.random.default_rng(1)
    rows = draw(truth, parameters, 10_240, rng)[:, list(truth.observed)]
    data, few = UniqueRows.of(rows[:480], [5] * 4), UniqueRows.of(rows[:8], [5] * 4)
    start = sample_log(full, rng)
    fit = em.run(full, data, start, full.prior, max_iterations=1000, tolerance=0.0)
    fit_scores.cheeseman_stutz(full, fit)
    variational_em.run(full, data, start, max_iterations=1000, tolerance=0.0)
    annealing.run(full, data, start, nonlinear_schedule(4096, 0.2), np.full(4096, 2000.0), rng)
    gibbs.run(full, data, start, rng, 1000, fit.log_parameters)
    hamiltonian.run(full, data, start, rng, 200, hamiltonian.tuned(full, data, start, rng, 200).dynamics)
    log_joints(full, data, np.stack([sample_log(full, rng) for _ in range(1000)]))
    completions.log_evidence(space["1-12-12-2"], few)


def mixtures():
    items = {f"category {i}": Categorical(3) for i in range(6)} | {"number": Gaussian(), "count": Poisson(5.0)}
    model, rng = FiniteMixture(4, items), np.random.default_rng(1)
    start = model.sample(model.nothing, rng)
    design = Design.of(model, MixedRows.of(draw_rows(model, start, 500, 0.0, Stream(1)), items))
    limits = {"max_iterations": 1000, "tolerance": 0.0}
    mixture_em.run(model, design, start, **limits)
    mixture_variational_em.run(model, design, mixture_variational_em.begin(model, design, start), **limits)
    log_permanent(rng.normal(0, 3, (100_000, 6, 6)))
    few = Design.of(model, MixedRows.of(draw_rows(model, start, 64, 0.0, Stream(2)), items)).by_case()
    classes = rng.integers(4, size=(8, 64))
    for _ in range(200):
        classes = merge_split.move(model, few, classes, rng)


def machines():
    rng = np.random.default_rng(1)
    model = RestrictedBoltzmann(100, 9)
    data, theta = BinaryRows.of((rng.random((100, 100)) < 0.04).astype(float)), 0.3 * model.sample(rng)
    log_likelihood(model, theta, data)
    gradient(model, theta, data)
    hamiltonian_annealing.run(model, data, theta, np.full(21, 0.5), np.full(20, 0.05), 10, rng)


def orders():
    rng = np.random.default_rng(1)
    scores = bdeu_scores(sample_table(18, 1000, Stream(1)), OrderSpace(18, 4))
    exact_orders(scores)
    sums = order_sums(bdeu_scores(sample_table(13, 100, Stream(1)), OrderSpace(13, 4)), "table")
    exact_graphs(bdeu_scores(sample_table(13, 100, Stream(1)), OrderSpace(13, 4)))
    sums = order_sums(bdeu_scores(sample_table(37, 300, Stream(1)), OrderSpace(37, 3)), "lists")
    state = tempering.init(sums, 8, rng)
    tempering.run(sums, linear_schedule(7), state, rng, 20, 10)
    order = order_annealing.run(sums, linear_schedule(5000), rng).order
    sums.log_likelihoods(np.stack([order] * 100))
    sums.sample_graphs(order, 1000, rng)
    log_counts(np.stack([random_graph(30, 3, rng) for _ in range(20)]))


def seconds(function, call, repeats):
    positional, named, state = call
    positional, named = [copy(a) for a in positional], {name: copy(a) for name, a in named.items()}
    for generator in [a for a in positional if hasattr(a, "capsule")]:
        generator.state = state[0]
    start = process_time()
    for _ in range(repeats):
        function(*positional, **named)
    return (process_time() - start) / repeats


def original(width, name, function):
    """A kernel's function in this width, or None where that is not built or not for this processor."""
    module = f"ockham.kernels.{width}.{name}"
    if width not in kernels.VECTORS or not importlib.util.find_spec(module):
        return None
    found = getattr(importlib.import_module(module), function)
    return found.function if isinstance(found, Recorder) else found


def main():
    found = recorders()
    for tour in (networks, mixtures, machines, orders):
        tour()
    print(f"CPU microseconds of a call{'':18s}" + "".join(f"{width:>10s}" for width in WIDTHS) + "   best/baseline")
    for (name, function), recorder in found.items():
        if recorder.call is None:
            print(f"{name}.{function} is not called here")
            continue
        built = [original(width, name, function) for width in WIDTHS]
        repeats = 1 + int(2e-3 / recorder.longest)
        times = [[seconds(f, recorder.call, repeats) if f else np.nan for f in built] for _ in range(TRIALS)]
        shortest = 1e6 * np.min(times, axis=0)
        row = "".join(f"{'-' if np.isnan(t) else format(t, '.1f'):>10s}" for t in shortest)
        print(f"{name + '.' + function:44s}{row} {np.nanmin(shortest) / shortest[0]:15.2f}")


if __name__ == "__main__":
    main()
