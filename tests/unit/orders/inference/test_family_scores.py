"""BDeu scores of all families. Truth: the definition, family by family, and the closed form of complete data."""

import numpy as np
import pytest
from reference.structures import bdeu, subsets

from ockham.errors import ModelError
from ockham.kernels import complete_data
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.orders.data.structure_data import StructureData
from ockham.orders.inference import family_scores
from ockham.orders.inference.family_scores import FamilyScores, bdeu_scores
from ockham.orders.parent_sets import over_all_nodes, parent_sets
from ockham.orders.space import OrderSpace


def data(cardinalities, n_rows, seed=1):
    rng = np.random.default_rng(seed)
    names = tuple(f"x{i}" for i in range(len(cardinalities)))
    values = tuple(tuple(map(str, range(r))) for r in cardinalities)
    # each variable follows the one before it, so that blocks of equal rows are large and small
    states = rng.integers(0, cardinalities, size=(n_rows, len(cardinalities)))
    for i in range(1, len(cardinalities)):
        follows = rng.random(n_rows) < 0.6
        states[follows, i] = states[follows, i - 1] % cardinalities[i]
    return StructureData(names, values, states.astype(np.int16))


def scores_of(table, max_indegree, sample_size=1.0):
    return bdeu_scores(table, OrderSpace(len(table.names), max_indegree, sample_size))


CASES = [((2, 3, 2, 4), 20, 3), ((3, 1, 2, 5, 2), 57, 2), ((2, 2), 1, 1), ((4,), 9, 0), ((2,) * 6, 40, 5)]


def disagreement(found, table, sample_size):
    """The largest difference between scores and their definition."""
    masks = parent_sets(found.n_nodes, found.max_indegree)
    worst = 0.0
    for node in range(found.n_nodes):
        for score, mask in zip(found.log_scores[node], over_all_nodes(node, masks).tolist(), strict=True):
            parents = [u for u in range(found.n_nodes) if mask >> u & 1]
            expected = bdeu(table.states.tolist(), table.cardinalities, node, parents, sample_size)
            worst = max(worst, abs(score - expected) / max(1.0, abs(expected)))
    return worst


@pytest.mark.parametrize(("cardinalities", "n_rows", "max_indegree"), CASES)
@pytest.mark.parametrize("sample_size", [0.1, 1.0, 25.0])
def test_equals_the_definition(cardinalities, n_rows, max_indegree, sample_size):
    table = data(cardinalities, n_rows)
    assert disagreement(scores_of(table, max_indegree, sample_size), table, sample_size) < 1e-12


def test_a_wrong_sample_size_or_cardinality_would_be_noticed():
    table = data((2, 3, 2, 4), 20)
    assert disagreement(scores_of(table, 3, 1.0), table, 1.001) > 1e-6
    wider = StructureData(table.names, (*table.values[:3], (*table.values[3], "4")), table.states)
    assert disagreement(scores_of(wider, 3, 1.0), table, 1.0) > 1e-6


def test_a_network_has_the_evidence_of_complete_data():
    table, sample_size = data((2, 3, 2, 4), 200), 3.0
    parents = {"x1": ["x3"], "x2": ["x1", "x3"], "x0": ["x1", "x2", "x3"]}
    cardinalities = dict(zip(table.names, table.cardinalities, strict=True))
    shape = {x: np.prod([cardinalities[p] for p in (x, *parents.get(x, ()))]) for x in table.names}
    network = DiscreteNetwork.build(cardinalities, parents, prior={x: sample_size / shape[x] for x in table.names})
    counts = np.zeros(network.n_entries)
    np.add.at(counts, network.offsets[:-1] + table.states.astype(np.int64) @ network.strides.T, 1.0)
    expected = complete_data.log_evidence(network.rows, network.prior, counts, network.n_rows)
    scores = scores_of(table, 3, sample_size)
    masks = parent_sets(4, 3)
    total = 0.0
    for node, name in enumerate(table.names):
        mask = sum(1 << table.names.index(p) for p in parents.get(name, ()))
        total += scores.log_scores[node, over_all_nodes(node, masks).tolist().index(mask)]
    assert total == pytest.approx(expected, rel=1e-13)


def test_equivalent_dags_have_equal_scores():
    scores = scores_of(data((2, 3, 4), 100), 1).log_scores
    # x0 -> x1 and x1 -> x0; columns are the empty set, then the sets of one other node
    assert scores[0, 0] + scores[1, 1] == pytest.approx(scores[1, 0] + scores[0, 1], rel=1e-13)


def test_the_order_of_rows_does_not_matter():
    table = data((2, 3, 2, 4), 60)
    shuffled = table.rows(np.random.default_rng(3).permutation(60))
    np.testing.assert_allclose(scores_of(table, 2).log_scores, scores_of(shuffled, 2).log_scores, rtol=1e-13)


def test_no_rows_have_score_zero():
    assert (scores_of(data((2, 3, 2), 5).rows(slice(0)), 2).log_scores == 0).all()


@pytest.mark.parametrize(("max_indegree", "sample_size"), [(-1, 1.0), (3, 1.0), (1, 0.0), (1, float("inf"))])
def test_settings_out_of_bounds_are_refused(max_indegree, sample_size):
    with pytest.raises(
        ModelError,
        match=r"max_indegree: -1 must|equivalent sample size: .* must be a number from 1e-10|largest indegree of 0",
    ):
        scores_of(data((2, 2, 2), 5), max_indegree, sample_size)


def test_a_table_too_large_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(family_scores, "MAX_BYTES", 1000)
    with pytest.raises(ModelError, match=r"have 448 families.*lower the largest indegree"):
        scores_of(data((2,) * 7, 5), 6)


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (3, 4)])
def test_scores_that_do_not_fit_are_refused(shape):
    scores = np.zeros(shape)
    if shape == (3, 4):
        scores[1, 1] = np.nan
    with pytest.raises(ModelError, match=r"have float64 scores of shape \(3, 4\)|NaN"):
        FamilyScores(("a", "b", "c"), (2, 2, 2), 2, scores)


def test_every_family_has_its_own_column():
    """Masks and columns agree in size: one for every subset of the other nodes."""
    found = scores_of(data((2,) * 5, 30), 4)
    assert found.log_scores.shape == (5, len(subsets(range(4))))
