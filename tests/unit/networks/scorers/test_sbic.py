"""The singular BIC solves its equations, is BIC where nothing is singular, and less strict where something is.

Sources of truth: fixed points of the equations, by iteration; the likelihoods of maximum likelihood fits that
``em_ml`` makes; dimensions counted by hand.
"""

from math import log

import numpy as np
import pytest

from ockham.contracts import Doubt
from ockham.errors import ModelError
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.scorers import em_ml, sbic
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

TWO = naive_bayes([2], [2] * 4)["classes-2"]


def scored(network, data, **settings):
    return sbic.score(network, data, sbic.Settings(**settings), Stream(1, "sbic"))


def classes(n, apart, seed=2):
    """Rows of two classes whose probabilities are .5 - apart and .5 + apart."""
    log_parameters = np.log([0.5, 0.5] + [0.5 - apart, 0.5 + apart, 0.5 + apart, 0.5 - apart] * 4)
    rng = np.random.default_rng(seed)
    return UniqueRows.of(draw(TWO, np.exp(log_parameters), n, rng)[:, TWO.observed], [2] * 4)


def iterated(log_parts, n_steps=20_000):
    """The equations as a fixed point of the last model's, those before it solved so already, in plain numbers."""
    solved = []
    for i, parts in enumerate(np.exp(log_parts)):
        below = [j for j in range(i) if not np.isnan(parts[j])]
        value = parts[i]
        for _ in range(n_steps):
            total = value + sum(solved[j] for j in below)
            value = (parts[i] * value + sum(parts[j] * solved[j] for j in below)) / total
        solved.append(value)
    return log(solved[-1])


@pytest.mark.parametrize("seed", range(20))
def test_the_solution_is_the_fixed_point_of_the_equations(seed):
    rng = np.random.default_rng(seed)
    parts = rng.normal(0, 2, (4, 4))
    parts[np.triu_indices(4, 1)] = np.nan
    parts[2, 1] = np.nan
    assert sbic._solution(parts) == pytest.approx(iterated(parts), abs=1e-6)


@pytest.mark.parametrize("shift", [-1e5, 0.0, 1e5])
@pytest.mark.parametrize("apart", [0.0, 5.0, 400.0, -400.0, 3000.0, -3000.0])
def test_the_solution_holds_for_likelihoods_of_any_size(apart, shift):
    """Of two models: far above its submodel a model has its own part, far below it that at the submodel."""
    parts = np.array([[0.0, np.nan], [2.0 + apart, 1.0 + apart]]) + shift
    found = sbic._solution(parts) - shift
    assert 1.0 + apart - 1e-9 <= found <= 2.0 + apart + 1e-9
    if apart > 100:
        assert found == pytest.approx(1.0 + apart, abs=1e-6)
    if apart < -100:
        assert found == pytest.approx(2.0 + apart, abs=1e-6)
    assert sbic._solution(parts[:1, :1]) == shift


def test_where_nothing_is_hidden_it_is_bic():
    network = DiscreteNetwork.build({"a": 2, "b": 3}, {"b": ["a"]})
    data = UniqueRows.of(np.random.default_rng(1).integers(0, [2, 3], (50, 2)), [2, 3])
    expected = em_ml.score(network, data, em_ml.Settings(), Stream(1))["bic_ml"].log_evidence
    found = scored(network, data)
    assert found["sbic"].log_evidence == pytest.approx(expected, abs=1e-9)
    assert found["bic_effective"].log_evidence == pytest.approx(expected, abs=1e-9)


def test_where_the_submodel_is_far_off_it_is_bic_of_the_effective_dimension():
    found = scored(TWO, classes(500, 0.4))
    assert found["sbic"].log_evidence == pytest.approx(found["bic_effective"].log_evidence, abs=1e-3)
    fit = em_ml.score(TWO, classes(500, 0.4), em_ml.Settings(), Stream(1, "sbic"))["maximum_likelihood"].log_evidence
    assert found["bic_effective"].log_evidence == pytest.approx(fit - 9 / 2 * log(500), abs=1e-6)


def test_where_the_submodel_is_true_its_penalty_is_that_of_the_singularity():
    """(4 + 1) / 2 ln n in place of 9 / 2 ln n, but for a constant."""
    data = classes(2000, 0.0)
    found = scored(TWO, data)
    likelihood = found["sbic"].diagnostics["log_likelihood"]
    penalty = likelihood - found["sbic"].log_evidence
    assert penalty == pytest.approx(5 / 2 * log(2000), abs=2.0)
    assert likelihood - found["bic_effective"].log_evidence == pytest.approx(9 / 2 * log(2000), abs=1e-9)
    assert abs(penalty - 9 / 2 * log(2000)) > 10


def test_a_model_is_not_below_the_likelihood_of_its_submodels(monkeypatch):
    """Also where its own fit stays at a poor maximum."""
    right = sbic.em.search

    def search(network, *given):
        fit = right(network, *given)
        return sbic.em.State(
            fit.parameters, fit.counts, fit.log_likelihood - 50.0 * bool(network.hidden), fit.objective,
            fit.n_iterations, fit.converged, fit.history,
        )  # fmt: skip

    data = classes(100, 0.0)
    nothing_hidden = em_ml.score(
        naive_bayes([1], [2] * 4)["classes-1"], data, em_ml.Settings(), Stream(1)
    )["maximum_likelihood"].log_evidence  # fmt: skip
    monkeypatch.setattr(sbic.em, "search", search)
    assert scored(TWO, data)["sbic"].diagnostics["log_likelihood"] == pytest.approx(nothing_hidden, abs=1e-9)


def test_dimensions_are_effective_and_irrelevant_variables_do_not_count():
    space = bipartite([2, 2], [5] * 4)
    data = UniqueRows.of(np.random.default_rng(1).integers(0, 5, (60, 4)), [5] * 4)
    for label, dimension in (("0-0-0-0", 16), ("0-0-0-1", 16), ("0-0-1-1", 23), ("1-12-12-2", 50)):
        assert scored(space[label], data)["sbic"].diagnostics["effective_dimension"] == dimension
    first, second = (scored(space[label], data) for label in ("0-0-0-0", "0-0-0-1"))
    assert second["bic_effective"].log_evidence == pytest.approx(first["bic_effective"].log_evidence, abs=1e-4)
    assert second["sbic"].log_evidence == pytest.approx(first["sbic"].log_evidence, abs=1e-4)


def test_it_is_between_bic_of_the_effective_dimension_and_the_smallest_penalty():
    network = bipartite([2, 2], [3, 3, 3, 3])["12-12-12-1"]
    for n in (20, 200):
        data = UniqueRows.of(np.random.default_rng(n).integers(0, 3, (n, 4)), [3] * 4)
        found = scored(network, data)
        about = found["sbic"].diagnostics
        highest = about["log_likelihood"] - about["smallest_coefficient"] * log(n)
        assert found["bic_effective"].log_evidence < found["sbic"].log_evidence <= highest


def test_a_fit_that_is_stopped_is_doubted():
    found = scored(TWO, classes(100, 0.3), max_iterations=1)
    assert all(evidence.doubt == Doubt.NOT_CONVERGED for evidence in found.values())
    assert all(evidence.trusted for evidence in scored(TWO, classes(100, 0.3)).values())


def test_too_many_submodels_are_refused():
    names = {f"h{i}": 2 for i in range(9)}
    network = DiscreteNetwork.build(names | {"y": 2}, {"y": list(names)}, list(names))
    for refused in (
        lambda: scored(network, UniqueRows.of([[0], [1]], [2])),
        lambda: sbic.check(network, 2, sbic.Settings()),
    ):
        with pytest.raises(ModelError, match="fits 512 submodels, 256 are allowed"):
            refused()
