"""Claim: starts find every mode of a mixture, and a bridge sums over those that its chains do not leave.

Truth: bridge sampling of the same model as a network. Chains of all parts taken for one are the control.
"""

from itertools import cycle

import numpy as np
import pytest

from ockham.estimation import posterior_parts
from ockham.estimation.bridge_sampling import Bridge
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference import bridging, modes, starts
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items import Categorical, Gaussian
from ockham.mixtures.scorers import bridge, exact
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.scorers import bridge as bridge_of_networks
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

ITEMS = {f"y{j}": Categorical(2) for j in range(8)}
TWO = FiniteMixture(2, ITEMS)


def two_factors(n_flipped):
    """Items of two independent classes of two; with some cells of the first factor drawn anew it is the weaker."""
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 2, (80, 2))
    rows = (rng.random((80, 8)) < np.repeat(np.where(classes, 0.95, 0.05), 4, axis=1)).astype(int)
    rows = np.concatenate([rows, np.roll(rows, 4, axis=1)])
    rows[rng.choice(len(rows), n_flipped, replace=False), 0] = rng.integers(0, 2, n_flipped)
    return rows


def found(rows, n_starts=64, n_chains=8):
    return modes.find(TWO, Design.of(TWO, MixedRows.of(rows.astype(float), ITEMS)), Stream(3), n_starts, n_chains)


@pytest.mark.parametrize("n_starts", [64, 1024])
def test_many_starts_do_not_crowd_out_a_mode_of_less_evidence(n_starts):
    search = found(two_factors(2), n_starts)
    assert search.worth(8) == 2
    assert 0.005 < search.shares[1] < 0.4
    assert search.hits[:2].min() > 4
    assert search.share_missing < 0.001
    first, second, again = (search.for_chains(3).log_weights[c] for c in range(3))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)


def small_classes():
    """Five rows of each of five classes beside 400 of another, of eight normal items."""
    rng, classes = np.random.default_rng(1), np.repeat(np.arange(6), [400, *[5] * 5])
    rows = (rng.normal(size=(6, 8)) * 2.5)[classes] + rng.normal(size=(len(classes), 8))
    items = {f"x{j}": Gaussian(float(np.median(column)), 1.0, 1 / 9, 2.0) for j, column in enumerate(rows.T)}
    return FiniteMixture(6, items), MixedRows.of(rows, items)


def test_distant_rows_lead_to_small_classes_beside_a_large_one(monkeypatch):
    """Rows that are drawn alike do not: five in 425 rows are of a small class."""
    model, data = small_classes()
    design = Design.of(model, data)

    def bounds():
        return np.array([modes.find(model, design, Stream(seed), 64, 8).bounds[0] for seed in range(4)])

    distant = bounds()
    assert np.ptp(distant[[0, 1, 3]]) < 1
    monkeypatch.setattr(starts, "DISTANT", 10**9)
    assert (bounds() < distant.max() - 5).all()


def test_one_mode_is_found_once_whatever_the_names_of_its_classes():
    rows = (np.random.default_rng(1).random((100, 8)) < np.where(np.arange(100) < 50, 0.9, 0.1)[:, None]).astype(int)
    search = found(rows)
    assert search.worth(8) == 1
    assert search.hits[0] > 40


@pytest.mark.parametrize("n_flipped", [0, 2])
@pytest.mark.parametrize("n_starts", [64, 1024])
def test_the_evidence_is_the_sum_over_modes_that_chains_do_not_leave(n_flipped, n_starts):
    rows = two_factors(n_flipped)
    network = naive_bayes([2], [2] * 8)["classes-2"]
    truth = bridge_of_networks.score(network, UniqueRows.of(rows, [2] * 8), bridge_of_networks.Settings(), Stream(1))[
        "bridge_sampling"
    ]
    mixed = MixedRows.of(rows.astype(float), ITEMS)
    said = bridge.score(TWO, mixed, bridge.Settings(n_starts=n_starts), Stream(2))["bridge_sampling"]
    assert not truth.doubt
    assert not said.doubt
    assert said.diagnostics["n_parts"] == 2
    assert said.diagnostics["share_missing"] <= 2 / 48  # of starts that led to either
    assert abs(said.log_evidence - truth.log_evidence) < 3 * np.hypot(said.standard_error, truth.standard_error)


def test_chains_of_all_parts_taken_for_one_are_doubted(monkeypatch):
    """Those of the weaker mode have half of the draws and less than half of the evidence."""
    monkeypatch.setattr(posterior_parts, "TOGETHER", -1.0)
    mixed = MixedRows.of(two_factors(2).astype(float), ITEMS)
    said = bridge.score(TWO, mixed, bridge.Settings(), Stream(2))["bridge_sampling"]
    assert said.diagnostics["n_parts"] == 1
    assert said.doubt


@pytest.mark.parametrize(("largest", "doubted"), [(0.25, True), (1.0, False)])
def test_modes_without_a_chain_are_missing(monkeypatch, largest, doubted):
    """Of two modes alike only the first has chains, which are of one part."""
    monkeypatch.setattr(bridge, "LARGEST_MISSING", largest)
    monkeypatch.setattr(modes.Modes, "worth", lambda self, n_chains: 1)
    mixed = MixedRows.of(two_factors(0).astype(float), ITEMS)
    said = bridge.score(TWO, mixed, bridge.Settings(), Stream(2))["bridge_sampling"]
    assert said.diagnostics["n_parts"] == 1
    assert said.diagnostics["share_missing"] == pytest.approx(0.5, abs=0.01)
    assert said.standard_error == pytest.approx(0.5, abs=0.01)
    assert bool(said.doubt) == doubted


def test_parts_that_overlap_are_counted_once(monkeypatch):
    """Each chain is a part of its own by decree, on rows whose evidence is known."""
    monkeypatch.setattr(posterior_parts, "TOGETHER", 2.0)
    rows = two_factors(0)[:10]
    mixed = MixedRows.of(rows.astype(float), ITEMS)
    truth = exact.score(TWO, mixed, exact.Settings(), Stream(1))["exact"].log_evidence
    found = bridge.score(TWO, mixed, bridge.Settings(n_chains=4), Stream(2))["bridge_sampling"]
    assert found.diagnostics["n_parts"] == 4
    assert found.diagnostics["largest_share"] < 0.9
    sampling = np.sqrt(found.standard_error**2 - found.diagnostics["share_missing"] ** 2)
    assert abs(found.log_evidence - truth) < 4 * sampling < 0.3


def test_chains_that_were_together_stay_so(monkeypatch):
    """Later estimates do not ask again which of two chains that were found to be one part are one."""
    mixed = MixedRows.of(two_factors(0)[:10].astype(float), ITEMS)
    asked, groups_of = [], bridging.groups_of

    def spied(densities):
        asked.append(len(densities))
        return groups_of(densities)

    monkeypatch.setattr(bridging, "groups_of", spied)
    settings = bridge.Settings(n_chains=2, error=1e-3, max_draws=1000)
    said = bridge.score(TWO, mixed, settings, Stream(2))["bridge_sampling"]
    assert said.diagnostics["n_parts"] == 1
    assert asked == [2, 2]  # both orders of the halves, once


@pytest.mark.parametrize(("below", "weakest"), [(1.0, (0.2, 50.0)), (4.0, (0.5, 1.0))])
def test_the_weakest_part_counts_unless_it_has_little_of_the_evidence(monkeypatch, below, weakest):
    """Two parts of two chains; the second has .27 of the evidence, or .02."""
    parts = Bridge(0.0, 0.01, 0.5, 1.0), Bridge(-below, 0.01, 0.2, 50.0)
    each = cycle(parts)
    monkeypatch.setattr(bridging, "bridge", lambda *_: next(each))
    mixed = MixedRows.of(two_factors(0).astype(float), ITEMS)
    chosen = bridge.Settings(n_chains=2, n_draws=500, max_draws=500)
    said = bridge.score(TWO, mixed, chosen, Stream(2))["bridge_sampling"]
    assert said.diagnostics["n_parts"] == 2
    assert (said.diagnostics["overlap"], said.diagnostics["autocorrelation_time"]) == weakest
    second = np.exp(-below) / (1 + np.exp(-below))
    unseen = 1.5 * ((1 - second) + 50 * second) / 500  # by the independent draws of both halves
    sampling = 0.01 * np.hypot(second, 1 - second) / np.sqrt(2)
    missing = said.diagnostics["share_missing"]
    assert said.standard_error == pytest.approx(np.linalg.norm([sampling, unseen, missing]), rel=1e-6)
