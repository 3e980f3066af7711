"""Claim: bridge sampling is the evidence within its standard error, or says that it is not.

Truth: the exact evidence, itself checked against enumeration. An estimate that counts one copy of the posterior alone,
proposals that are taken for draws of that copy wherever they lie, and an error that forgets how the chains remember,
must be noticed. What is doubted is tested on bridges whose numbers are set by hand.
"""

from dataclasses import replace

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.contracts import Doubt
from ockham.estimation import posterior_parts
from ockham.estimation.bridge_sampling import Bridge
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import modes, parts, two_classes
from ockham.networks.inference.effective_dimension import leaves_open
from ockham.networks.inference.labelling import Labelling
from ockham.networks.scorers import bridge, exact
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

SPACE = bipartite([2, 2], [2, 2, 2])
ROWS = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
NAMES = [
    "asymmetric prior", "hidden chain", "hidden with observed parent", "four observed parents",
    "declared in reverse", "bipartite, 12 hidden configurations",
]  # fmt: skip
PARTS = np.array([0.7, 0.3])
EVEN_AND_ODD = ((0, 2, 4, 6), (1, 3, 5, 7))
TOGETHER = (tuple(range(8)),)
find = modes.find
FAST = {"n_starts": 8, "n_chains": 4, "n_burn_in": 200, "n_draws": 1000, "max_draws": 1000}


def truth_of(network, data):
    return exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence


def z_scores(network, data, n_runs=4):
    """Distance from the exact evidence in standard errors, of independent runs."""
    truth, chosen = truth_of(network, data), bridge.Settings(**FAST)
    found = [bridge.score(network, data, chosen, Stream(2, run))["bridge_sampling"] for run in range(n_runs)]
    assert all(evidence.trusted and evidence.standard_error > 0 for evidence in found)
    return np.array([(evidence.log_evidence - truth) / evidence.standard_error for evidence in found])


def check(z):
    """Not only no run is far off, but the runs together are not, to either side or in their spread."""
    assert np.abs(z).max() < 4
    assert abs(z.sum()) / np.sqrt(len(z)) < 4
    assert (z**2).sum() < len(z) + 4 * np.sqrt(2 * len(z))


@pytest.mark.parametrize("label", ["0-1-1", "0-12-12", "1-1-1", "1-1-2", "1-2-12", "12-12-12"])
def test_bridge_is_exact_within_its_error(label):
    check(z_scores(SPACE[label], UniqueRows.of(ROWS, [2] * 3)))


@pytest.mark.parametrize("name", NAMES)
def test_bridge_on_other_networks(name):
    network = CASES[name]
    check(z_scores(network, UniqueRows.of(random_data(network, 7, 5), observed_cardinalities(network))))


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8, 20])
def test_bridge_is_exact_for_any_number_of_classes(n_classes):
    """Ten rows, so that many classes are empty."""
    network = naive_bayes([n_classes], [2] * 4)[f"classes-{n_classes}"]
    rows = np.random.default_rng(n_classes).integers(0, 2, (10, 4))
    check(z_scores(network, UniqueRows.of(rows, [2] * 4)))


@pytest.mark.parametrize("label", ["0-0-0", "0-0-1", "0-1-2"])
@pytest.mark.parametrize("prior", [1.0, 0.05, 40.0])
def test_what_needs_no_bridge_is_exact(label, prior):
    """Nothing hidden, and two classes of one variable; under sparse priors, too."""
    network, data = bipartite([2, 2], [2, 2, 2], prior)[label], UniqueRows.of(ROWS, [2] * 3)
    found = bridge.score(network, data, bridge.Settings(**FAST), Stream(1))["bridge_sampling"]
    assert found.log_evidence == pytest.approx(truth_of(network, data), abs=1e-10)
    assert found.trusted
    assert (found.standard_error, found.effective_sample_size) == (0, np.inf)


@pytest.mark.parametrize("name", ["hidden leaf", "bipartite 0-0-1-0, s2 childless"])
def test_what_has_no_observed_descendant_needs_no_bridge(name):
    network = CASES[name]
    data = UniqueRows.of(random_data(network, 7, 5), observed_cardinalities(network))
    found = bridge.score(network, data, bridge.Settings(**FAST), Stream(1))["bridge_sampling"]
    assert found.log_evidence == pytest.approx(truth_of(network, data), abs=1e-10)


def test_complete_data_have_proposals_that_are_the_posterior(monkeypatch):
    monkeypatch.setattr(bridge, "_exact", lambda *_: None)
    network = CASES["observed only"]
    data = UniqueRows.of(random_data(network, 9, 5), observed_cardinalities(network))
    found = bridge.score(network, data, bridge.Settings(**FAST), Stream(1))["bridge_sampling"]
    assert found.diagnostics["overlap"] == pytest.approx(0.5, abs=0.05)
    assert found.log_evidence == pytest.approx(truth_of(network, data), abs=4 * found.standard_error)


def test_chains_that_keep_to_modes_of_their_own_are_doubted():
    """Under a prior for pure classes chains stay where they are, and there are modes that none has found."""
    network = naive_bayes([4], [3] * 4, prior=1e-4)["classes-4"]
    data = UniqueRows.of(np.random.default_rng(1).integers(0, 3, (7, 4)), [3] * 4)
    chosen, truth = bridge.Settings(**FAST), truth_of(network, data)
    found = [bridge.score(network, data, chosen, Stream(4, run))["bridge_sampling"] for run in range(3)]
    wrong = [evidence for evidence in found if abs(evidence.log_evidence - truth) > 4 * evidence.standard_error]
    assert wrong  # or there is nothing to doubt here
    assert all(evidence.doubt & Doubt.NOT_MIXED for evidence in wrong)


def test_a_mode_in_several_parts_is_counted_once(monkeypatch):
    """Whatever chains are taken to belong together: the parts are disjoint."""
    monkeypatch.setattr(posterior_parts, "TOGETHER", 2.0)
    network, data = SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3)
    found = bridge.score(network, data, bridge.Settings(**FAST), Stream(1))["bridge_sampling"]
    assert found.diagnostics["n_parts"] > 1
    assert abs(found.log_evidence - truth_of(network, data)) < 4 * found.standard_error


def test_the_chains_go_on_until_the_error_is_reached():
    network, data = SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3)
    chosen = bridge.Settings(**(FAST | {"max_draws": 64_000, "error": 0.01}))
    found = bridge.score(network, data, chosen, Stream(1))["bridge_sampling"]
    assert found.standard_error <= 0.01
    assert abs(found.log_evidence - truth_of(network, data)) < 0.04


def test_too_few_draws_are_doubted():
    network = naive_bayes([5], [3] * 16)["classes-5"]
    rows = np.random.default_rng(1).integers(0, 3, (200, 16))
    chosen = bridge.Settings(n_starts=1, n_chains=1, n_burn_in=0, n_draws=100, max_draws=100)
    found = bridge.score(network, UniqueRows.of(rows, [3] * 16), chosen, Stream(1))["bridge_sampling"]
    assert found.doubt & (Doubt.FEW_EFFECTIVE_SAMPLES | Doubt.NOT_MIXED)


def unidentified(n_tables=8):
    """Distances from the exact evidence in standard errors, of two classes of one variable on 10,000 rows."""
    network, found = naive_bayes([2], [5])["classes-2"], []
    chosen = bridge.Settings(n_starts=8, n_chains=4, n_burn_in=200, n_draws=1000, max_draws=1000)
    for seed in range(n_tables):
        rng = np.random.default_rng(seed)
        data = UniqueRows.of(rng.choice(5, (10_000, 1), p=rng.dirichlet(np.ones(5))), [5])
        one = bridge._bridged(network, data, chosen, 0.1, Stream(7, seed))
        found.append((one.log_evidence - two_classes.log_evidence(network, data)) / one.relative_error)
    return np.array(found)


def test_chains_reach_all_that_data_do_not_identify(monkeypatch):
    """And Gibbs sweeps do not, whatever the bridge says of their autocorrelation."""
    check(unidentified())
    monkeypatch.setattr(bridge, "leaves_open", lambda network, data: False)
    with pytest.raises(AssertionError):
        check(unidentified())


def test_what_data_identify_is_left_to_gibbs_sweeps(monkeypatch):
    monkeypatch.setattr(bridge.hamiltonian, "run", None)
    rng = np.random.default_rng(1)
    rows = rng.integers(2, size=(200, 1)) ^ (rng.random((200, 3)) < 0.1)
    network, data = naive_bayes([2], [2] * 3)["classes-2"], UniqueRows.of(rows, [2] * 3)
    assert not leaves_open(network, data)
    assert bridge.score(network, data, bridge.Settings(**FAST), Stream(3))["bridge_sampling"].trusted


def test_the_check_notices_one_copy_of_the_posterior_alone(monkeypatch):
    monkeypatch.setattr(parts, "log_n_relabellings", lambda same: 0.0)
    with pytest.raises(AssertionError):
        check(z_scores(SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3)))


def test_the_check_notices_proposals_from_other_copies(monkeypatch):
    right = Labelling.apply

    def everywhere(self, log_parameters):
        relabelled, unchanged = right(self, log_parameters)
        return relabelled, np.ones_like(unchanged)

    monkeypatch.setattr(Labelling, "apply", everywhere)
    with pytest.raises(AssertionError):
        check(z_scores(SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3)))


def two_modes(search, share):
    """From each of which a chain begins, of 40 fits one led to the second."""
    few = {"found": search.found[:1] * 2, "shares": np.array([1 - share, share]), "hits": np.array([39, 1])}
    return replace(search, **few, log_means=search.log_means[:1].repeat(2, axis=0))


def by_chains(network, same, chains, groups, bridged, fit):
    """A locator that has a mode in the part of the chain that began at it, and nothing that chains come to."""
    part_of = {chain: k for k, group in enumerate(groups) if bridged[k] for chain in group}
    return lambda points: [part_of.get(k) for k in range(len(points))] if len(points) > 1 else [None]


def estimate_of(monkeypatch, n_starts=8, overlap=0.4, above=0.0, prior=1.0, missing=None, max_draws=100, **changes):
    """What is said of a bridge whose numbers are set by hand; ``above`` is what it is above the truth, nats."""
    network, data = bipartite([2, 2], [2, 2, 2], prior)["12-12-12"], UniqueRows.of(ROWS, [2] * 3)
    largest = Bridge(log_normaliser=0.0, relative_error=0.05, overlap=overlap, autocorrelation_time=2.0)
    value = truth_of(network, data) + above
    changes.setdefault("together", (EVEN_AND_ODD,) if "shares" in changes else (TOGETHER,))
    changes.setdefault("bridged", ((True,) * len(changes["together"][0]),))
    given = parts.Estimate(value, 0.05, np.ones(1), 2000, largest, value, 0.05, np.empty(0), 1, (), ())
    monkeypatch.setattr(parts, "estimate", lambda *_: replace(given, **changes))
    if missing is not None:
        monkeypatch.setattr(modes, "find", lambda *of: two_modes(find(*of), missing))
        monkeypatch.setattr(parts, "locator", by_chains)
    chosen = bridge.Settings(n_starts=n_starts, n_burn_in=0, n_draws=100, max_draws=max_draws)
    return bridge.score(network, data, chosen, Stream(1))["bridge_sampling"]


@pytest.mark.parametrize(
    ("good", "bad", "doubt"),
    [
        ({"overlap": 0.0401}, {"overlap": 0.0399}, Doubt.FEW_EFFECTIVE_SAMPLES),  # of a thousand independent draws
        ({"relative_error": 0.499}, {"relative_error": 0.501}, Doubt.FEW_EFFECTIVE_SAMPLES),
        ({}, {"relative_error": np.nan}, Doubt.FEW_EFFECTIVE_SAMPLES),
        ({"n_used": 400}, {"n_used": 399}, Doubt.NOT_MIXED),  # draws are worth half as many
        ({"shares": PARTS, "n_starts": 64}, {"shares": PARTS, "n_starts": 4}, Doubt.NOT_MIXED),
        ({"shares": PARTS, "missing": 0.19}, {"shares": PARTS, "missing": 0.21}, Doubt.NOT_MIXED),  # and 2 starts of 40
        ({"missing": 0.9}, {"shares": PARTS, "missing": 0.9}, Doubt.NOT_MIXED),
        ({"prior": 0.1}, {"prior": 0.09}, Doubt.NOT_MIXED),
        ({"above": 1.0}, {"above": -5.0}, Doubt.BELOW_BOUND),
    ],
)
def test_each_rule_doubts_by_itself(monkeypatch, good, bad, doubt):
    assert estimate_of(monkeypatch, **good).doubt == Doubt(0)
    assert estimate_of(monkeypatch, **bad).doubt == doubt


def test_what_may_be_missing_is_part_of_the_error(monkeypatch):
    found = estimate_of(monkeypatch, shares=PARTS, missing=0.1)
    assert found.diagnostics["share_missing"] == pytest.approx(0.1 + 2 / 40)
    assert found.standard_error == pytest.approx(np.hypot(0.05, 0.1 + 2 / 40))
    assert estimate_of(monkeypatch, missing=0.1).standard_error == 0.05


def test_a_mode_that_its_chain_left_for_the_part_of_another_is_not_missing(monkeypatch):
    found = estimate_of(monkeypatch, shares=PARTS, missing=0.1, together=(((0, 1), (2, 3, 4, 5, 6, 7)),))
    assert found.diagnostics["share_missing"] == pytest.approx(2 / 40)


def test_the_mode_of_a_part_without_a_bridge_is_missing(monkeypatch):
    """And counts for as much again that no start led to; in the worse order of the halves."""
    orders = {"together": (EVEN_AND_ODD,) * 2, "bridged": ((True, True), (True, False))}
    found = estimate_of(monkeypatch, shares=PARTS, missing=0.1, **orders)
    assert found.diagnostics["share_missing"] == pytest.approx(2 * 0.1 + 2 / 40)


def test_a_mode_that_the_only_chain_does_not_come_to_is_missing():
    """Two modes have half of the evidence each."""
    rng = np.random.default_rng(0)
    rows = (rng.random((80, 8)) < np.repeat(np.where(rng.integers(0, 2, (80, 2)), 0.95, 0.05), 4, axis=1)).astype(int)
    data = UniqueRows.of(np.concatenate([rows, np.roll(rows, 4, axis=1)]), [2] * 8)
    network = naive_bayes([2], [2] * 8)["classes-2"]
    both, one = (bridge.score(network, data, bridge.Settings(n_chains=n), Stream(1))["bridge_sampling"] for n in (8, 1))
    assert both.trusted
    assert one.log_evidence == pytest.approx(both.log_evidence - np.log(2), abs=0.1)
    assert one.doubt == Doubt.NOT_MIXED
    assert one.diagnostics["share_missing"] == pytest.approx(0.5, abs=0.02)


def test_a_mode_that_no_chain_began_at_is_missing_where_it_is_in_no_part(monkeypatch):
    three = {"shares": np.array([0.6, 0.3, 0.1]), "hits": np.array([20, 18, 2])}
    few = two_modes(find(bipartite([2, 2], [2, 2, 2])["12-12-12"], UniqueRows.of(ROWS, [2] * 3), Stream(1), 8, 8), 0.3)
    means = few.log_means[:1].repeat(3, axis=0)
    monkeypatch.setattr(modes, "find", lambda *_: replace(few, **three, log_means=means))
    for place, missing in ((None, 0.1), (0, 0.0)):
        places = [0, 1, place]
        monkeypatch.setattr(parts, "locator", lambda *_, at=places: lambda points: at if len(points) > 1 else at[2:])
        found = estimate_of(monkeypatch, shares=PARTS)
        assert found.diagnostics["share_missing"] == pytest.approx(missing + 2 / 40)


@pytest.mark.parametrize(
    ("enough", "changes"),
    [
        (True, {}),
        (False, {"relative_error": 0.101}),
        (False, {"overlap": 0.0399}),
        (True, {"n_used": 1600}),  # draws are worth half as many
        (False, {"n_used": 1599}),
    ],
)
def test_chains_go_on_until_the_error_the_overlap_and_the_draws_are_enough(monkeypatch, enough, changes):
    short = estimate_of(monkeypatch, **changes).n_evaluations
    assert (estimate_of(monkeypatch, max_draws=400, **changes).n_evaluations == short) == enough
