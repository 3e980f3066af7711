"""Claim: the objectives of EM and of variational EM rise at every step; where they end is a maximum, or a bound.

Sources of truth: the differences of the histories; random parameters near the end; the exact evidence.
"""

import numpy as np
import pytest
from reference.mixed_items import mixture, prior_draws, sample_rows, small_table
from reference.mixture_fits import expect, expected

from ockham.estimation.convergence import Search
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import Parameters, Sums
from ockham.mixtures.inference import completions, em, variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.streams import Stream

ROUNDING = 1e-9


def designed(n_classes, seed, n=40):
    model = mixture(n_classes)
    data = MixedRows.of(sample_rows(mixture(3), np.random.default_rng(seed), n), model.items)
    return model, Design.of(model, data)


def climb(algorithm, model, design, seed, n_steps=60):
    (start,) = starts(model, design, Stream(seed), 1)
    begun = start if algorithm is em else variational_em.begin(model, design, start)
    return [algorithm.run(model, design, begun, max_iterations=n, tolerance=0.0) for n in range(n_steps + 1)]


@pytest.mark.parametrize("algorithm", [em, variational_em], ids=["em", "variational"])
@pytest.mark.parametrize("n_classes", [1, 2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_objective_rises_at_every_step(algorithm, n_classes, seed):
    objectives = np.array([state.objective for state in climb(algorithm, *designed(n_classes, seed), seed)])
    assert np.diff(objectives).min() >= -ROUNDING
    if n_classes > 1:
        assert objectives[-1] - objectives[0] > 0.1


@pytest.mark.parametrize("algorithm", [em, variational_em], ids=["em", "variational"])
def test_a_step_that_forgets_half_of_the_rows_is_noticed(algorithm):
    model, design = designed(3, 1)
    half = design.part(np.arange(0, len(design.counts), 2))
    (start,) = starts(model, design, Stream(1), 1)
    begun = start if algorithm is em else variational_em.begin(model, design, start)
    objectives = []
    for _ in range(60):
        objectives.append(algorithm.run(model, design, begun, max_iterations=0, tolerance=0.0).objective)
        forgetful = algorithm.run(model, half, begun, max_iterations=1, tolerance=0.0)
        begun = forgetful.parameters if algorithm is em else forgetful.posterior
    assert np.diff(objectives).min() < -ROUNDING


def test_em_ends_at_a_maximum():
    model, design = designed(2, 3)
    end = em.search(model, design, Stream(1), Search(tolerance=1e-12), 40)
    rng = np.random.default_rng(0)
    for scale in (1e-3, 1e-2, 0.1):
        for _ in range(20):
            sums = Sums(*(part * np.exp(scale * rng.standard_normal(part.shape)) for part in end.sums))
            elsewhere = em.run(model, design, model.mode(sums), max_iterations=0, tolerance=0.0)
            assert elsewhere.objective <= end.objective + ROUNDING


def test_more_starts_begin_with_the_fewer_and_are_no_worse():
    model, design = designed(4, 5)
    (one,), (first, *_) = starts(model, design, Stream(2), 1), starts(model, design, Stream(2), 8)
    assert all((a == b).all() for a, b in zip(one, first, strict=True))
    values = [em.search(model, design, Stream(2), Search(n_starts=n), 40).objective for n in (1, 32)]
    assert values[1] >= values[0] - 1e-3


def test_variational_bounds_are_below_the_evidence_wherever_they_stand():
    for seed in range(20):
        model = mixture(1 + seed % 4)
        data = small_table(model, seed, 6)
        design = Design.of(model, data)
        exact = completions.log_evidence(model, design)
        for state in climb(variational_em, model, design, seed, 10):
            assert state.objective + design.log_base <= exact + ROUNDING


def test_a_bound_without_its_divergence_is_noticed():
    model = mixture(2)
    design = Design.of(model, small_table(model, 1, 6))
    exact = completions.log_evidence(model, design)
    end = climb(variational_em, model, design, 1, 10)[-1]
    divergence = model.log_joint(expected(model, end.posterior), end.posterior) - model.log_marginal(end.posterior)
    assert end.objective + float(divergence) + design.log_base > exact + 0.1


def test_a_class_on_one_point_has_a_finite_mode():
    """The prior keeps its variance off 0."""
    model = mixture(2, items={"number": mixture(1).items["number"]})
    cells = np.array([[10.0]] * 30 + [[17.3]])
    design = Design.of(model, MixedRows.of(cells, model.items))
    end = em.search(model, design, Stream(1), Search(), 31)
    assert np.isfinite(end.objective)
    assert (-2 * end.parameters.natural[:, 2] < 1e3).all()


def test_parameters_of_any_leading_shape_have_the_likelihood_of_each():
    model, design = designed(3, 1)
    several = prior_draws(model, np.random.default_rng(1), 5)
    found = design.log_likelihood(several)
    for i in range(5):
        assert found[i] == pytest.approx(expect(design, Parameters(*(part[i] for part in several)))[0], rel=1e-12)
