"""Claim: bridges to posteriors given completed data are the evidence within their errors, or say that they are not.

Truth: the exact evidence, itself checked against enumeration. Names of the values that are not averaged over, chains
that keep to modes of their own and are pooled, and a mode that no chain is in must be noticed. ``OCKHAM_TEST_SEEDS``
sets how many data sets are tried.
"""

import os
from dataclasses import replace

import numpy as np
import pytest

from ockham.contracts import Doubt
from ockham.estimation import posterior_parts
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta, sample_log
from ockham.networks.inference import completed, completed_proposals, modes
from ockham.networks.inference.completed_proposals import CompletedBridge, CompletedProposal, takes
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.scorers import bridge, exact
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

FAST = bridge.Settings(n_starts=16, n_chains=4, n_burn_in=100, n_draws=300, max_draws=1200)
TWO_MODES = bridge.Settings(n_starts=32, n_chains=4, n_burn_in=100, n_draws=500, max_draws=500)
N_FEATURES = 24
N_TABLES = int(os.environ.get("OCKHAM_TEST_SEEDS", "12"))
FIND = modes.find


@pytest.fixture(autouse=True)
def of_few_parameters(monkeypatch):
    """Exact sums are of small networks."""
    monkeypatch.setattr(completed_proposals, "FEWEST_PARAMETERS", 2)
    monkeypatch.setattr(completed_proposals, "MOST_OF_A_COPULA", 0)


def naive(n_classes, n_features=N_FEATURES):
    return naive_bayes([n_classes], [2] * n_features)[f"classes-{n_classes}"]


def mixed_rows(seed, n=10, n_features=N_FEATURES, deviation=3.0, missing=0.0):
    """Of two classes, which are apart by as much as the deviation of the logits makes them."""
    rng = np.random.default_rng(seed)
    chances = 1 / (1 + np.exp(-rng.normal(0, deviation, (2, n_features))))
    rows = (rng.random((n, n_features)) < chances[rng.integers(0, 2, n)]).astype(int)
    rows[rng.random(rows.shape) < missing] = -1
    return UniqueRows.of(rows, [2] * n_features, missing=missing > 0)


def truth_of(network, data):
    return exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence


def z_scores(n_tables=N_TABLES):
    """Distances from the exact evidence in standard errors, of the estimates that are trusted."""
    found = []
    for seed in range(n_tables):
        network, data = naive(2 + seed % 4), mixed_rows(seed)
        one = bridge.score(network, data, FAST, Stream(5, seed))["bridge_sampling"]
        if one.trusted:
            found.append((one.log_evidence - truth_of(network, data)) / one.standard_error)
    assert len(found) > n_tables / 2
    return np.array(found)


def check(z):
    assert np.abs(z).max() < 4
    assert abs(z.sum()) / np.sqrt(len(z)) < 4
    assert (z**2).sum() < len(z) + 4 * np.sqrt(2 * len(z))


def test_the_evidence_is_within_the_error():
    check(z_scores())


def test_names_that_are_not_averaged_over_are_noticed(monkeypatch):
    monkeypatch.setattr(completed, "lgamma", lambda _: 0.0)
    with pytest.raises(AssertionError):
        check(z_scores())


def test_cells_that_are_missing():
    network, data = naive(3, 8), mixed_rows(3, 8, 8, missing=0.2)
    found = bridge.score(network, data, FAST, Stream(1))["bridge_sampling"]
    assert abs(found.log_evidence - truth_of(network, data)) < 4 * found.standard_error


def test_two_streams_agree_on_many_parameters():
    """And draws of the proposal are nearly draws of the posterior."""
    rng = np.random.default_rng(2)
    chances = 1 / (1 + np.exp(-rng.normal(0, 1.75, (3, 64))))
    data = UniqueRows.of((rng.random((200, 64)) < chances[rng.integers(0, 3, 200)]).astype(int), [2] * 64)
    one, other = (
        bridge.score(naive(4, 64), data, bridge.Settings(max_draws=1000), Stream(1, run))["bridge_sampling"]
        for run in range(2)
    )
    assert one.trusted
    assert other.trusted
    apart = np.hypot(one.standard_error, other.standard_error)
    assert abs(one.log_evidence - other.log_evidence) < 4 * apart
    assert min(one.diagnostics["overlap"], other.diagnostics["overlap"]) > 0.4


def test_which_networks_have_such_proposals(monkeypatch):
    assert takes(naive(2))
    assert takes(naive(10))
    assert not takes(naive(11))  # too many names
    assert not takes(bipartite([2, 2], [2, 2, 2])["12-12-12"])
    told_apart = naive(2)
    assert not takes(replace(told_apart, prior=1.0 + np.arange(told_apart.n_entries)))
    monkeypatch.setattr(completed_proposals, "FEWEST_PARAMETERS", naive(2).n_parameters)
    assert takes(naive(2))
    monkeypatch.setattr(completed_proposals, "FEWEST_PARAMETERS", naive(2).n_parameters + 1)
    assert not takes(naive(2))


def test_a_copula_takes_over_where_completions_hardly_overlap(monkeypatch):
    """Many rows that do not tell their class; the values are those of a network that has no such proposals."""
    network, data = naive(4, 4), mixed_rows(1, 300, 4, 0.5)
    assert bridge.score(network, data, FAST, Stream(1))["bridge_sampling"].diagnostics["overlap"] < 0.1
    monkeypatch.setattr(completed_proposals, "MOST_OF_A_COPULA", network.n_parameters)
    fallen_back = bridge.score(network, data, FAST, Stream(1))["bridge_sampling"]
    monkeypatch.setattr(completed_proposals, "FEWEST_PARAMETERS", 1000)
    assert fallen_back == bridge.score(network, data, FAST, Stream(1))["bridge_sampling"]


def test_proposals_are_densities():
    """The mean weight of draws for the prior is 1."""
    network, rng = naive(3, 4), np.random.default_rng(1)
    counts = rng.integers(0, 3, (5, network.n_entries)).astype(float)
    proposal = CompletedProposal(network, relabellings(network), counts)
    draws = proposal.draw(rng, 20_000)
    weights = np.exp(draws @ network.prior - log_beta(network) - proposal.log_density(draws))
    assert abs(weights.mean() - 1) < 4 * weights.std() / np.sqrt(len(weights))


def two_modes(monkeypatch, begun_at=None):
    """Deviation from the exact evidence, and the estimate, of a posterior whose two modes chains do not leave."""
    network, data = naive(2), mixed_rows(1020, deviation=3.5)

    def at_one(*given):
        search = FIND(*given)
        return search if begun_at is None else replace(search, found=search.found[begun_at : begun_at + 1])

    monkeypatch.setattr(modes, "find", at_one)
    found = bridge.score(network, data, TWO_MODES, Stream(1))["bridge_sampling"]
    return found.log_evidence - truth_of(network, data), found


def test_modes_that_chains_do_not_leave_are_parts(monkeypatch):
    apart, found = two_modes(monkeypatch)
    assert found.trusted
    assert found.diagnostics["n_parts"] == 2
    assert abs(apart) < 0.01  # some chains are in either, which the error cannot know
    assert found.diagnostics["share_missing"] >= 2 / 32


def test_chains_that_are_pooled_without_mixing_are_doubted(monkeypatch):
    """By the mean weight, which takes them for no samples of the posterior."""
    monkeypatch.setattr(posterior_parts, "TOGETHER", -1.0)
    apart, found = two_modes(monkeypatch)
    assert abs(apart) > 0.3
    assert found.doubt & Doubt.NOT_MIXED


def test_a_mode_of_the_search_that_no_chain_is_in_is_part_of_the_error(monkeypatch):
    """With as much again for modes that it did not find; the greater mode left out is a doubt."""
    apart, found = two_modes(monkeypatch, begun_at=0)
    assert found.diagnostics["n_parts"] == 1
    assert found.diagnostics["share_missing"] == pytest.approx(2 * (1 - np.exp(apart)), rel=0.2)
    assert 0.05 < -apart < found.standard_error
    with monkeypatch.context() as patched:
        patched.setattr(completed_proposals, "NEAR", np.inf)
        apart, found = two_modes(patched, begun_at=0)
        assert -apart > 4 * found.standard_error
    apart, found = two_modes(monkeypatch, begun_at=1)
    assert apart < -2
    assert found.doubt & Doubt.NOT_MIXED
    assert found.diagnostics["share_missing"] == 1


def test_parts_that_a_single_start_led_to_stand_for_as_much_that_none_did():
    """Of three modes, at which chains begin in turn; the last is too small to tell how easily parts are found."""
    network, data = naive(2, 4), mixed_rows(1, 10, 4)
    search = modes.find(network, data, Stream(1), 16, 4)
    each = {name: getattr(search, name)[:1].repeat(3, axis=0) for name in ("posteriors", "log_means")}
    search = replace(
        search, found=search.found[:1] * 3, shares=np.array([0.5, 0.496, 0.004]), hits=np.array([1, 5, 30]), **each
    )
    given = CompletedBridge(network, data, search, np.random.default_rng(1))
    draws = np.stack([sample_log(network, np.random.default_rng(k)) for k in range(100)])
    found = replace(given.estimate([draws] * 2, ()), above=np.full(3, -1.0))

    def missing(*together):
        return given.share_missing(replace(found, together=together))

    one, several = (tuple(range(6)),), ((0, 3), (1, 4), (2, 5))
    assert missing(one, one) == 0
    assert given.share_missing(replace(found, log_evidence=np.nan, above=np.empty(0))) == 1
    assert missing(one, several) == missing(several, one) == pytest.approx(2 / 6 + 0.5)
    assert missing(((1, 4), (0, 3, 2, 5)), one) == pytest.approx(2 / 6 + 0.504)
