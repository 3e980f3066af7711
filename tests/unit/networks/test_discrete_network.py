"""The flat layout, the parameter count and the alias count of a discrete network.

Sources of truth: the definitions (reference/network.py), brute-force counts over all relabellings, and the numbers that
Beal & Ghahramani (2006) print: 18 to 66 parameters, 50 for the true structure, 1728 aliases in an example.
"""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from reference.network import cells, rows_of_cells
from reference.network_cases import CASES, random_networks

from ockham.errors import ModelError
from ockham.networks.discrete_network import MAX_HIDDEN_CONFIGURATIONS, DiscreteNetwork, joint_states
from ockham.networks.structure_space import bipartite, bipartite_network

build = DiscreteNetwork.build
networks = pytest.mark.parametrize("network", CASES.values(), ids=CASES.keys())
repeatable = settings(derandomize=True, max_examples=60, database=None)


def check_layout(network):
    position = {cell: e for e, cell in enumerate(cells(network))}
    assert network.n_entries == len(position)
    for state in product(*(range(r) for r in network.cardinalities)):
        for i, family in enumerate(network.parents):
            entry = network.offsets[i] + network.strides[i] @ np.array(state)
            assert entry == position[i, tuple(state[p] for p in family), state[i]]


@networks
def test_entry_of_every_joint_state(network):
    check_layout(network)


@repeatable
@given(random_networks(need_observed=False))
def test_entry_of_every_joint_state_of_random_networks(network):
    check_layout(network)
    assert network.n_aliases == brute_force_aliases(network)


@networks
def test_offsets_rows_and_sizes(network):
    owner = [i for i, _, _ in cells(network)]
    assert network.offsets == (*(owner.index(i) for i in range(network.n_variables)), len(owner))
    expected_rows = np.empty(len(owner), dtype=int)
    for r, members in enumerate(rows_of_cells(network)):
        expected_rows[members] = r
    np.testing.assert_array_equal(network.rows, expected_rows)
    assert network.rows.dtype == np.int32
    assert network.n_rows == len(rows_of_cells(network)) == sum(network.n_configurations)
    assert network.n_parameters == sum(len(row) - 1 for row in rows_of_cells(network))


@networks
def test_family_is_a_view_by_configuration_and_value(network):
    flat = np.arange(2.0 * network.n_entries).reshape(2, -1)
    for i in range(network.n_variables):
        part = network.family(i, flat)
        assert part.shape == (2, network.n_configurations[i], network.cardinalities[i])
        assert np.shares_memory(part, flat)
        mine = [e for e, cell in enumerate(cells(network)) if cell[0] == i]
        np.testing.assert_array_equal(part.reshape(2, -1), flat[:, mine])


@networks
def test_hidden_configurations_and_order(network):
    states = list(product(*(range(network.cardinalities[h]) for h in network.hidden)))
    assert network.n_hidden_configurations == len(states)
    assert [tuple(row) for row in network.hidden_configurations] == states
    assert sorted((*network.hidden, *network.observed)) == list(range(network.n_variables))
    place = {i: k for k, i in enumerate(network.topological_order)}
    assert sorted(place) == list(range(network.n_variables))
    assert all(place[p] < place[i] for i, family in enumerate(network.parents) for p in family)


def test_joint_states_of_no_variable_is_one_empty_state():
    assert joint_states([]).shape == (1, 0)
    np.testing.assert_array_equal(joint_states([2, 3]), list(product(range(2), range(3))))


def test_published_parameter_counts():
    counts = {label: network.n_parameters for label, network in bipartite([2, 2], [5, 5, 5, 5]).items()}
    assert (min(counts.values()), max(counts.values())) == (18, 66)
    assert counts["1-12-12-2"] == 50
    assert counts["0-0-0-0"] == 18
    assert counts["12-12-12-12"] == 66


def brute_force_aliases(network):
    """Renamings of hidden variables and of their values that map the network, prior included, onto itself.

    A hidden variable without observed descendants takes no part: summed out, it leaves nothing to rename.
    """
    children = {i: [c for c, family in enumerate(network.parents) if i in family] for i in range(network.n_variables)}
    barren = set()
    while found := {h for h in network.hidden if h not in barren and barren.issuperset(children[h])}:
        barren |= found
    kept = [h for h in network.hidden if h not in barren]
    entries = [
        (frozenset([*zip(network.parents[i], configuration, strict=True)]), i, value, weight)
        for (i, configuration, value), weight in zip(cells(network), network.prior, strict=True)
        if i not in barren
    ]
    original = {(i, value, context): weight for context, i, value, weight in entries}
    count = 0
    for image in permutations(kept):
        if any(network.cardinalities[a] != network.cardinalities[b] for a, b in zip(kept, image, strict=True)):
            continue
        rename = {i: i for i in range(network.n_variables)} | dict(zip(kept, image, strict=True))
        for labels in product(*(permutations(range(network.cardinalities[h])) for h in kept)):
            value_of = dict(zip(kept, labels, strict=True))

            def new(i, x, rename=rename, value_of=value_of):
                return rename[i], value_of[i][x] if i in value_of else x

            count += original == {
                (*new(i, value), frozenset(new(p, x) for p, x in context)): weight
                for context, i, value, weight in entries
            }
    return count


@networks
def test_aliases_match_brute_force(network):
    assert network.n_aliases == brute_force_aliases(network)


PAIR = {"h1": 2, "h2": 2, "y1": 2, "y2": 2}
BOTH = {"y1": ["h1", "h2"], "y2": ["h2", "h1"]}


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (bipartite_network([[1, 2, 3]], [3, 3, 4], [2]), 1728),
        (bipartite_network([[1, 2], [1, 2], [1, 2], [1, 2]], [2, 2], [5] * 4), 8),
        (bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5] * 4), 4),
        (bipartite_network([[1], [1], [1], [1]], [2, 2], [5] * 4), 2),
        (bipartite_network([[], [], [], []], [2, 2], [5] * 4), 1),
        (build(PAIR, BOTH, ["h1", "h2"]), 8),
        (build(PAIR, BOTH, ["h1", "h2"], {"h1": 0.5}), 4),
        (build(PAIR, BOTH, ["h1", "h2"], {"h1": [0.5, 1.0]}), 2),
        (build(PAIR, BOTH, ["h1", "h2"], {"h1": [0.5, 1.0], "h2": [1.0, 0.5]}), 2),
        (build(PAIR, BOTH, ["h1", "h2"], {"y1": [[1, 1], [2, 2], [2, 2], [1, 1]]}), 4),
        (build({"h": 3, "y": 2}, {"y": ["h"]}, ["h"], {"h": [1.0, 1.0, 2.0]}), 2),
        (build({"h": 3, "y": 2}, {"y": ["h"]}, ["h"], {"y": [[1, 2], [1, 2], [2, 1]]}), 2),
        (build({"h": 2, "k": 3, "y": 2}, {"y": ["h"], "k": ["h"]}, ["h", "k"], {"k": [[1, 2, 3], [3, 2, 1]]}), 2),
        (build({"h": 2, "k": 2, "y": 2}, {"k": ["h"], "y": ["k"]}, ["h", "k"]), 4),
        (build({"a": 2, "b": 3}, {"b": ["a"]}), 1),
    ],
)
def test_alias_counts_worked_out_by_hand(network, expected):
    assert network.n_aliases == expected == brute_force_aliases(network)


def test_aliases_out_of_reach_are_refused():
    wide = bipartite_network([[1]], [9], [2])
    assert wide.n_aliases == 362_880
    prior = np.append(np.arange(1.0, 10.0), np.ones(18))
    uneven = DiscreteNetwork(wide.names, wide.cardinalities, wide.parents, wide.hidden, prior)
    with pytest.raises(ModelError, match=r"362880 relabellings.*a symmetric prior"):
        _ = uneven.n_aliases


def test_prior_per_variable_broadcasts():
    network = build({"h": 2, "y": 3}, {"y": ["h"]}, ["h"], {"y": [[1], [2]], "h": [3, 4]})
    assert network.prior.tolist() == [3, 4, 1, 1, 1, 2, 2, 2]
    assert build({"h": 2, "y": 3}, {"y": ["h"]}, ["h"], {"y": [1, 2, 3]}).prior.tolist() == [1, 1, 1, 2, 3, 1, 2, 3]
    assert build({"h": 2}, {}, (), 0.5).prior.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        network.prior[0] = 1


REFUSALS = {
    "cycle": (({"a": 2, "b": 2, "c": 2}, {"a": ["b"], "b": ["a"]}), r"cycle among a, b"),
    "own parent": (({"a": 2}, {"a": ["a"]}), "cycle among a"),
    "cardinality 1": (({"a": 1}, {}), r"'a' has cardinality 1; it must be an integer of at least 2"),
    "fractional cardinality": (({"a": 2.5}, {}), r"'a' has cardinality 2\.5"),
    "unknown child": (({"a": 2}, {"b": ["a"]}), r"unknown variable 'b': the network has a"),
    "unknown parent": (({"a": 2, "b": 2}, {"a": ["z"]}), r"unknown variable 'z': the network has a, b"),
    "unknown hidden": (({"a": 2}, {}, ["h"]), r"unknown variable 'h'"),
    "unknown in prior": (({"a": 2}, {}, (), {"q": 1.0}), r"unknown variable 'q' in the prior"),
    "duplicate parent": (({"a": 2, "b": 2}, {"b": ["a", "a"]}), "same parent twice"),
    "hidden twice": (({"a": 2, "b": 2}, {}, ["a", "a"]), "hidden twice"),
    "zero prior": (({"a": 2}, {}, (), 0.0), "must be positive, from 1e-10 to 1e.06"),
    "negative prior": (({"a": 2}, {}, (), {"a": [1.0, -1.0]}), "must be positive, from 1e-10 to 1e.06"),
    "infinite prior": (({"a": 2}, {}, (), np.inf), "must be positive, from 1e-10 to 1e.06"),
    "prior not a number": (({"a": 2}, {}, (), np.nan), "must be positive, from 1e-10 to 1e.06"),
    "shape of prior": (({"a": 2}, {}, (), {"a": [1.0, 1.0, 1.0]}), r"'a' does not broadcast to its shape \(1, 2\)"),
    "too many hidden": (({f"h{i}": 2 for i in range(17)}, {}, [f"h{i}" for i in range(17)]), "131072 joint hidden"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), REFUSALS.values(), ids=REFUSALS.keys())
def test_refusals(arguments, message):
    with pytest.raises(ModelError, match=message):
        build(*arguments)


def test_the_largest_hidden_space_is_accepted():
    names = [f"h{i}" for i in range(16)]
    assert build(dict.fromkeys(names, 2), {}, names).n_hidden_configurations == MAX_HIDDEN_CONFIGURATIONS


def test_wrong_length_of_a_flat_prior_is_refused():
    with pytest.raises(ModelError, match=r"prior has shape \(3,\); the network has 2 entries"):
        DiscreteNetwork(("a",), (2,), ((),), (), np.ones(3))


@pytest.mark.parametrize(
    ("cardinalities", "parents", "message"), [((1,), ((),), "cardinality"), ((2,), ((3,),), "index 3")]
)
def test_the_constructor_keeps_its_promises_without_names(cardinalities, parents, message):
    with pytest.raises(ModelError, match=message):
        DiscreteNetwork(("a",), cardinalities, parents, (), np.ones(cardinalities[0]))
