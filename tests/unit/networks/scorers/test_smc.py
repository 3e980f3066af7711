"""Claim: sequential Monte Carlo is the evidence within its error, at every nested size, missing cells included.

Truth: the exact evidence. Passes that forget the weights of a batch, or that sweep on other rows, must be noticed.
"""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.errors import ModelError
from ockham.estimation import waste_free
from ockham.estimation.combining import combine
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import gibbs
from ockham.networks.inference.waste_free import Target
from ockham.networks.scorers import exact, smc
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
    target = Target(network, distinct)
    passes = [
        waste_free.run(
            target, places, sizes, np.random.default_rng(r), n_chains=n_chains, n_states=n_states
        ).log_evidences
        for r in range(n_passes)
    ]
    mean = combine(np.array(passes).T, "mean")
    assert not mean.doubt.any()
    return (mean.value - truths(network, rows, sizes, cardinalities)) / mean.standard_error


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
    with pytest.raises(ModelError, match="1,000,000,001 rows in an order of their own: 32 GB, 8 are allowed"):
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
    right, other = gibbs.run, UniqueRows.of(1 - ROWS, [2] * 3)
    monkeypatch.setattr(
        gibbs, "run", lambda network, _, *arguments, **options: right(network, other, *arguments, **options)
    )
    with pytest.raises(AssertionError):
        assert np.abs(deviations(SPACE["12-12-12"], ROWS, [2] * 3)).max() < 4


def test_the_check_notices_particles_that_are_resampled_whatever_their_weights(monkeypatch):
    """Without sweeps that make it good."""
    monkeypatch.setattr(waste_free, "systematic", lambda weights, n, rng: rng.integers(len(weights), size=n))
    monkeypatch.setattr(gibbs, "run", _stay)
    with pytest.raises(AssertionError):
        assert np.abs(deviations(SPACE["12-12-12"], ROWS, [2] * 3, n_chains=300, n_states=2)).max() < 4


def _stay(network, data, start, rng, n_sweeps, *, keep):
    return gibbs.State(start, start, np.empty(0), np.tile(start, (n_sweeps, 1)))


def of_two_kinds(n_items, seed):
    """Value minus the exact evidence of 15 rows of two kinds, its error, and whether it is trusted."""
    rng = np.random.default_rng(n_items)
    kinds = rng.integers(0, 2, (2, n_items))
    network, data = (
        naive_bayes([2], [2] * n_items)["classes-2"],
        UniqueRows.of(kinds.repeat([12, 3], axis=0), [2] * n_items),
    )
    found = smc.score(network, data, smc.Settings(), Stream(seed))["sequential_monte_carlo"]
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    return found.log_evidence - truth, found.standard_error, found.trusted


def test_rows_of_many_items_that_hardly_a_draw_suits_are_doubted(monkeypatch):
    """All passes are too low together; by the control that they would be believed."""
    assert not any(of_two_kinds(32, seed)[2] for seed in range(6))
    assert of_two_kinds(8, 0)[2]
    monkeypatch.setattr(waste_free, "FEWEST", 0)
    found = [of_two_kinds(32, seed) for seed in range(6)]
    assert any(trusted and off < -4 * error for off, error, trusted in found)
