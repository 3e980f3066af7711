"""Claim: the observed information is minus the Hessian, and Laplace's method is right where it should be.

Truth: hyper-dual automatic differentiation and finite differences of the slow twin's objective; the closed form of
complete data, which Laplace approaches as 1 / n; a determinant that is not positive at a saddle.
"""

import numpy as np
import pytest
from reference.derivatives import second_derivatives
from reference.network import map_objective, normalise, relabelled, rows_of_cells
from reference.network_cases import CASES, observed_cardinalities, random_data, random_parameters
from scipy.linalg import block_diag

from ockham.errors import ModelError
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import information
from ockham.networks.inference.information import ObservedInformation, free_entries
from ockham.networks.scorers import exact, laplace
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

SMALL = [name for name in sorted(CASES) if CASES[name].n_parameters < 25 and "small prior" not in name]


def data_of(network, rows):
    return UniqueRows.of(rows, observed_cardinalities(network))


@pytest.mark.parametrize("name", SMALL)
def test_observed_information_is_minus_the_hessian(name):
    network = CASES[name]
    rows, theta = random_data(network, 6, 4), random_parameters(network, 4)
    found = ObservedInformation(network, data_of(network, rows), np.log(theta)).whole()
    expected = -second_derivatives(network, np.log(theta), rows)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10)


def test_observed_information_agrees_with_finite_differences():
    network, step = CASES["bipartite 1-12-12-2"], 1e-4
    rows, theta = random_data(network, 8, 5), random_parameters(network, 5)
    found = ObservedInformation(network, data_of(network, rows), np.log(theta)).whole()
    rng = np.random.default_rng(5)

    def along(direction, size):
        moved = np.log(theta)
        moved[free_entries(network)] += size * direction
        return map_objective(network, normalise(network, np.exp(moved)), rows, network.prior)

    for _ in range(5):
        direction = rng.normal(size=network.n_parameters)
        second = (along(direction, step) - 2 * along(direction, 0) + along(direction, -step)) / step**2
        assert direction @ found @ direction == pytest.approx(-second, rel=1e-5)


@pytest.mark.parametrize("lost", ["missing information", "prior", "factor"])
def test_the_check_of_the_hessian_notices_what_is_lost(lost, monkeypatch):
    """Without the covariance of the score, without the prior, or with a count too many."""
    network = CASES["bipartite 1-12-12-2"]
    rows, theta = random_data(network, 6, 4), random_parameters(network, 4)
    observed = ObservedInformation(network, data_of(network, rows), np.log(theta))
    if lost == "missing information":
        monkeypatch.setattr(observed, "_parts", lambda n_free: [])
    elif lost == "prior":
        observed._totals = observed._totals - np.bincount(network.rows, network.prior)[network.rows]
    else:
        observed._counts = observed._counts + 1
    expected = -second_derivatives(network, np.log(theta), rows)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(observed.whole(), expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_relabelled_classes_have_the_same_determinants(seed):
    """At the parameters with their classes permuted; parameters permuted in one family alone are no relabelling."""
    network = naive_bayes([4], [2, 3, 2])["classes-4"]
    data, theta = data_of(network, random_data(network, 30, seed)), random_parameters(network, seed)

    def log_determinants(parameters):
        information = ObservedInformation(network, data, np.log(parameters))
        parts = information.whole(), *information.blocks()
        return [np.linalg.slogdet(parts[0])[1], sum(np.linalg.slogdet(b)[1] for b in parts[1:]),
                np.log(np.abs(information.diagonal())).sum()]  # fmt: skip

    here = log_determinants(theta)
    order = [2, 0, 3, 1]
    moved = relabelled(network, theta, {}, {0: order})
    assert not np.array_equal(moved, theta)
    # The first class of a row has no natural parameter, so the diagonal alone depends on the labels of the classes.
    np.testing.assert_allclose(log_determinants(moved)[:2], here[:2], rtol=1e-10)
    first = slice(0, 4)
    alone = theta.copy()
    alone[first] = theta[first][order]
    assert abs(log_determinants(alone)[0] - here[0]) > 1e-3


def test_rows_in_parts_add_up(monkeypatch):
    network = CASES["bipartite 1-12-12-2"]
    data, theta = data_of(network, random_data(network, 40, 6)), random_parameters(network, 6)
    whole = ObservedInformation(network, data, np.log(theta)).whole()
    monkeypatch.setattr(information, "CHUNK", 1)
    found = ObservedInformation(network, data, np.log(theta))
    np.testing.assert_allclose(found.whole(), whole, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.diagonal(), np.diag(whole), rtol=1e-10, atol=1e-12)
    owner = np.repeat(np.arange(network.n_variables), [len(block) for block in found.blocks()])
    blocks = np.where(owner[:, None] == owner, whole, 0.0)
    np.testing.assert_allclose(block_diag(*found.blocks()), blocks, rtol=1e-10, atol=1e-12)


def test_only_the_whole_takes_every_completion_times_every_parameter(monkeypatch):
    """A completion uses one row of a variable, so that its block costs no more than its entries: section 3.6."""
    network = naive_bayes([4], [2, 3, 2])["classes-4"]
    data, theta = data_of(network, random_data(network, 30, 1)), random_parameters(network, 1)
    found, taken = ObservedInformation(network, data, np.log(theta)), []
    scores = found._scores
    monkeypatch.setattr(found, "_scores", lambda *given: taken.append(given) or scores(*given))
    found.blocks(), found.diagonal()
    assert not taken
    found.whole()
    assert len(taken) == network.n_variables


def score(network, data, **settings):
    chosen = laplace.Settings(tolerance=1e-12, per_datum=False, max_iterations=20_000, **settings)
    return laplace.score(network, data, chosen, Stream(2))


def test_complete_data_are_approached_as_one_over_n():
    network = CASES["observed only"]
    states = draw(network, random_parameters(network, 1), 16_000, np.random.default_rng(1))
    errors = []
    for n in (1000, 4000, 16_000):
        data = data_of(network, states[:n])
        truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
        found = {name: evidence.log_evidence - truth for name, evidence in score(network, data).items()}
        assert found["laplace_block"] == pytest.approx(found["laplace"], abs=1e-9)
        errors.append(found["laplace"])
    assert abs(errors[0]) < 0.2
    np.testing.assert_allclose(np.array(errors[:-1]) / errors[1:], 4, rtol=0.2)


def test_hidden_variables_are_near_the_exact_evidence():
    """One well-determined hidden class: with ln S added, within a nat of the truth, and a wrong Hessian is not."""
    network = DiscreteNetwork.build({"h": 2, "a": 2, "b": 2, "c": 2}, {v: ["h"] for v in "abc"}, ["h"], prior=2.0)
    data = UniqueRows.of([[0, 0, 0]] * 9 + [[1, 1, 1]] * 9 + [[0, 0, 1], [1, 1, 0]], [2] * 3)
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    found = score(network, data)["laplace"].log_evidence + np.log(network.n_aliases)
    assert abs(found - truth) < 1.0
    assert abs(found - network.n_parameters / 2 * np.log(2 * np.pi) - truth) > 1.0


@pytest.mark.parametrize("name", SMALL)
def test_blocks_and_diagonal_are_parts_of_the_whole(name):
    network = CASES[name]
    rows, theta = random_data(network, 12, 4), random_parameters(network, 4)
    information = ObservedInformation(network, data_of(network, rows), np.log(theta))
    whole, first = information.whole(), 0
    np.testing.assert_allclose(information.diagonal(), np.diag(whole), rtol=1e-10, atol=1e-12)
    for block in information.blocks():
        part = slice(first, first + len(block))
        np.testing.assert_allclose(block, whole[part, part], rtol=1e-10, atol=1e-12)
        first += len(block)
    assert first == len(whole) == network.n_parameters


@pytest.mark.parametrize("name", ["laplace", "laplace_block", "laplace_diagonal"])
def test_the_three_differ_by_what_their_determinants_leave_out(name):
    network = naive_bayes([2], [2, 3, 2])["classes-2"]
    rows = random_data(network, 30, 3)
    data = data_of(network, rows)
    found = score(network, data)
    start = sample_log(network, Stream(2).child("initial parameters").generator())
    fit = laplace.em.run(network, data, start, network.prior, max_iterations=20_000, tolerance=1e-12)
    full = -second_derivatives(network, np.log(fit.parameters), rows)
    owner = np.concatenate([[i] * (r - 1) * q for i, (q, r) in enumerate([(1, 2), (2, 2), (2, 3), (2, 2)])])
    kept = {
        "laplace": full,
        "laplace_block": np.where(owner[:, None] == owner, full, 0.0),
        "laplace_diagonal": np.diag(np.diag(full)),
    }
    difference = found["laplace"].log_evidence - found[name].log_evidence
    expected = (np.linalg.slogdet(kept[name])[1] - np.linalg.slogdet(full)[1]) / 2
    assert difference == pytest.approx(expected, abs=1e-6)


def test_there_is_no_score_at_a_saddle(monkeypatch):
    """From parameters that treat both classes alike EM never leaves them, and the peak is a saddle."""
    network = naive_bayes([2], [2, 2, 2])["classes-2"]
    data = UniqueRows.of([[0, 0, 0]] * 20 + [[1, 1, 1]] * 20, [2] * 3)
    assert all(evidence.diagnostics["positive_definite"] for evidence in score(network, data).values())
    flat = np.log(np.concatenate([np.full(len(row), 1 / len(row)) for row in rows_of_cells(network)]))
    monkeypatch.setattr("ockham.networks.inference.em.sample_starts", lambda *_: [flat])
    found = score(network, data)
    assert np.isnan(found["laplace"].log_evidence)
    assert np.isfinite(found["laplace_diagonal"].log_evidence)


def test_a_saddle_whose_determinant_is_positive_has_no_score(monkeypatch):
    """Three classes that are alike: two directions at a time tell them apart, so the signs of the Hessian cancel."""
    network = naive_bayes([3], [2, 2, 2])["classes-3"]
    data = UniqueRows.of([[0, 0, 0]] * 20 + [[1, 1, 1]] * 20, [2] * 3)
    flat = np.log(np.concatenate([np.full(len(row), 1 / len(row)) for row in rows_of_cells(network)]))
    monkeypatch.setattr("ockham.networks.inference.em.sample_starts", lambda *_: [flat])
    fit = laplace.em.run(network, data, flat, network.prior, max_iterations=20_000, tolerance=1e-12)
    whole = ObservedInformation(network, data, fit.log_parameters).whole()
    assert np.linalg.slogdet(whole)[0] == 1
    assert np.linalg.eigvalsh(whole)[0] < 0
    found = score(network, data)["laplace"]
    assert np.isnan(found.log_evidence)
    assert not found.diagnostics["positive_definite"]


def test_too_many_parameters_are_refused():
    network = naive_bayes([2], [2, 2, 2])["classes-2"]
    with pytest.raises(ModelError, match=r"Hessian of 7 parameters.*limit is 6.*max_parameters"):
        score(network, UniqueRows.of([[0, 0, 0]], [2] * 3), max_parameters=6)


@pytest.mark.parametrize(("n_classes", "n_unused"), [(2, 0), (3, 1), (4, 2)])
def test_classes_that_hardly_a_case_is_in_are_counted(n_classes, n_unused):
    """Of two kinds of rows that differ everywhere."""
    network = naive_bayes([n_classes], [2] * 8)[f"classes-{n_classes}"]
    data = UniqueRows.of([[0] * 8] * 20 + [[1] * 8] * 20, [2] * 8)
    found = score(network, data, n_starts=16)["laplace_diagonal"]
    assert found.diagnostics["n_unused"] == n_unused
