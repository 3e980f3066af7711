"""The sum over set partitions equals the sum over completions, one by one.

Source of truth: reference/enumeration.py, every completion with its closed form.
"""

import numpy as np
import pytest
from reference.enumeration import log_evidence as enumerated

from ockham.estimation import partition_sums
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import completions
from ockham.networks.structure_space import naive_bayes

NETWORKS = {
    "two classes": naive_bayes([2], [2, 3, 2], 0.7)["classes-2"],
    "more classes than cases": naive_bayes([7], [2, 2], 1.3)["classes-7"],
    "observed parents": DiscreteNetwork.build(
        {"s": 3, "a": 2, "b": 3}, {"a": ["s"], "b": ["s", "a"]}, ["s"], {"s": 0.4, "a": 2.0}
    ),
}


@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS.keys())
@pytest.mark.parametrize("n", [1, 2, 5])
def test_equals_the_sum_over_completions(network, n, monkeypatch):
    cardinalities = [network.cardinalities[i] for i in network.observed]
    rows = np.random.default_rng(n).integers(0, cardinalities, size=(n, len(cardinalities)))
    data = UniqueRows.of(rows, cardinalities)
    monkeypatch.setattr(partition_sums, "n_terms", lambda *_: 0)
    assert completions.log_evidence(network, data) == pytest.approx(enumerated(network, rows), rel=1e-12)


@pytest.mark.parametrize("lost", ["names of the classes", "a block"])
def test_the_check_notices_a_sum_that_is_wrong(lost, monkeypatch):
    """Partitions counted once and not for every naming of their blocks; or one block that is never formed."""
    network, rows = NETWORKS["two classes"], np.array([[0, 1, 0], [1, 2, 1], [0, 0, 0], [0, 1, 1]])
    monkeypatch.setattr(partition_sums, "n_terms", lambda *_: 0)
    right = partition_sums._blocks_of_the_lowest
    if lost == "a block":
        monkeypatch.setattr(
            partition_sums, "_blocks_of_the_lowest", lambda whole: right(whole)[: max(1, whole.bit_count() - 1)]
        )
    else:
        monkeypatch.setattr(partition_sums, "_log_namings", lambda n_classes, most: np.zeros(most))
    found = completions.log_evidence(network, UniqueRows.of(rows, [2, 3, 2]))
    assert abs(found - enumerated(network, rows)) > 0.01


def test_the_shorter_sum_is_taken_and_its_length_is_told():
    network = naive_bayes([8], [2] * 20)["classes-8"]
    rows = np.random.default_rng(1).integers(0, 2, size=(10, 20))
    data = UniqueRows.of(rows, [2] * 20)
    assert completions.predicted_completions(network, data) == 3**10 * 8 < 8**10
    few = UniqueRows.of(rows[:2], [2] * 20)
    assert completions.predicted_completions(network, few) == 3**2 * 2
    assert completions.predicted_completions(naive_bayes([2], [2] * 20)["classes-2"], data) == 2**10


def test_values_that_the_prior_tells_apart_are_not_exchanged():
    uneven = DiscreteNetwork.build({"s": 4, "y": 2}, {"y": ["s"]}, ["s"], {"s": np.array([1.0, 2.0, 1.0, 1.0])})
    data = UniqueRows.of([[0], [0], [0], [0], [0], [1]], [2])
    assert completions.predicted_completions(uneven, data) == 56 * 4 + 0
    rows = np.array([[0], [1], [0]])
    assert completions.log_evidence(uneven, UniqueRows.of(rows, [2])) == pytest.approx(
        enumerated(uneven, rows), rel=1e-12
    )
