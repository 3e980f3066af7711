"""Claim: sequential Monte Carlo is the evidence within its error, at every nested size, missing cells included.

Truth: the exact evidence. Passes that forget the weights of a batch, or that sweep on other rows, must be noticed; and
so must be modes that no pass has seen.
"""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.contracts import NO_DOUBT, Doubt
from ockham.errors import ModelError
from ockham.estimation import waste_free
from ockham.estimation.combining import combine
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import particles
from ockham.networks.inference import waste_free as waste_free_of_networks
from ockham.networks.inference.particles import Completions, Parameters
from ockham.networks.scorers import bridge, exact, smc
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

SPACE = bipartite([2, 2], [2, 2, 2])
ROWS = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
SIZES = [1, 3, 5, 8]


def truths(network, rows, sizes, cardinalities):
    found = [UniqueRows.of(rows[:n], cardinalities, missing=True) for n in sizes]
    return np.array([exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence for data in found])


def deviations(network, rows, cardinalities, n_passes=40, sizes=SIZES, n_chains=8, n_states=20):
    """Of the mean evidence of passes, in standard errors, at every size."""
    distinct, places = np.unique(rows, axis=0, return_inverse=True)
    target = Completions.of(network, distinct)
    passes = [
        waste_free.run(
            target, places, sizes, np.random.default_rng(r), n_chains=n_chains, n_states=n_states
        ).log_evidences
        for r in range(n_passes)
    ]
    mean = combine(np.array(passes).T, "mean")
    assert not mean.doubt.any()
    error = np.maximum(mean.standard_error, 1e-9)  # all particles may be alike
    return (mean.value - truths(network, rows, sizes, cardinalities)) / error


@pytest.mark.parametrize("label", list(SPACE)[::4])
def test_every_nested_size_is_exact_within_its_error(label):
    assert np.abs(deviations(SPACE[label].relevant, ROWS, [2] * 3)).max() < 4


@pytest.mark.parametrize("name", ["hidden chain", "hidden with observed parent", "asymmetric prior", "observed only"])
def test_other_networks(name):
    network = CASES[name]
    rows, cardinalities = random_data(network, 6, 5), observed_cardinalities(network)
    assert np.abs(deviations(network.relevant, rows, cardinalities, sizes=[2, 6])).max() < 4


def test_missing_cells_are_summed_out():
    network = naive_bayes([2], [2, 3, 2])["classes-2"]
    rows = np.array([[0, -1, 1], [1, 2, -1], [0, 1, 1], [-1, 0, 0], [1, -1, 0]])
    assert np.abs(deviations(network, rows, [2, 3, 2], sizes=[2, 5])).max() < 4


def test_rows_that_memory_has_no_room_for_are_refused():
    data = UniqueRows.of([[0, 1], [1, 0]], [2, 2], weights=[10**9, 1])
    with pytest.raises(ModelError, match="1,000,000,001 rows in an order of their own: 48 GB, 8 are allowed"):
        smc.score(naive_bayes([2], [2, 2])["classes-2"], data, smc.Settings(), Stream(0))


@pytest.mark.parametrize(
    "network", [SPACE["12-12-12"], naive_bayes([20], [2] * 3)["classes-20"]], ids=["two hidden", "20 classes"]
)
def test_the_scorer_has_an_error_of_its_own(network):
    data = UniqueRows.of(ROWS, [2] * 3)
    truth = truths(network, ROWS, [8], [2] * 3)[0]
    found = [smc.score(network, data, smc.Settings(n_passes=12), Stream(r))["sequential_monte_carlo"] for r in range(8)]
    z = np.array([(evidence.log_evidence - truth) / evidence.standard_error for evidence in found])
    assert np.abs(z).max() < 5
    assert abs(z.mean()) < 4 / np.sqrt(len(z))
    assert all(evidence.trusted and evidence.n_evaluations > 0 for evidence in found)
    assert all(evidence.degrees_of_freedom == 11 for evidence in found)


def test_passes_that_differ_by_many_nats_are_doubted():
    network = naive_bayes([4], [3] * 8, prior=1e-4)["classes-4"]
    rows = np.random.default_rng(1).integers(0, 3, (20, 8))
    chosen = smc.Settings(n_passes=4, n_chains=2, n_states=5)
    data = UniqueRows.of(rows, [3] * 8)
    assert not smc.score(network, data, chosen, Stream(1))["sequential_monte_carlo"].trusted


def test_the_check_notices_sweeps_on_other_rows(monkeypatch):
    right, other = particles.layout, UniqueRows.of(1 - ROWS, [2] * 3)
    monkeypatch.setattr(particles, "layout", lambda network, _: right(network, other))
    with pytest.raises(AssertionError):
        assert np.abs(deviations(SPACE["12-12-12"], ROWS, [2] * 3)).max() < 4


def test_the_check_notices_particles_that_are_resampled_against_their_weights(monkeypatch):
    """Without sweeps that make it good."""
    right = waste_free.systematic
    monkeypatch.setattr(waste_free, "systematic", lambda weights, n, rng: right(1 / weights, n, rng))
    monkeypatch.setattr(Completions, "sweep", lambda _, rows, states, n_sweeps, rng: states.repeat(n_sweeps, axis=0))
    with pytest.raises(AssertionError):
        assert np.abs(deviations(SPACE["12-12-12"], ROWS, [2] * 3, n_chains=300, n_states=2)).max() < 4


def two_kinds(n_items, n_differ, sizes, seed):
    """Rows of two kinds that differ in so many items, as they are."""
    first = np.random.default_rng(seed).integers(0, 2, n_items)
    second = np.where(np.arange(n_items) < n_differ, 1 - first, first)
    rows = np.array([first, second]).repeat(sizes, axis=0)
    return naive_bayes([2], [2] * n_items)["classes-2"], UniqueRows.of(rows, [2] * n_items)


@pytest.mark.parametrize("seed", range(4))
def test_a_class_that_hardly_a_draw_of_the_prior_suits_is_found(seed):
    """Rows of 32 items: with particles that are parameters one of 640 is left."""
    network, data = two_kinds(32, 20, [12, 3], seed)
    found = smc.score(network, data, smc.Settings(), Stream(seed))["sequential_monte_carlo"]
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    assert found.trusted
    assert found.diagnostics["fewest_effective"] > 200
    assert abs(found.log_evidence - truth) < 6 * max(found.standard_error, 1e-3)


@pytest.mark.parametrize(("n_items", "n_differ", "sizes"), [(20, 3, [30, 30]), (30, 4, [20, 20])])
def test_kinds_of_rows_that_passes_cannot_take_apart_are_doubted(n_items, n_differ, sizes, monkeypatch):
    """No single row says that there are two. By the controls all passes agree on too little, and would be believed."""
    network, data = two_kinds(n_items, n_differ, sizes, n_items + n_differ)
    (truth,) = bridge.score(network, data, bridge.Settings(), Stream(1)).values()
    found = smc.score(network, data, smc.Settings(), Stream(1))["sequential_monte_carlo"]
    assert truth.trusted
    assert found.log_evidence + 5 * found.diagnostics["spread"] < truth.log_evidence - 5
    assert found.doubt == Doubt.NOT_MIXED | Doubt.BELOW_BOUND
    assert found.standard_error > 0.9
    monkeypatch.setattr(waste_free, "doubt_of_bound", lambda *_: NO_DOUBT)
    assert smc.score(network, data, smc.Settings(), Stream(1))["sequential_monte_carlo"].doubt == Doubt.NOT_MIXED
    monkeypatch.setattr(waste_free_of_networks, "share_unseen", lambda *_: 0.0)
    found = smc.score(network, data, smc.Settings(), Stream(1))["sequential_monte_carlo"]
    assert found.trusted
    assert found.standard_error < 0.01


@pytest.mark.parametrize(("prior", "kind"), [(0.05, Completions), (0.049, Parameters)])
def test_particles_are_parameters_under_sparse_priors(prior, kind):
    """Two patterns that most rows follow, and four rows between them."""
    network = naive_bayes([2], [2] * 3, prior=prior)["classes-2"]
    rows = [[0, 0, 0]] * 9 + [[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 1, 0]] + [[1, 1, 1]] * 8
    data = UniqueRows.of(rows, [2] * 3)
    assert isinstance(particles.begun_at_prior(network, data.rows), kind)
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    chosen = smc.Settings(n_chains=1024)
    found = [smc.score(network, data, chosen, Stream(r))["sequential_monte_carlo"] for r in range(6)]
    assert smc.doubted(network) == NO_DOUBT
    assert sum(one.trusted for one in found) >= 3
    assert np.abs([(one.log_evidence - truth) / one.standard_error for one in found if one.trusted]).max() < 5


def test_priors_by_which_states_of_what_is_hidden_are_rare_together_are_doubted(monkeypatch):
    """Three causes that are rare, and rows that say that all are there. By the control passes without are believed."""
    causes = ["s", "t", "u"]
    of_x = np.full((8, 2), 1000.0)
    of_x[-1] = 0.05
    prior = {cause: np.array([[0.95, 0.05]]) for cause in causes} | {"x": of_x}
    network = DiscreteNetwork.build({**dict.fromkeys(causes, 2), "x": 2}, {"x": causes}, causes, prior)
    data = UniqueRows.of(np.zeros((26, 1), dtype=int), [2])
    truth = exact.score(network, data, exact.Settings(max_completions=10**9), Stream(0))["exact"].log_evidence

    def found(seed):
        return smc.score(network, data, smc.Settings(), Stream(seed))["sequential_monte_carlo"]

    assert not any(found(seed).trusted for seed in range(6))
    assert smc.doubted(network) == Doubt.NOT_MIXED
    monkeypatch.setattr(particles, "RARE", 0.0)
    believed = [one for one in map(found, range(6)) if one.trusted]
    assert any(one.log_evidence + 10 * one.standard_error < truth - 0.5 for one in believed)


def test_a_prior_that_prefers_a_class_is_not_doubted():
    network = DiscreteNetwork.build({"x": 3, "a": 2}, {"a": ["x"]}, ["x"], {"x": np.array([[6.0, 3.0, 1.0]])})
    assert smc.doubted(network) == NO_DOUBT


@pytest.mark.parametrize("rows", [[[0, 0], [1, 1], [-1, -1], [0, 1]], [[-1, -1]]])
def test_rows_without_any_value_say_nothing(rows):
    """Where what is hidden, and first among the variables, has an observed parent."""
    network = DiscreteNetwork.build({"h": 2, "x": 2, "y": 2}, {"h": ["x"], "y": ["h"]}, ["h"])
    data = UniqueRows.of(rows, [2, 2], missing=True)
    found = smc.score(network, data, smc.Settings(), Stream(1))["sequential_monte_carlo"]
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    assert abs(found.log_evidence - truth) < 5 * found.standard_error


def test_more_values_than_have_names_to_tell_are_doubted():
    found = smc.score(naive_bayes([21], [2] * 3)["classes-21"], UniqueRows.of(ROWS, [2] * 3), smc.Settings(), Stream(0))
    assert found["sequential_monte_carlo"].doubt == Doubt.NOT_MIXED


def test_passes_that_are_alike_have_the_error_of_one_more_particle():
    passes = waste_free.Passes(np.full(4, -3.0), 1, 40.0, np.empty((4, 0, 0)), 40)
    assert waste_free.evidence_of(passes, waste_free.Unseen(0.0, -3.0, 1)).standard_error == pytest.approx(1 / 42)
    assert waste_free.evidence_of(passes, waste_free.Unseen(0.1, -3.0, 1)).standard_error == pytest.approx(
        np.hypot(0.1, 1 / 42)
    )


def test_passes_of_which_a_batch_left_few_particles_are_doubted():
    values = np.log([1.0, 1.01, 0.99, 1.0])
    few, enough = (
        waste_free.evidence_of(waste_free.Passes(values, 1, n_left, np.empty((4, 0, 0)), 40)) for n_left in (19.9, 20.0)
    )
    assert (few.doubt, enough.doubt) == (Doubt.FEW_EFFECTIVE_SAMPLES, NO_DOUBT)
    assert few.standard_error == enough.standard_error > 0
