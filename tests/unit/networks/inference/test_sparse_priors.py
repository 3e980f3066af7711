"""Claim: hyperparameters below .1 doubt what is estimated where data leave anything to be completed, and nothing else.

Truth: what is hidden or missing, by hand.
"""

import numpy as np
import pytest

from ockham.contracts import NO_DOUBT, Doubt
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.sparse_priors import doubt_of_prior
from ockham.networks.scorers import ais_from_vb, bridge, candidate, tempered_smc, wbic
from ockham.streams import Stream

STATES = {"x": 2, "a": 2, "b": 2}
ROWS = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]])
SCORERS = {
    "ais_from_vb": (ais_from_vb, ais_from_vb.Settings(n_starts=8, n_chains=16, n_steps=16)),
    "bridge": (bridge, bridge.Settings(n_starts=8, n_chains=2)),
    "candidate": (candidate, candidate.Settings()),
    "tempered_smc": (tempered_smc, tempered_smc.Settings(n_starts=8, n_chains=2)),
    "wbic": (wbic, wbic.Settings()),
}


def network(hidden, prior, items=("a", "b")):
    return DiscreteNetwork.build(STATES, {item: ["x"] for item in items}, hidden, {"x": np.array([1.0, prior])})


def data(rows=ROWS, missing=None):
    rows = rows.copy()
    if missing:
        rows[missing] = -1
    return UniqueRows.of(rows, [2] * rows.shape[1], missing=True)


def test_sparse_priors_matter_where_something_is_hidden():
    assert doubt_of_prior(network(["x"], 0.09)) == Doubt.NOT_MIXED
    assert doubt_of_prior(network(["x"], 0.1)) == NO_DOUBT
    assert doubt_of_prior(network(["x"], 0.09), data(ROWS[:, 1:])) == Doubt.NOT_MIXED
    assert doubt_of_prior(network(["x"], 0.09, items=()), data(ROWS[:, 1:])) == NO_DOUBT  # hidden, and says nothing


def test_or_missing_which_is_known_with_the_data():
    assert doubt_of_prior(network([], 0.09)) == NO_DOUBT
    assert doubt_of_prior(network([], 0.09), data()) == NO_DOUBT
    assert doubt_of_prior(network([], 0.09), data(missing=(1, 1))) == NO_DOUBT  # a missing item sums to 1
    assert doubt_of_prior(network([], 0.09), data(missing=(1, 0))) == Doubt.NOT_MIXED


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_are_doubted_so(name, monkeypatch):
    """Of a network without anything hidden, whose cells are missing."""
    module, settings = SCORERS[name]
    given, rows = network([], 2.0), data(missing=(1, 0))

    def doubts():
        return [one.doubt for one in module.score(given, rows, settings, Stream(1)).values()]

    plain = doubts()
    of_these = {id(rows): Doubt.RUN_FAILED}
    monkeypatch.setattr(module, "doubt_of_prior", lambda _, known=None: of_these.get(id(known), NO_DOUBT))
    assert doubts() == [doubt | Doubt.RUN_FAILED for doubt in plain]
