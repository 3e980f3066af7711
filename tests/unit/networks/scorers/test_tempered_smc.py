"""Claim: tempered sequential Monte Carlo is the evidence within its error, or says that it is not.

Truth: the exact evidence; that a mean of passes is without bias stands in ``test_tempering``. An estimate that counts
one copy of the posterior alone, and points that are taken for one copy wherever they lie, must be noticed.
"""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import labelling
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
    """Of the runs that are not doubted, all but one at the least."""
    found, truth = estimates(network, data, n_runs), truth_of(network, data)
    known = [evidence for evidence in found if evidence.trusted]
    assert len(known) >= n_runs - 1
    z = np.array([(evidence.log_evidence - truth) / evidence.standard_error for evidence in known])
    assert np.abs(z).max() < 4
    assert abs(z.sum()) / np.sqrt(len(z)) < 4


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


def test_the_check_notices_one_copy_of_the_posterior_alone(monkeypatch):
    monkeypatch.setattr(labelling, "log_n_relabellings", lambda same: 0.0)
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
