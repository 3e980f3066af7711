"""Claim: mirror images of a mode that no relabelling of the network joins are modes of their own, and have their share.

So are those of names that priors hardly tell apart, of classes in groups, and of a variable that is observed and always
missing. Truth: the exact sum. A value without the images is low by ln 2 or more, which its error says nothing of.
"""

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import modes
from ockham.networks.scorers import ais_from_vb, bridge, exact, tempered_smc
from ockham.streams import Stream

ITEMS = ["y0", "y1", "y2", "y3"]
KINDS = np.array([[0] * 4, [1] * 4])


def classes(prior, hidden=("h",)):
    parents = {item: ["h"] for item in ITEMS}
    return DiscreteNetwork.build({"h": 2, **dict.fromkeys(ITEMS, 2)}, parents, hidden, {"h": np.array(prior)})


def groups():
    parents = {"h": ["x"], **{item: ["h", "x"] for item in ITEMS}}
    return DiscreteNetwork.build({"x": 2, "h": 2, **dict.fromkeys(ITEMS, 2)}, parents, ["h"])


def problem(name):
    """A network, its rows, and how many images of a mode its relabellings do not join."""
    if name == "priors":
        return classes([1.0, 1.5]), np.repeat(KINDS, 15, axis=0), 2
    if name == "always missing":
        rows = np.column_stack([np.full(37, -1), np.repeat(KINDS, (15, 22), axis=0)])
        return classes([1.0, 1.0], hidden=()), rows, 2
    rows = [[x, *KINDS[k]] for x in (0, 1) for k in (0, 1) for _ in range(8 + x + 2 * k)]
    return groups(), np.array(rows), 2


def given(name):
    network, rows, n_images = problem(name)
    data = UniqueRows.of(rows, [network.cardinalities[i] for i in network.observed], missing=True)
    truth = exact.score(network, data, exact.Settings(max_completions=10**8), Stream(0))["exact"].log_evidence
    return network, data, truth, n_images


NAMES = ["priors", "always missing", "groups"]
SCORERS = {
    "bridge": (bridge, bridge.Settings()),
    "tempered_smc": (tempered_smc, tempered_smc.Settings(n_starts=16)),
    "ais_from_vb": (ais_from_vb, ais_from_vb.Settings(n_starts=16, n_chains=32, n_steps=64)),
}


@pytest.mark.parametrize("name", NAMES)
def test_images_are_modes_of_their_own(name, monkeypatch):
    network, data, _, n_images = given(name)

    def of_the_highest():
        found = modes.find(network, data, Stream(2), 32, 8)
        return int((found.shares > found.shares[0] / 2).sum())

    for apart in (1e-3, modes.APART, 4.0):
        monkeypatch.setattr(modes, "APART", apart)
        assert of_the_highest() == n_images
    monkeypatch.setattr(modes, "APART", np.inf)
    assert of_the_highest() == 1


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("name", NAMES)
def test_values_have_the_share_of_every_image(name, scorer):
    network, data, truth, n_images = given(name)
    module, settings = SCORERS[scorer]
    for found in module.score(network, data, settings, Stream(1)).values():
        allowed = 4 * found.standard_error
        assert found.doubt or abs(found.log_evidence - truth) < allowed
        assert found.doubt or allowed < np.log(n_images)


@pytest.mark.parametrize("name", NAMES)
def test_a_bridge_knows_them(name):
    network, data, truth, _ = given(name)
    found = bridge.score(network, data, SCORERS["bridge"][1], Stream(1))["bridge_sampling"]
    assert found.trusted
    assert abs(found.log_evidence - truth) < 4 * found.standard_error < 0.5


def test_one_mode_under_other_names_is_one():
    """Three classes that nothing tells apart, whose fits have their names in any order."""
    rows = np.repeat([[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]], 20, axis=0)
    network = DiscreteNetwork.build({"h": 3, **dict.fromkeys(ITEMS, 2)}, {item: ["h"] for item in ITEMS}, ["h"])
    found = modes.find(network, UniqueRows.of(rows, [2] * 4), Stream(2), 32, 8)
    assert found.shares[0] > 0.9
    assert found.hits[0] > 8
