"""Claim: chains that seldom go from one mode to another of a part are known to be few, where the bridge rests on them.

Two hidden variables of two values make four classes of three kinds of rows, so any kind may have two: six modes of
about the same weight, between which chains go every few thousand sweeps. Truth: the exact sum.
"""

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.scorers import bridge, exact
from ockham.streams import Stream

ITEMS = [f"y{i}" for i in range(6)]
KINDS = np.array([[1, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0], [1, 0, 1, 1, 0, 1]])


@pytest.fixture(scope="module")
def problem():
    network = DiscreteNetwork.build(
        {"h1": 2, "h2": 2, **dict.fromkeys(ITEMS, 2)}, {"h2": ["h1"], **{i: ["h1", "h2"] for i in ITEMS}}, ["h1", "h2"]
    )
    data = UniqueRows.of(np.repeat(KINDS, [14, 8, 6], axis=0), [2] * len(ITEMS))
    return network, data, exact.score(network, data, exact.Settings(max_completions=10**8), Stream(0))


def test_errors_have_what_they_do_not_know_of_the_modes(problem, monkeypatch):
    network, data, truth = problem

    def known():
        found = [bridge.score(network, data, bridge.Settings(), Stream(s))["bridge_sampling"] for s in (0, 2, 3, 5)]
        each = [(one.log_evidence, one.standard_error) for one in found if one.trusted]
        values, errors = np.array(each).T
        return (values - truth["exact"].log_evidence) / errors, errors

    z, errors = known()
    assert len(z) > 1
    assert (np.abs(z) < 4).all()
    assert (errors > 512**-0.5).all()  # of 64 draws of eight chains all would be independent
    monkeypatch.setattr(bridge, "n_independent_visits", lambda *_: np.inf)
    z, _ = known()
    assert (np.abs(z) > 4).any()
