"""The tables, and what is true of them, as dictionaries of arrays, so that they can go to any process.

Those of networks have what ``likelihood`` takes, the rows, and ``n_classes``, 0 for the structure that Beal &
Ghahramani drew their tables from, with two hidden variables. All priors are uniform.
"""

import numpy as np

from ockham import OrderSpace, RestrictedBoltzmann, naive_bayes
from ockham.machines.inference.contrastive_divergence import sweep
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log, sample_starts
from ockham.networks.inference import gibbs, modes
from ockham.networks.inference.labelling import Labelling, log_n_relabellings
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.scorers import bridge, tempered_smc
from ockham.networks.structure_space import bipartite_network
from ockham.orders.data.structure_data import table_of_array
from ockham.orders.inference.family_scores import bdeu_scores
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS
from ockham.streams import Stream
from peers.likelihood import log_likelihood, log_prior, log_to_real

__all__ = ["family_scores", "graphs", "machine", "network_of", "survey", "true_structure", "truth"]

N_ROWS, N_ITEMS, N_VALUES = 435, 16, 3
MAX_INDEGREE = 3
N_STARTS = 10
ERROR = 0.05
N_CHAINS, N_DRAWS, N_SWEEPS = 8, 1000, 4000


def network_of(given):
    """The network of a problem."""
    if n_classes := int(given["n_classes"]):
        return naive_bayes([n_classes], [N_VALUES] * N_ITEMS)[f"classes-{n_classes}"]
    return bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5] * 4)


def true_structure(n):
    """The first n of 10,240 rows that are drawn with the parameters that the paper prints."""
    network = network_of({"n_classes": 0})
    parameters = np.concatenate([table.ravel() for table in PARAMETERS.values()])
    states = draw(network, parameters, 10_240, np.random.default_rng(1))[:n, list(network.observed)]
    return _network_problem(network, states, 0)


def survey(n_classes):
    """Rows of a mixture of classes that is drawn from the prior, as surveys have them."""
    network, rng = network_of({"n_classes": n_classes}), np.random.default_rng(n_classes)
    states = draw(network, np.exp(sample_log(network, rng)), N_ROWS, rng)[:, list(network.observed)]
    return _network_problem(network, states, n_classes)


def _network_problem(network, states, n_classes):
    cardinalities = [network.cardinalities[v] for v in network.observed]
    rows = UniqueRows.of(states, cardinalities)
    cells = [np.ones((len(rows.rows), len(network.hidden)))]
    cells += [np.eye(r)[column] for r, column in zip(cardinalities, rows.rows.T, strict=True)]
    configurations = list(np.ndindex(*(network.cardinalities[v] for v in network.hidden)))
    entries = [[_entry(network, v, dict(zip(network.hidden, h, strict=True))) for v in network.hidden]
               + [_entry(network, v, dict(zip(network.hidden, h, strict=True))) + k
                  for v in network.observed for k in range(network.cardinalities[v])]
               for h in configurations]  # fmt: skip
    _, places = np.unique(states, axis=0, return_inverse=True)
    return {
        "states": states,
        "places": places,
        "starts": np.array(list(sample_starts(network, Stream(1), N_STARTS, network.prior))),
        "n_classes": np.array(n_classes),
        "cardinalities": np.array(cardinalities),
        "cells": np.concatenate(cells, axis=1),
        "counts": rows.counts.astype(float),
        "entries": np.array(entries),
        "sizes": np.diff(network.row_starts),
    }


def truth(given):
    """The log evidence, by a bridge with half the error of ours, and draws of one copy of the posterior.

    The bridge must agree with tempered SMC. ``draws``, shape (n_chains, n_draws, n_sticks), are those of Gibbs chains,
    in one labelling of all that are alike, as ``real_to_log`` takes them; ``heights`` their log density, nats, and
    ``log_copies`` the log of how many are alike.
    """
    network, rows, stream = network_of(given), UniqueRows.of(given["states"], given["cardinalities"]), Stream(2)
    (found,) = bridge.score(network, rows, bridge.Settings(error=ERROR), stream.child("truth")).values()
    (other,) = tempered_smc.score(network, rows, tempered_smc.Settings(), stream.child("check")).values()
    apart = abs(found.log_evidence - other.log_evidence) / np.hypot(found.standard_error, other.standard_error)
    if not (found.trusted and apart < 4):
        raise ArithmeticError(f"the truth is not known: {found}, {other}")
    rng, same = stream.child("draws").generator(), relabellings(network)
    start = modes.find(network, rows, stream, 64, 1).found[0].log_parameters
    states = [gibbs.run(network, rows, start, rng, 500).log_parameters for _ in range(N_CHAINS)]
    kept = [gibbs.run(network, rows, state, rng, N_SWEEPS, keep=True).draws[:: N_SWEEPS // N_DRAWS] for state in states]
    nearest, _ = Labelling.of(same, np.concatenate(kept)).apply(np.concatenate(kept))
    draws = log_to_real(nearest, given["sizes"])
    heights = np.array([log_likelihood(draw, given) for draw in nearest]) + log_prior(draws)
    return {
        "log_evidence": np.array(found.log_evidence),
        "standard_error": np.array(found.standard_error),
        "draws": draws.reshape(N_CHAINS, N_DRAWS, -1),
        "heights": heights.reshape(N_CHAINS, N_DRAWS),
        "log_copies": np.array(log_n_relabellings(same)),
    }


def _entry(network, v, hidden):
    """Where the row of a variable begins, given the hidden states; of a hidden variable, its own value there."""
    configuration = 0
    for parent in network.parents[v]:
        configuration = configuration * network.cardinalities[parent] + hidden[parent]
    return network.offsets[v] + configuration * network.cardinalities[v] + hidden.get(v, 0)


def graphs(n_nodes, n_rows=500, rng=None):
    """Rows of variables with three values, each of which follows one or two earlier ones most of the time."""
    rng = np.random.default_rng(n_nodes) if rng is None else rng
    states = rng.integers(0, 3, (n_rows, n_nodes))
    for v in range(1, n_nodes):
        for parent in rng.choice(v, min(v, 2), replace=False):
            follows = rng.random(n_rows) < 0.45
            states[follows, v] = states[follows, parent]
    return {"states": states, "max_indegree": np.array(MAX_INDEGREE)}


def family_scores(given):
    """BDeu scores of all families, equivalent sample size 1."""
    states = given["states"]
    return bdeu_scores(table_of_array(states), OrderSpace(states.shape[1], int(given["max_indegree"])))


def machine(n_visible, n_hidden, n_rows=1000):
    """Rows of a machine with Gaussian parameters of deviation 1, each after a thousand sweeps from noise."""
    rng = np.random.default_rng(n_visible)
    model = RestrictedBoltzmann(n_visible, n_hidden)
    theta, rows = rng.normal(0, 1, model.n_parameters), (rng.random((n_rows, n_visible)) < 0.5).astype(float)
    for _ in range(1000):
        rows = sweep(model, theta, rows, rng)
    return {"rows": rows, "n_hidden": np.array(n_hidden)}
