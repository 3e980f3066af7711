"""Claim: tempered sequential Monte Carlo is the evidence within its error, or says that it is not.

Truth: the exact evidence; that a mean of passes is without bias stands in ``test_tempering``. On networks where the
chains mix every run must be within its error, whether or not it is doubted, and few may be doubted. An estimate that
counts one copy of the posterior alone, and points that are taken for one copy wherever they lie, must be noticed.
What is doubted is tested on passes whose values are set by hand.
"""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.contracts import Doubt
from ockham.estimation import tempering
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import labelling
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.scorers import exact, tempered_smc
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

SPACE = bipartite([2, 2], [2, 2, 2])
ROWS = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
FAST = {"n_starts": 8, "n_draws": 400, "n_burn_in": 200}
NAMES = ["asymmetric prior", "hidden chain", "hidden with observed parent", "observed only"]


def truth_of(network, data):
    return exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence


def estimates(network, data, n_runs=4, **settings):
    chosen = tempered_smc.Settings(**(FAST | settings))
    return [
        tempered_smc.score(network, data, chosen, Stream(3, run))["tempered_sequential_monte_carlo"]
        for run in range(n_runs)
    ]


def check(network, data, n_runs=4):
    """No run is far off, and the runs together are not, to either side or in their spread.

    A run that nothing is wrong with is doubted when its two directions differ by chance. Their errors are made of
    eight passes each, so that this happens to about one in fifty: to two of four hardly ever.
    """
    found, truth = estimates(network, data, n_runs), truth_of(network, data)
    assert sum(not evidence.trusted for evidence in found) <= 1
    assert all(evidence.doubt in (Doubt(0), Doubt.RUNS_DIFFER) for evidence in found)
    z = np.array([(evidence.log_evidence - truth) / evidence.standard_error for evidence in found])
    assert np.abs(z).max() < 4
    assert abs(z.sum()) / np.sqrt(len(z)) < 4
    assert (z**2).sum() < len(z) + 4 * np.sqrt(2 * len(z))


@pytest.mark.parametrize("label", list(SPACE)[::6])
def test_it_is_exact_within_its_error(label):
    check(SPACE[label], UniqueRows.of(ROWS, [2] * 3))


@pytest.mark.parametrize("name", NAMES)
def test_other_networks(name):
    network = CASES[name]
    check(network, UniqueRows.of(random_data(network, 7, 5), observed_cardinalities(network)))


@pytest.mark.parametrize("n_classes", [3])
def test_it_is_exact_for_any_number_of_classes(n_classes):
    network = naive_bayes([n_classes], [2] * 4)[f"classes-{n_classes}"]
    rows = np.random.default_rng(n_classes).integers(0, 2, (10, 4))
    check(network, UniqueRows.of(rows, [2] * 4))


@pytest.mark.parametrize(("prior", "trusted"), [(0.2, True), (0.09, False)])
def test_corners_that_no_pass_may_see_are_doubted(prior, trusted):
    network = naive_bayes([2], [2] * 3, prior=prior)["classes-2"]
    (found,) = estimates(network, UniqueRows.of(ROWS, [2] * 3), 1)
    assert found.trusted == trusted


def test_sparse_priors_are_doubted_where_something_is_hidden():
    assert tempered_smc.doubted(naive_bayes([2], [2] * 3, prior=0.09)["classes-2"]) == Doubt.NOT_MIXED
    assert not tempered_smc.doubted(naive_bayes([2], [2] * 3, prior=0.1)["classes-2"])
    assert not tempered_smc.doubted(naive_bayes([1], [2] * 3, prior=0.09)["classes-1"])


def test_the_check_notices_one_copy_of_the_posterior_alone(monkeypatch):
    monkeypatch.setattr(tempered_smc, "log_n_relabellings", lambda same: 0.0)
    with pytest.raises(AssertionError):
        check(SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3))


def test_the_check_notices_points_of_other_copies(monkeypatch):
    right = labelling.Labelling.apply

    def everywhere(self, log_parameters):
        relabelled, unchanged = right(self, log_parameters)
        return relabelled, np.ones_like(unchanged)

    monkeypatch.setattr(labelling.Labelling, "apply", everywhere)
    with pytest.raises(AssertionError):
        check(SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3))


NARROW = 0.01 * np.tile([-1.0, 1.0], 4)
WIDE = 200 * NARROW


def estimate_of(monkeypatch, forward=NARROW, back=NARROW):
    """What is said of passes whose logs are this far from the evidence, back from its inverse; eight of each."""
    network, data = SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3)
    centre = truth_of(network, data) - labelling.log_n_relabellings(relabellings(network))
    stages = (tempering.Stage(1.0, 0.5),)
    values, inverses = iter([0.0, *(centre + forward)]), iter(back - centre)  # the first pass chooses temperatures
    monkeypatch.setattr(tempering, "run", lambda *_, **__: tempering.Pass(next(values), stages, 1.0, 1))
    monkeypatch.setattr(tempering, "run_back", lambda *_: tempering.PassBack(next(inverses), 1))
    chosen = tempered_smc.Settings(n_starts=8, n_chains=len(back), n_passes=len(forward), n_burn_in=0, n_draws=100)
    return tempered_smc.score(network, data, chosen, Stream(1))["tempered_sequential_monte_carlo"]


def test_directions_that_agree_are_not_doubted(monkeypatch):
    found = estimate_of(monkeypatch)
    assert found.doubt == Doubt(0)
    assert found.log_evidence == pytest.approx(found.diagnostics["back"], abs=1e-3)


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("n_errors", "doubt"), [(2.9, Doubt(0)), (3.3, Doubt.RUNS_DIFFER)])
def test_directions_that_differ_are_doubted(monkeypatch, side, n_errors, doubt):
    """By errors of both together, each that of the mean of eight passes."""
    of_each = NARROW.std(ddof=1) / np.sqrt(8)
    difference = side * n_errors * np.hypot(of_each, of_each)
    found = estimate_of(monkeypatch, back=NARROW - difference)
    assert found.diagnostics["back"] - found.log_evidence == pytest.approx(difference, abs=2e-4)
    assert found.standard_error == pytest.approx(np.hypot(of_each, difference / 2), rel=0.02)
    assert found.doubt == doubt


@pytest.mark.parametrize("back", [WIDE, np.full(8, np.nan)], ids=["doubted", "without value"])
def test_passes_back_that_say_nothing_are_doubted(monkeypatch, back):
    assert estimate_of(monkeypatch, back=back).doubt == Doubt.NOT_MIXED


@pytest.mark.filterwarnings("error")
def test_passes_in_which_no_particle_has_weight_are_doubted(monkeypatch):
    network, data = SPACE["12-12-12"], UniqueRows.of(ROWS, [2] * 3)
    nothing = tempering.Pass(-np.inf, (tempering.Stage(1.0, 0.5),), 0.0, 1)
    monkeypatch.setattr(tempering, "run", lambda *_, **__: nothing)
    chosen = tempered_smc.Settings(n_starts=8, n_chains=2, n_passes=2, n_burn_in=0, n_draws=100)
    found = tempered_smc.score(network, data, chosen, Stream(1))["tempered_sequential_monte_carlo"]
    assert Doubt.NOT_MIXED in found.doubt
    assert found.log_evidence == -np.inf


def test_passes_forward_that_differ_much_are_doubted(monkeypatch):
    assert estimate_of(monkeypatch, forward=WIDE).doubt == Doubt.FEW_EFFECTIVE_SAMPLES


def test_estimates_below_the_variational_bound_are_doubted(monkeypatch):
    found = estimate_of(monkeypatch, forward=NARROW - 5, back=NARROW + 5)
    assert found.diagnostics["variational_bound"] > found.log_evidence + 3 * found.standard_error
    assert found.doubt == Doubt.BELOW_BOUND
