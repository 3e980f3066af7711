"""Annealed importance sampling is unbiased, and every step is the one that section 3.6 of the paper describes.

Sources of truth: the exact evidence of enumerable cases; the twin in reference/annealing.py, draw for draw; Dirichlet
moments. Statistical claims hold within 4 standard errors, and fail for a twin without the proposal ratio.
"""

import dataclasses

import numpy as np
import pytest
from reference.annealing import anneal
from reference.network import log_likelihood, rows_of_cells
from reference.network_cases import CASES, observed_cardinalities, random_data

from ockham.estimation.schedules import nonlinear_schedule
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import annealing
from ockham.networks.inference.expectation import layout
from ockham.networks.scorers import exact
from ockham.networks.structure_space import bipartite
from ockham.streams import Stream

SPACE = bipartite([2, 2], [5, 5, 5, 5])
ROWS = np.array([[0, 1, 2, 3], [0, 1, 2, 4], [1, 1, 2, 3], [0, 1, 0, 3], [4, 1, 2, 0], [0, 0, 2, 3]])
DATA = UniqueRows.of(ROWS, [5] * 4)
BINARY = bipartite([2, 2], [2, 2, 2])
BINARY_ROWS = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
BINARY_DATA = UniqueRows.of(BINARY_ROWS, [2] * 3)


def weights(network, data, n_runs, seed, *, n_steps=512, strength=20.0, curvature=0.2):
    """Log weights of independent runs from draws of the prior."""
    temperatures = nonlinear_schedule(n_steps, curvature)
    rng, strengths = np.random.default_rng(seed), np.full(n_steps, strength)
    return np.array(
        [annealing.run(network, data, sample_log(network, rng), temperatures, strengths, rng).log_weight
         for _ in range(n_runs)]
    )  # fmt: skip


def truth(network, data):
    """The exact evidence, itself checked against enumeration elsewhere."""
    return exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence


def z_of_mean(log_weights, log_evidence):
    """How many standard errors the mean of exp(log weight) is from the evidence."""
    ratios = np.exp(log_weights - log_evidence)
    return (ratios.mean() - 1) / (ratios.std(ddof=1) / np.sqrt(len(ratios)))


@pytest.mark.parametrize("label", list(BINARY)[::3])
def test_the_mean_weight_is_the_evidence(label):
    """Twelve structures with two hidden variables."""
    network = BINARY[label]
    found = weights(network, BINARY_DATA, 1500, 1)
    assert abs(z_of_mean(found, truth(network, BINARY_DATA))) < 4
    assert np.exp(found - found.max()).sum() ** 2 / np.exp(2 * (found - found.max())).sum() > 150


@pytest.mark.parametrize("name", ["asymmetric prior", "hidden chain", "hidden leaf", "declared in reverse"])
def test_the_mean_weight_is_the_evidence_of_other_networks(name):
    network = CASES[name]
    data = UniqueRows.of(random_data(network, 6, 3), observed_cardinalities(network))
    assert abs(z_of_mean(weights(network, data, 1500, 2), truth(network, data))) < 4


MUTABLE = DiscreteNetwork.build({"h": 2, "y": 2}, {"y": ["h"]}, ["h"])
FEW = np.array([[0], [0], [0], [0]])


def twin_weights(n_runs, **mutation):
    rng, temperatures = np.random.default_rng(5), nonlinear_schedule(25, 1.0)
    return np.array(
        [anneal(MUTABLE, FEW, sample_log(MUTABLE, rng), temperatures, np.full(25, 6.0), rng, **mutation)[0]
         for _ in range(n_runs)]
    )  # fmt: skip


def test_the_check_notices_a_missing_proposal_ratio():
    expected = truth(MUTABLE, UniqueRows.of(FEW, [2]))
    with np.errstate(all="ignore"):  # the mutant is drawn to where entries underflow
        right, wrong = twin_weights(600), twin_weights(600, proposal_ratio=False)
    assert abs(z_of_mean(right, expected)) < 4
    assert abs(z_of_mean(wrong, expected)) > 4


@pytest.mark.parametrize("name", sorted(name for name in CASES if "small prior" not in name))
def test_a_run_is_the_twins_draw_for_draw(name):
    network = CASES[name]
    rows = random_data(network, 12, 4)
    data = UniqueRows.of(rows, observed_cardinalities(network))
    start = sample_log(network, np.random.default_rng(4))
    temperatures, strengths = nonlinear_schedule(20, 0.5), np.linspace(30.0, 3.0, 20)
    found = annealing.run(network, data, start, temperatures, strengths, np.random.default_rng(6))
    with np.errstate(all="ignore"):
        log_weight, last, n_accepted = anneal(network, rows, start, temperatures, strengths, np.random.default_rng(6))
    assert found.log_weight == pytest.approx(log_weight, rel=1e-9)
    assert found.accepted.sum() == n_accepted
    np.testing.assert_allclose(found.log_parameters, last, rtol=1e-8, atol=1e-8)


def test_one_step_without_transitions_is_importance_sampling_from_the_prior():
    network = SPACE["1-12-12-2"]
    start = sample_log(network, np.random.default_rng(8))
    one = annealing.run(
        network, DATA, start, np.array([0.0, 1.0]), np.ones(1), np.random.default_rng(8), n_transitions=0
    )
    assert one.log_weight == pytest.approx(log_likelihood(network, np.exp(start), ROWS), rel=1e-12)
    np.testing.assert_array_equal(one.log_parameters, start)
    assert not one.accepted.any()


def without_data(monkeypatch):
    """Make every row weigh nothing, so that the likelihood is 1 everywhere."""

    def weightless(network, data):
        plan = layout(network, data)
        terms = dataclasses.replace(plan.terms, weights=np.zeros_like(plan.terms.weights))
        return dataclasses.replace(plan, weights=np.zeros_like(plan.weights), terms=terms)

    monkeypatch.setattr(annealing, "layout", weightless)


def test_a_constant_likelihood_gives_the_exact_answer(monkeypatch):
    without_data(monkeypatch)
    assert not weights(SPACE["1-12-12-2"], DATA, 20, 9).any()


@pytest.mark.parametrize("strength", [20.0, 200.0])
def test_transitions_leave_the_prior_as_it_is(strength, monkeypatch):
    """From a draw of the prior, with the likelihood taken away, 30 transitions end at a draw of the prior."""
    without_data(monkeypatch)
    network, rng = CASES["asymmetric prior"], np.random.default_rng(10)
    data = UniqueRows.of(random_data(network, 3, 1), observed_cardinalities(network))
    temperatures, strengths = nonlinear_schedule(30, 1.0), np.full(30, strength)
    ends = [annealing.run(network, data, sample_log(network, rng), temperatures, strengths, rng) for _ in range(3000)]
    theta = np.exp([end.log_parameters for end in ends])
    assert np.mean([end.accepted.sum() for end in ends]) > 0.5
    total = np.empty(network.n_entries)
    for row in rows_of_cells(network):
        total[row] = network.prior[row].sum()
    for power, moment in ((1, network.prior / total), (2, network.prior * (network.prior + 1) / total / (total + 1))):
        error = (theta**power).std(axis=0, ddof=1) / np.sqrt(len(theta))
        assert np.max(np.abs((theta**power).mean(axis=0) - moment) / error) < 4


@pytest.mark.parametrize("smallest", [1e-3, 1e-30, 1e-300])
@pytest.mark.parametrize("strength", [0.5, 2000.0, 1e6])
def test_entries_next_to_zero_give_no_nan(smallest, strength):
    """Whatever is proposed from there, the weight and the state stay finite; nearly all of it is rejected."""
    network = CASES["asymmetric small prior"]
    data = UniqueRows.of(random_data(network, 30, 2), observed_cardinalities(network))
    theta = np.full(network.n_entries, smallest)
    for row in rows_of_cells(network):
        theta[row[0]] = 1 - smallest * (len(row) - 1)
    n_steps = 500
    end = annealing.run(
        network, data, np.log(theta), nonlinear_schedule(n_steps, 0.2), np.full(n_steps, strength),
        np.random.default_rng(3),
    )  # fmt: skip
    assert np.isfinite(end.log_weight)
    assert np.isfinite(end.log_parameters).all()
    np.testing.assert_allclose([np.exp(end.log_parameters[row]).sum() for row in rows_of_cells(network)], 1, rtol=1e-12)


@pytest.mark.parametrize("curvature", [1e-3, 0.2, 5.0, 1e9])
def test_the_schedule_rises_from_zero_to_one(curvature):
    temperatures = nonlinear_schedule(1000, curvature)
    assert (temperatures[0], temperatures[-1]) == (0.0, 1.0)
    assert (np.diff(temperatures) > 0).all()
    k = 250
    assert temperatures[k] == pytest.approx(curvature * (k / 1000) / (1 - k / 1000 + curvature), rel=1e-14)


def test_acceptance_is_counted_by_quarters():
    """With tiny steps every proposal is accepted; a quarter has as many steps as it should."""
    network = SPACE["1-12-12-2"]
    for n_steps in (1, 3, 8, 13):
        end = annealing.run(
            network, DATA, sample_log(network, np.random.default_rng(1)), nonlinear_schedule(n_steps, 1.0),
            np.full(n_steps, 1e9), np.random.default_rng(2), n_transitions=5,
        )  # fmt: skip
        expected = np.bincount(4 * np.arange(n_steps) // n_steps, minlength=4) * 5
        assert np.abs(end.accepted - expected).max() <= 2
