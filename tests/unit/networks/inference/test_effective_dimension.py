"""The effective dimension is the rank of the Jacobian, which is less than the parameters where some are redundant.

Sources of truth: the rank over a finite field, of derivatives of the polynomials p(y) at whole numbers, without
rounding; dimensions known from the literature on latent classes and matrices of rank 2. A point on the boundary, where
the rank is less, must be noticed.
"""

from itertools import product

import numpy as np
import pytest
from reference.network import cells
from reference.network_cases import CASES

from ockham.errors import ModelError
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import effective_dimension as module
from ockham.networks.inference.effective_dimension import check_states, effective_dimension, leaves_open
from ockham.networks.structure_space import bipartite, naive_bayes

PRIME = 2**31 - 1


def rank_over_a_field(network, seed=1):
    """Of the derivatives of every p(y) by all entries but the last of each row, which is 1 minus the others."""
    rng = np.random.default_rng(seed)
    position, theta = {cell: e for e, cell in enumerate(cells(network))}, [0] * len(cells(network))
    last = {}
    for (i, configuration, value), e in position.items():
        last[i, configuration] = e
        theta[e] = int(rng.integers(1, PRIME)) if value < network.cardinalities[i] - 1 else None
    for (i, configuration), e in last.items():
        others = [theta[position[i, configuration, v]] for v in range(network.cardinalities[i] - 1)]
        theta[e] = (1 - sum(others)) % PRIME
    free = {e: k for k, e in enumerate(e for e in range(len(theta)) if e not in last.values())}
    rows = {}
    for state in product(*(range(r) for r in network.cardinalities)):
        seen = tuple(state[i] for i in network.observed)
        row = rows.setdefault(seen, [0] * len(free))
        used = [position[i, tuple(state[p] for p in ps), state[i]] for i, ps in enumerate(network.parents)]
        for i, e in enumerate(used):
            others = 1
            for k, f in enumerate(used):
                others = others * theta[f] % PRIME if k != i else others
            if e in free:
                row[free[e]] = (row[free[e]] + others) % PRIME
            else:  # the last of its row is 1 minus every other
                configuration = tuple(state[p] for p in network.parents[i])
                for v in range(network.cardinalities[i] - 1):
                    at = free[position[i, configuration, v]]
                    row[at] = (row[at] - others) % PRIME
    return eliminated(np.array(list(rows.values()), dtype=np.int64))


def eliminated(matrix):
    """The rank of whole numbers modulo a prime, by Gauss's elimination."""
    rank = 0
    for column in range(matrix.shape[1]):
        below = np.flatnonzero(matrix[rank:, column])
        if not len(below):
            continue
        matrix[[rank, rank + below[0]]] = matrix[[rank + below[0], rank]]
        matrix[rank] = matrix[rank] * pow(int(matrix[rank, column]), -1, PRIME) % PRIME
        factors = matrix[rank + 1 :, column].copy()
        matrix[rank + 1 :] = (matrix[rank + 1 :] - factors[:, None] * matrix[rank] % PRIME) % PRIME
        rank += 1
        if rank == len(matrix):
            break
    return rank


def complete(network):
    return UniqueRows(np.zeros((1, len(network.observed)), dtype=np.int64), np.ones(1, dtype=np.int64))


SPACE = bipartite([2, 2], [5, 5, 5, 5])
SMALL = bipartite([2, 2], [3, 2, 3, 2])


@pytest.mark.parametrize("label", list(SPACE)[3::19])
def test_it_is_the_rank_over_a_finite_field(label):
    assert effective_dimension(SPACE[label]) == rank_over_a_field(SPACE[label])


@pytest.mark.parametrize("label", list(SMALL)[::11])
def test_it_is_the_rank_over_a_finite_field_with_other_cardinalities(label):
    assert effective_dimension(SMALL[label]) == rank_over_a_field(SMALL[label])


NAMES = ["hidden chain", "hidden with observed parent", "hidden leaf", "observed only", "asymmetric prior"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_rank_of_other_networks(name):
    assert effective_dimension(CASES[name]) == rank_over_a_field(CASES[name])


@pytest.mark.parametrize(
    ("classes", "cardinalities", "dimension"),
    [
        (2, [2, 2, 2], 7),  # every distribution
        (2, [2, 2, 2, 2], 9),
        (3, [2, 2, 2, 2], 13),  # one less than its parameters
        (2, [5, 5], 15),  # matrices of rank 2
        (3, [5, 5], 20),
        (2, [4], 3),
    ],
)
def test_dimensions_of_latent_classes_are_the_known_ones(classes, cardinalities, dimension):
    network = naive_bayes([classes], cardinalities)[f"classes-{classes}"]
    assert effective_dimension(network) == dimension <= network.n_parameters


def test_of_the_136_structures_21_have_as_many_dimensions_as_relevant_parameters():
    full = [label for label, network in SPACE.items() if effective_dimension(network) == network.relevant.n_parameters]
    assert len(full) == 21
    assert {"0-0-0-0", "1-12-12-2", "12-12-12-12"} <= set(full)


def test_the_prior_does_not_matter():
    first, second = (naive_bayes([3], [2] * 4, prior)["classes-3"] for prior in (0.01, 5.0))
    assert effective_dimension(first) == effective_dimension(second) == 13


def test_a_point_on_the_boundary_is_noticed():
    """Where a class has no case its parameters move nothing: the rank there is not that of almost all points."""
    network = naive_bayes([2], [2] * 3)["classes-2"]

    log_parameters = np.log(np.full(network.n_entries, 0.5))
    network.family(0, log_parameters)[:] = 0.0, -80.0
    states = np.array(list(product(range(2), repeat=3)))
    assert module._rank(network, log_parameters, states) < 7


@pytest.mark.parametrize("label", list(SPACE)[::15])
def test_some_of_the_states_tell_whether_parameters_are_open(monkeypatch, label):
    network = SPACE[label].relevant
    monkeypatch.setattr(module, "MOST_NUMBERS", 0)
    module._complete_rows_leave_open.cache_clear()
    assert leaves_open(network, complete(network)) == (rank_over_a_field(network) < network.n_parameters)
    module._complete_rows_leave_open.cache_clear()


def classes_of_classes(n_features):
    """Features of 3 classes, which another hidden variable leads to: its parameters and the table between are open."""
    parents = {f"x{i}": ["h"] for i in range(n_features)} | {"h": ["g"]}
    cardinalities = dict.fromkeys(parents, 3) | {"g": 3}
    return DiscreteNetwork.build(cardinalities, parents, ["h", "g"])


def test_open_parameters_are_seen_among_any_number_of_states(monkeypatch):
    closed = naive_bayes([8], [2] * 64)["classes-8"]
    assert leaves_open(classes_of_classes(40), complete(classes_of_classes(40)))
    assert not leaves_open(closed, complete(closed))
    monkeypatch.setattr(module, "MOST_NUMBERS_DRAWN", 10**4)  # too few to tell
    module._complete_rows_leave_open.cache_clear()
    assert not leaves_open(classes_of_classes(40), complete(classes_of_classes(40)))
    module._complete_rows_leave_open.cache_clear()


def test_rows_go_on_until_they_add_nothing(monkeypatch):
    """A table of many parents needs more rows than parameters before every configuration has been seen."""
    parents = {"y": [f"x{i}" for i in range(7)]} | {f"z{i}": ["y"] for i in range(8)}
    network = DiscreteNetwork.build(dict.fromkeys([*parents["y"], *parents], 2), parents, ["y"])
    monkeypatch.setattr(module, "MOST_NUMBERS", 0)
    assert not leaves_open(network, complete(network))


def seen_in(patterns, n_columns, weights=None):
    """A data set whose rows have a value, 0, in the columns of one of the patterns each."""
    rows = np.full((len(patterns), n_columns), MISSING)
    for row, columns in zip(rows, patterns, strict=True):
        row[list(columns)] = 0
    return UniqueRows.of(rows, [2] * n_columns, missing=True, weights=weights)


ARC = DiscreteNetwork.build({"a": 2, "b": 2}, {"b": ["a"]})
TWO_CLASSES = {n: naive_bayes([2], [2] * n)["classes-2"] for n in (4, 6)}


@pytest.mark.parametrize(
    ("network", "patterns", "weights", "is_open"),
    [
        (ARC, [(0,), (1,)], None, True),  # two columns that no row has both of
        (ARC, [(0,), (0, 1)], None, False),
        (ARC, [(1,), (0, 1)], None, False),
        (ARC, [(0,), (1,), (0, 1)], [10**6, 10**6, 1], True),  # what one row of two million has both of is nothing
        (TWO_CLASSES[4], [(0, 1), (2, 3)], None, True),
        (TWO_CLASSES[4], [(0, 1, 2), (3,)], None, True),
        (TWO_CLASSES[4], [(0, 1, 2), (1, 2, 3)], None, False),
        (TWO_CLASSES[6], [(0, 1, 2), (3, 4, 5)], None, False),
        (TWO_CLASSES[6], [(0, 1), (2, 3), (4, 5)], None, True),
    ],
)
def test_missing_cells_leave_parameters_open_where_no_rows_tell_them(network, patterns, weights, is_open):
    assert not leaves_open(network, complete(network))
    assert leaves_open(network, seen_in(patterns, len(network.observed), weights)) == is_open


def test_cells_that_take_too_long_to_fill_in_are_not_looked_at(monkeypatch):
    data = seen_in([(0,), (1,)], 2)
    ways = module._numbers_to_fill(ARC, data.rows)
    assert ways == 3 * 2  # of a row that has a, b is left out; of one that has b, a is 0 or 1
    monkeypatch.setattr(module, "_numbers_to_fill", lambda network, states: module.MOST_NUMBERS_DRAWN + 1)
    assert not leaves_open(ARC, data)


def test_too_many_states_are_refused():
    network = DiscreteNetwork.build({f"x{i}": 2 for i in range(40)}, {})
    with pytest.raises(ModelError, match=r"1\.09951e\+12 joint states of the observed .* 8 are allowed; take fewer"):
        check_states(network)
    with pytest.raises(ModelError, match="joint states"):
        effective_dimension(network)
