"""Claim: under an informative prior the modes that no draw of it leads to are found as well.

Truth: the evidence is above the probability of the rows with their classes as one completion has them, by Gamma
functions. Classes of a prior that says which is rare are named the other way round by the rows: all draws of the prior
lead to the mode of the wrong names, which has hardly anything, and estimates agree on it.
"""

from math import lgamma

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import modes
from ockham.networks.scorers import ais_from_vb, bridge, tempered_smc
from ockham.streams import Stream

OF_CLASSES, OF_ITEMS, N_ITEMS = (50.0, 5.0), (2.0, 0.5), 6
SCORERS = {
    "ais_from_vb": (ais_from_vb, ais_from_vb.Settings(n_starts=16, n_chains=16, n_steps=32)),
    "bridge": (bridge, bridge.Settings()),
    "tempered_smc": (tempered_smc, tempered_smc.Settings(n_starts=16)),
}


def log_ratio(hyperparameters, counts):
    """ln of the probability of counts under a Dirichlet distribution."""
    each = sum(lgamma(a + n) - lgamma(a) for a, n in zip(hyperparameters, counts, strict=True))
    return each + lgamma(sum(hyperparameters)) - lgamma(sum(hyperparameters) + sum(counts))


@pytest.fixture(scope="module")
def problem():
    """Mostly ones, in the class whose items are mostly ones by the prior, and which is rare by it."""
    rng, kinds = np.random.default_rng(0), np.repeat([0, 1], [50, 950])
    rows = np.where(rng.random((1000, N_ITEMS)) < 0.05, 1 - kinds[:, None], kinds[:, None])
    items = [f"y{i}" for i in range(N_ITEMS)]
    prior = {"h": np.array([OF_CLASSES]), **dict.fromkeys(items, np.array([OF_ITEMS, OF_ITEMS[::-1]]))}
    network = DiscreteNetwork.build({"h": 2, **dict.fromkeys(items, 2)}, {i: ["h"] for i in items}, ["h"], prior)

    def completed(classes):
        members = [rows[classes == c] for c in (0, 1)]
        of_items = sum(
            log_ratio(given, [(own[:, j] == value).sum() for value in (0, 1)])
            for own, given in zip(members, (OF_ITEMS, OF_ITEMS[::-1]), strict=True)
            for j in range(N_ITEMS)
        )
        return log_ratio(OF_CLASSES, [len(own) for own in members]) + of_items

    return network, UniqueRows.of(rows, [2] * N_ITEMS), max(completed(kinds), completed(1 - kinds))


@pytest.mark.parametrize("name", SCORERS)
def test_values_are_above_what_one_completion_has(name, problem, monkeypatch):
    network, data, least = problem
    module, settings = SCORERS[name]

    def found():
        return module.score(network, data, settings, Stream(1)).values()

    for one in found():
        assert one.log_evidence > least
    monkeypatch.setattr(modes, "sample_log", lambda network, rng, _: sample_log(network, rng))
    for one in found():
        assert one.log_evidence < least - 50
        assert name == "ais_from_vb" or one.trusted
