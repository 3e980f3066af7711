"""Claim: the kernel draws classes as evidences of completed rows say, at every temperature, for items of every kind.

Source of truth: evidences of completed rows by the items' own formulas (reference/annealed_classes.py). A prior that
differs in one number must be noticed, and arrays that do not fit together refused.
"""

import numpy as np
import pytest
from reference.annealed_classes import anneal
from reference.mixed_items import ITEMS, mixture, small_table

from ockham.kernels import mixture_completions
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.layout import conjugates
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson

TEMPERATURES = np.linspace(0.0, 1.0, 13) ** 2
KINDS = {name: {name: item} for name, item in ITEMS.items()} | {
    "all": ITEMS,
    "sparse": {"category": Categorical(5, 1e-10), "ordering": Ordered(4, 1e-6)},
    "vague": {"number": Gaussian(0.0, 0.1, 1e-3, 0.5), "count": Poisson(1.0, 1e-3), "share": Binomial(1000, 1e-3)},
}
every_kind = pytest.mark.parametrize("items", KINDS.values(), ids=KINDS)


def case(items, seed=1, n_classes=3, n_cases=9):
    """A mixture, and its statistics by case."""
    model = mixture(n_classes, 0.7, items)
    return model, Design.of(model, small_table(model, seed, n_cases)).by_case().statistics


def run(model, statistics, seed=1, **other):
    """The last classes and the log weight."""
    items = conjugates(tuple(model.items.values()))._asdict()
    classes = np.full(len(statistics), -1, dtype=np.int32)
    given = {"statistics": statistics, "temperatures": TEMPERATURES, "weights_prior": model.concentration}
    work = np.full((model.n_classes, model.n_statistics + 3), np.nan)
    arrays = items | given | {"classes": classes, "work": work} | other
    return arrays["classes"], mixture_completions.log_weight(np.random.PCG64(seed), **arrays)


@every_kind
@pytest.mark.parametrize(("seed", "n_classes"), [(1, 1), (1, 2), (2, 3), (3, 5)])
def test_classes_are_drawn_as_the_twin_draws_them(items, seed, n_classes):
    model, statistics = case(items, seed, n_classes)
    classes, log_weight = run(model, statistics, seed)
    expected, of_expected = anneal(model, statistics, TEMPERATURES, np.random.Generator(np.random.PCG64(seed)))
    assert (classes == expected).all()
    assert log_weight == pytest.approx(of_expected, rel=1e-9, abs=1e-8)


@every_kind
def test_another_prior_is_noticed(items):
    model, statistics = case(items)
    log_weight = run(model, statistics)[1]
    prior = conjugates(tuple(items.values())).prior
    for i, k in np.argwhere(prior[:, :3] > 0):  # the fourth of a Gaussian item is for modes
        other = prior.copy()
        other[i, k] *= 1.2
        assert abs(run(model, statistics, prior=other)[1] - log_weight) > 1e-6 * prior[i, k]
    assert abs(run(FiniteMixture(3, items, 0.8), statistics)[1] - log_weight) > 1e-3


def test_cells_that_are_far_from_each_other_lose_nothing():
    """Sums of squares of ten digits, taken from a class again and again."""
    items = {"number": Gaussian(0.0, 1.0, 1e-3, 0.5), "count": Poisson(1.0, 0.5)}
    model, statistics = case(items)
    statistics[::2] = 1.0, 90_000.0, 90_000.0**2, 1.0, 900_000.0
    temperatures = np.linspace(0.0, 1.0, 100)
    classes, log_weight = run(model, statistics, temperatures=temperatures)
    expected, of_expected = anneal(model, statistics, temperatures, np.random.Generator(np.random.PCG64(1)))
    assert (classes == expected).all()
    assert log_weight == pytest.approx(of_expected, rel=1e-7)


def test_no_case_has_the_evidence_one():
    model, statistics = case(ITEMS)
    assert run(model, statistics[:0])[1] == 0.0


def test_arrays_that_do_not_fit_together_are_refused():
    model, statistics = case(ITEMS)
    for name, short in (
        ("classes", np.empty(1, dtype=np.int32)),
        ("work", np.empty((3, 2))),
        ("work", np.empty((0, model.n_statistics + 3))),
        ("temperatures", np.zeros(1)),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            run(model, statistics, **{name: short})
    with pytest.raises(ValueError, match=r"fit together|out of range|another number"):
        run(model, np.ascontiguousarray(statistics[:, :-1]))
    kinds = conjugates(tuple(ITEMS.values())).kinds
    with pytest.raises(ValueError, match="another number of statistics"):
        run(model, statistics, kinds=kinds[::-1].copy())
    with pytest.raises(ValueError, match="out of range"):
        run(model, statistics, kinds=kinds + 9)
    with pytest.raises(ValueError, match="do not fit together"):
        run(model, statistics, kinds=kinds[1:].copy())
