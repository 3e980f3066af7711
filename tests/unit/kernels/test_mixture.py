"""Claim: the kernels of mixtures take the steps of EM and of variational EM, for items of every kind.

Source of truth: the steps in NumPy by the items' own formulas (reference/mixture_fits.py). A prior that differs in one
number must be noticed, and arrays that do not fit together refused.
"""

from dataclasses import replace

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, sample_rows
from reference.mixture_fits import em_step, expect, variational_step

from ockham.kernels import mixture_em, mixture_variational_em
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.inference import em, variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.layout import by_statistic, layout
from ockham.mixtures.inference.starts import starts
from ockham.mixtures.items import Categorical, Gaussian, Poisson
from ockham.streams import Stream

N_STEPS = 10
KINDS = {name: {name: item} for name, item in ITEMS.items()} | {
    "all": ITEMS,
    "many": {f"{name} {copy}": item for name, item in ITEMS.items() for copy in range(4)},
}
every_kind = pytest.mark.parametrize("items", KINDS.values(), ids=KINDS)
classes = pytest.mark.parametrize("n_classes", [1, 2, 5])


def case(items, n_classes, seed=0, n=30):
    """With cells missing and rows that come again."""
    model = mixture(n_classes, items=items)
    cells = sample_rows(mixture(3, items=items), np.random.default_rng(seed), n)
    weights = np.random.default_rng(seed).integers(1, 4, n)
    design = Design.of(model, MixedRows.of(cells, model.items, weights=weights))
    (start,) = starts(model, design, Stream(seed), 1)
    return model, design, start


def close(sums, others):
    return all(np.allclose(a, b, rtol=1e-7, atol=1e-8) for a, b in zip(sums, others, strict=True))


@every_kind
@classes
def test_em_is_that_of_the_twin(items, n_classes):
    model, design, start = case(items, n_classes)
    parameters = start
    for step in range(N_STEPS):
        found = em.run(model, design, start, max_iterations=step, tolerance=0.0)
        log_likelihood, objective, following = em_step(model, design, parameters)
        assert found.log_likelihood == pytest.approx(log_likelihood, rel=1e-11)
        assert found.objective == pytest.approx(objective, rel=1e-11)
        assert close(found.sums, expect(design, parameters)[1])
        assert close(found.parameters, parameters)
        parameters = following


@every_kind
@classes
def test_variational_em_is_that_of_the_twin(items, n_classes):
    model, design, start = case(items, n_classes)
    posterior = begun = variational_em.begin(model, design, start)
    assert close(begun, expect(design, start)[1])
    for step in range(N_STEPS):
        found = variational_em.run(model, design, begun, max_iterations=step, tolerance=0.0)
        bound, sums = variational_step(model, design, posterior)
        assert found.objective == pytest.approx(bound, rel=1e-11)
        assert close(found.posterior, posterior)
        assert close(found.sums, sums)
        posterior = sums


@every_kind
def test_another_prior_is_noticed(items):
    model, design, start = case(items, 2)
    name = next(iter(items))
    begun, steps = variational_em.begin(model, design, start), {"max_iterations": 3, "tolerance": 0.0}
    for other in (
        FiniteMixture(2, items, 1.4),
        FiniteMixture(2, items | {name: _changed(items[name])}, model.concentration),
    ):
        modes = [em.run(m, design, start, **steps).objective for m in (model, other)]
        bounds = [variational_em.run(m, design, begun, **steps).objective for m in (model, other)]
        assert abs(modes[0] - modes[1]) > 1e-4
        assert abs(bounds[0] - bounds[1]) > 1e-4


def _changed(item):
    name = "shape" if item.kind in ("gaussian", "poisson") else "concentration"
    return replace(item, **{name: 1.1 * getattr(item, name)})


def test_cells_far_from_every_class_but_one_do_not_underflow():
    items = {f"x{i}": Gaussian() for i in range(40)} | {"count": Poisson(), "category": Categorical(2, 1e-10)}
    model = FiniteMixture(2, items)
    cells = np.concatenate([np.full((3, 42), 0.0), np.full((3, 42), 1.0)])
    cells[:, :40] += np.repeat([0.0, 1000.0], 3)[:, None] + np.tile(np.arange(3), 2)[:, None]
    cells[3:, 40] = 500_000
    design = Design.of(model, MixedRows.of(cells, items))
    (start,) = starts(model, design, Stream(3), 1)
    parameters = start
    for step in range(4):
        log_likelihood, _, following = em_step(model, design, parameters)
        found = em.run(model, design, start, max_iterations=step, tolerance=0.0)
        assert found.log_likelihood == pytest.approx(log_likelihood, rel=1e-9)
        parameters = following
    assert np.isfinite(variational_em.run(model, design, found.sums, max_iterations=5, tolerance=0.0).objective)


def test_rows_without_any_value_say_nothing():
    model = mixture(3)
    data = MixedRows.of(np.full((2, len(ITEMS)), np.nan), model.items, empty=True)
    design = Design.of(model, data)
    (start,) = starts(model, design, Stream(1), 1)
    assert em.run(model, design, start, max_iterations=3, tolerance=0.0).log_likelihood == 0
    begun = variational_em.begin(model, design, start)
    bound = variational_em.run(model, design, begun, max_iterations=3, tolerance=0.0).objective
    assert bound == pytest.approx(0, abs=1e-9)


def run(plan, kernel=mixture_em, natural=None):
    _, _, start = case(ITEMS, 2)
    weights, natural = np.array(start.log_weights), by_statistic(start.natural) if natural is None else natural
    sums, work = np.zeros_like(natural), np.empty(100_000)
    if kernel is mixture_em:
        return kernel.run(plan, weights, natural, weights.copy(), sums, 0.0, 2, 0.0, 0.0, work)
    return kernel.run(plan, np.ones(2), sums + 1, weights, natural, weights.copy(), sums, 2, 0.0, 0.0, work)


@pytest.mark.parametrize("kernel", [mixture_em, mixture_variational_em], ids=["em", "variational"])
def test_arrays_that_do_not_fit_together_are_refused(kernel):
    model, design, _ = case(ITEMS, 2)
    plan = layout(model, design)
    assert np.isfinite(run(plan, kernel)[0])
    for name in ("cell_start", "cell_statistics", "kinds", "first"):
        for value in (-1, 10**8):
            broken = getattr(plan, name).copy()
            broken[-1] = value
            with pytest.raises(ValueError, match="out of range"):
                run(replace(plan, **{name: broken}), kernel)
    for name in ("cell_counts", "cell_values", "prior", "kinds"):
        with pytest.raises(ValueError, match=r"fit together|out of range"):
            run(replace(plan, **{name: getattr(plan, name)[:-1].copy()}), kernel)
    with pytest.raises(ValueError, match="another number of statistics"):
        run(replace(plan, kinds=plan.kinds[::-1].copy()), kernel)
    with pytest.raises(ValueError, match="fit together"):
        run(plan, kernel, natural=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="fit together"):
        run(replace(plan, n_statistics=2), kernel)


def test_variational_em_without_a_prior_is_refused():
    model, design, _ = case(ITEMS, 2)
    with pytest.raises(ValueError, match="needs a prior"):
        run(layout(model, design).without_prior(1.0), mixture_variational_em)


def test_parameters_are_copied():
    model, design, start = case(ITEMS, 2)
    before = Parameters(*(part.copy() for part in start))
    em.run(model, design, start, max_iterations=3, tolerance=0.0)
    assert all((a == b).all() for a, b in zip(before, start, strict=True))
