"""Claim: completions of rows count what they say. Truth: counts of the completed rows."""

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.named_completions import NamedCompletions

ROWS = np.array([[0, 2], [0, 2], [1, 0], [1, 1], [0, 0]])


@pytest.mark.parametrize("missing", [False, True])
def test_counts_are_those_of_the_completed_rows(missing):
    """Of two classes, and of a cell that is missing and has a child."""
    parents = {"a": ["h"], "b": ["h", "a"]}
    network = DiscreteNetwork.build({"h": 2, "a": 2, "b": 3}, parents, ["h"])
    rows = ROWS.copy()
    rows[4, 0] = -1 if missing else 0
    data = UniqueRows.of(rows, [2, 3], missing=True)
    completions, rng = NamedCompletions(network, data), np.random.default_rng(0)
    seen = set()
    for _ in range(50):
        counts = completions.counts(completions.forward(completions.alike, 1, rng).ways)
        of_h, of_a, of_b = (network.family(i, counts) for i in range(3))
        assert of_h.sum() == of_a.sum() == of_b.sum() == len(rows)
        assert (of_a.sum(axis=-1).ravel() == of_h.ravel()).all()
        assert (of_b.sum(axis=-1).ravel() == of_a.ravel()).all()
        assert (of_b.reshape(-1, 3).sum(axis=0) == np.bincount(rows[:, 1], minlength=3)).all()
        assert of_a.reshape(2, 2).sum(axis=0)[1] - 2 in ([0, 1] if missing else [0])
        seen.add(tuple(counts))
    assert len(seen) > 10
