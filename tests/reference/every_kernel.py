"""Prints, for every function of every kernel, a digest of all that it gave in a tour of the package.

``python every_kernel.py SEED`` runs the tour with data of that seed, with the kernels that ``OCKHAM_VECTOR`` names.
"""

import hashlib
import inspect
import sys

import numpy as np
from mixed_items import mixture, sample_rows

from ockham import families, kernels
from ockham.estimation.schedules import linear_schedule
from ockham.estimation.special_functions import upper_gamma
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.likelihood import gradient
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.structure_space import bipartite_network, naive_bayes
from ockham.orders.data.random_graphs import random_graph
from ockham.orders.data.random_networks import sample_table
from ockham.orders.inference import annealing, graph_annealing, tempering
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.orders.inference.graph_sums import order_sums
from ockham.orders.inference.ideals import count_in_table
from ockham.orders.inference.linear_extensions import log_counts, n_ideals
from ockham.orders.space import OrderSpace
from ockham.streams import Stream

DIGESTS = {}
FIT = {"n_steps": 100, "n_samples": 500}
SETTINGS = {
    "discrete_network.ais": {"n_steps": 50},
    "discrete_network.ais_completions": {"n_steps": 20},
    "discrete_network.ais_from_vb": {"n_starts": 4, "n_modes": 2, "n_chains": 16, "n_steps": 8},
    "discrete_network.bridge": {"n_starts": 4, "n_chains": 2, "n_burn_in": 5, "n_draws": 100, "max_draws": 100},
    "discrete_network.candidate": {"n_sweeps": 50},
    "discrete_network.smc": {"n_passes": 2, "n_chains": 2, "n_states": 5},
    "discrete_network.tempered_smc": {
        "n_starts": 4, "n_chains": 2, "n_burn_in": 5, "n_draws": 100, "n_passes": 2, "n_walks": 4, "n_states": 4,
    },
    "discrete_network.wbic": {"n_burn_in": 2, "n_steps": 10, "max_steps": 10, "n_states": 4},
    "finite_mixture.ais_completions": {"n_chains": 2, "n_steps": 20},
    "finite_mixture.candidate": {"n_burn_in": 5, "n_sweeps": 20},
    "restricted_boltzmann.ais": {"n_steps": 10, "n_chains": 3, "n_tuning": 3},
    "restricted_boltzmann.laplace": FIT,
    "restricted_boltzmann.bic": FIT,
    "restricted_boltzmann.langevin": FIT
    | {"n_step_sizes": 1, "n_burn_in": 20, "n_draws": 5, "interval": 2, "n_prior_draws": 20},
}  # fmt: skip


def watch(kernel):
    """Digest what the functions of a kernel return, and the arrays that they are given, as they are afterwards."""
    short = kernel.__name__.rpartition(".")[2]
    for name, function in vars(kernel).items():
        if getattr(function, "__module__", "") == f"ockham.kernels.{short}" and hasattr(function, "__code__"):
            digest = DIGESTS[f"{short}.{name}"] = hashlib.sha256()
            setattr(kernel, name, watched(function, digest))


def watched(function, digest):
    def call(*arguments, **named):
        result = function(*arguments, **named)
        add(digest, result)
        for name, value in inspect.signature(function).bind(*arguments, **named).arguments.items():
            if name != "work":  # is as its address in memory has it
                add(digest, value)
        return result

    return call


def add(digest, value):
    if isinstance(value, tuple | list):
        for one in value:
            add(digest, one)
    elif isinstance(value, np.ndarray):
        digest.update(value.tobytes())
    elif isinstance(value, int | float):
        digest.update(np.float64(value).tobytes())


def score(family, name, model, data, stream):
    scorer = families.scorer(family, name)
    scorer.score(model, data, scorer.Settings(**SETTINGS.get(f"{family}.{name}", {})), stream)


def networks(seed):
    rng, cardinalities = np.random.default_rng(seed), [2, 3, 4, 2]
    structures = {
        "few": bipartite_network([[1], [1, 2], [2], []], [2, 3], cardinalities, 0.7),
        "all": bipartite_network([[1, 2]] * 4, [2, 2], cardinalities, 1e-10),
        "mixture": naive_bayes([7], cardinalities, 1e-3)["classes-7"],
    }
    rows = np.stack([rng.integers(0, k, 40) for k in cardinalities], axis=1)
    with_gaps = np.where(rng.random(rows.shape) < 0.2, -1, rows)
    structures["gaps"] = DiscreteNetwork.build(
        dict(zip("abcds", [*cardinalities, 2], strict=True)), {"b": ["a", "s"], "c": ["b"], "d": ["c", "s"]}, ["s"], 0.7
    )
    for structure, network in structures.items():
        for n in (6, 40):
            data = UniqueRows.of((with_gaps if structure == "gaps" else rows)[:n], cardinalities, missing=True)
            for name in families.scorer_names("discrete_network"):
                if name != "exact" or n == 6:
                    score("discrete_network", name, network, data, Stream(seed, structure, name))


def machines(seed):
    data = BinaryRows.of(np.random.default_rng(seed).integers(0, 2, (30, 5)))
    for n_hidden in (1, 3):
        for name in ("ais", "laplace", "bic", "langevin"):
            score("restricted_boltzmann", name, RestrictedBoltzmann(5, n_hidden), data, Stream(seed, name))
        machine = RestrictedBoltzmann(5, n_hidden)
        gradient(machine, machine.sample(np.random.default_rng(seed)), data)


def mixtures(seed):
    upper_gamma(2.5, float(np.random.default_rng(seed).exponential()))
    for n_classes in (1, 3):
        rows = sample_rows(mixture(2), np.random.default_rng(seed), 30)
        for name in ("ais_completions", "em", "vb", "candidate"):
            model = mixture(n_classes)
            score("finite_mixture", name, model, MixedRows.of(rows, model.items), Stream(seed, name))


def orders(seed):
    for n, k, methods in ((7, 3, ("table", "lists")), (28, 2, ("lists",))):
        scores = bdeu_scores(sample_table(n, 60, Stream(seed, "table")), OrderSpace(n, k))
        if n < 10:
            exact_orders(scores)
            exact_graphs(scores)
        for method in methods:
            sums, rng = order_sums(scores, method, n_steps=1000), np.random.default_rng(seed)
            order = annealing.run(sums, linear_schedule(400), rng).order
            state = tempering.init(sums, 4, rng)
            tempering.run(sums, linear_schedule(3), state, rng, 20, 2)
            sums.log_likelihoods(order[None])
            sums.sample_graphs(order, 20, rng)
            powers = graph_annealing.powers(100, graph_annealing.flat_power(sums, [order]))
            graph_annealing.run(sums, order, sums.sample_graphs(order, 1, rng)[0], *powers, rng, 2)
    for n in (9, 20, 40):
        log_counts(np.stack([random_graph(n, 3, np.random.default_rng([seed, i])) for i in range(5)]))
    graph = random_graph(16, 3, np.random.default_rng(seed))
    count_in_table(graph, n_ideals(graph), 1e9)


if __name__ == "__main__":
    np.empty = np.zeros  # what a kernel leaves unset in its work space is the same in every run
    for kernel in kernels.__all__:
        if kernel != "VECTOR":
            watch(getattr(kernels, kernel))
    for tour in (networks, machines, mixtures, orders):
        tour(int(sys.argv[1]))
    print(kernels.VECTOR)
    for name, digest in DIGESTS.items():
        print(name, digest.hexdigest())
