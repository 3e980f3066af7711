"""Claim: annealing from variational posteriors that ends in one of several modes says so in its error, or is doubted.

Two factors that four bits follow, and two classes: either is a mode. Truth: the sum over how many rows of each kind are
in each class. Without what is missing both directions agree, and are confidently wrong.
"""

import numpy as np
from reference.mixed_items import summed

from ockham.contracts import Doubt
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Categorical
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.scorers import ais_from_vb
from ockham.streams import Stream

ITEMS = ["y0", "y1", "y2", "y3"]
SETTINGS = ais_from_vb.Settings(n_chains=32)


def two_factors(seed):
    rng = np.random.default_rng(seed)
    factors = rng.integers(0, 2, (36, 2))
    return np.where(rng.random((36, 4)) < 0.97, np.repeat(factors, 2, axis=1), 1 - np.repeat(factors, 2, axis=1))


def z_scores(**settings):
    """Distances from the truth in standard errors, of what is trusted, and how many are doubted."""
    found, n_doubted = [], 0
    network = DiscreteNetwork.build(
        {"h": 2, **dict.fromkeys(ITEMS, 2)}, {item: ["h"] for item in ITEMS}, ["h"],
        {"h": 5.0, **dict.fromkeys(ITEMS, 0.2)},
    )  # fmt: skip
    for seed in range(6):
        rows = two_factors(seed)
        mixture = FiniteMixture(2, {item: Categorical(2, 0.2) for item in ITEMS}, 5.0)
        truth = float(summed(mixture, MixedRows.of(rows.astype(float), mixture.items)))
        for one in ais_from_vb.score(network, UniqueRows.of(rows, [2] * 4), SETTINGS, Stream(seed)).values():
            missing = one.diagnostics.get("share_missing", 0.0)
            assert Doubt.NOT_MIXED in one.doubt or missing <= 0.25
            assert one.standard_error >= missing
            n_doubted += bool(one.doubt)
            found += [] if one.doubt else [(one.log_evidence - truth) / one.standard_error]
    return np.array(found), n_doubted


def test_modes_that_no_chain_ends_in_are_missing(monkeypatch):
    z, n_doubted = z_scores()
    assert n_doubted > 0
    assert (np.abs(z) < 4).all()
    monkeypatch.setattr(ais_from_vb, "_share_missing", lambda *_: (0.0, 0))
    z, _ = z_scores()
    assert (np.abs(z) > 4).any()
