"""Claim: the kernel puts cases into two classes as their predictive probabilities say, for items of every kind.

Source of truth: evidences of completed rows by the items' own formulas (reference/allocations.py). A prior that differs
in one number must be noticed, and arrays that do not fit together refused.
"""

import numpy as np
import pytest
from reference.allocations import allocate
from reference.mixed_items import ITEMS, mixture, small_table

from ockham.kernels import merge_split
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.layout import conjugates
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson

N_CHAINS, N_CASES = 40, 12
KINDS = {name: {name: item} for name, item in ITEMS.items()} | {
    "all": ITEMS,
    "sparse": {"category": Categorical(5, 1e-10), "ordering": Ordered(4, 1e-6)},
    "vague": {"number": Gaussian(0.0, 0.1, 1e-3, 0.5), "count": Poisson(1.0, 1e-3), "share": Binomial(1000, 1e-3)},
}
every_kind = pytest.mark.parametrize("items", KINDS.values(), ids=KINDS)


def case(items, seed=1, n_chains=N_CHAINS, n_cases=N_CASES):
    """A mixture and what the kernel is given; some chains move no case, and some all."""
    model, rng = mixture(2, 0.7, items), np.random.default_rng(seed)
    design = Design.of(model, small_table(mixture(2, items=items), seed, n_cases)).by_case()
    n_cases = len(design.counts)
    n_moved = rng.integers(n_cases + 1, size=n_chains)
    n_moved[:2] = 0, n_cases
    return model, {
        "statistics": design.statistics,
        "order": np.argsort(rng.random((n_chains, n_cases)), axis=1),
        "n_moved": n_moved,
        "old": rng.integers(2, size=(n_chains, n_cases)),
        "logistic": rng.logistic(size=(n_cases, n_chains)),
    }


def run(model, given, **other):
    """The classes and the log ratios, of arrays of which some may be others."""
    items = conjugates(tuple(model.items.values()))._asdict()
    new, log_ratio = np.empty_like(given["old"]), np.empty(len(given["order"]))
    arrays = items | given | {"new": new, "log_ratio": log_ratio, "work": np.empty((2, model.n_statistics))}
    merge_split.run(**(arrays | {"weights_prior": model.concentration} | other))
    return new, log_ratio


@every_kind
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cases_are_put_as_the_twin_puts_them(items, seed):
    model, given = case(items, seed)
    new, log_ratio = run(model, given)
    expected, of_expected = allocate(model, **given)
    assert (new == expected).all()
    assert (new != given["old"]).any()
    np.testing.assert_allclose(log_ratio, of_expected, rtol=1e-9, atol=1e-8)
    assert log_ratio[0] == 0  # no case of this chain moves


@every_kind
def test_another_prior_is_noticed(items):
    model, given = case(items)
    _, log_ratio = run(model, given)
    prior = conjugates(tuple(items.values())).prior
    for i, k in np.argwhere(prior[:, :3] > 0):  # the fourth of a Gaussian item is for modes
        other = prior.copy()
        other[i, k] *= 1.2
        assert np.abs(run(model, given, prior=other)[1] - log_ratio).max() > 1e-6 * prior[i, k]
    assert np.abs(run(FiniteMixture(2, items, 0.8), given)[1] - log_ratio).max() > 1e-3


def test_cells_that_are_far_from_each_other_lose_nothing():
    items = {"number": Gaussian(0.0, 1.0, 1e-3, 0.5), "count": Poisson(1.0, 0.5)}
    model, given = case(items)
    given["statistics"][::2] = 1.0, 90_000.0, 90_000.0**2, 1.0, 900_000.0
    new, log_ratio = run(model, given)
    expected, of_expected = allocate(model, **given)
    assert (new == expected).all()
    np.testing.assert_allclose(log_ratio, of_expected, rtol=1e-7, atol=1e-6)


def test_arrays_that_do_not_fit_together_are_refused():
    model, given = case(ITEMS)
    for name in ("order", "old", "logistic"):
        with pytest.raises(ValueError, match="do not fit together"):
            run(model, given, **{name: np.ascontiguousarray(given[name][:, :-1])})
    for name, short in (
        ("new", np.empty_like(given["old"][1:])),
        ("log_ratio", np.empty(1)),
        ("work", np.empty((2, 1))),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            run(model, given, **{name: short})
    with pytest.raises(ValueError, match=r"fit together|out of range"):
        run(model, given, statistics=np.ascontiguousarray(given["statistics"][:, :-1]))
    for name in ("order", "old", "n_moved"):
        for value in (-1, 10**8):
            broken = given[name].copy()
            broken.flat[-1] = value
            with pytest.raises(ValueError, match="out of range"):
                run(model, given, **{name: broken})
    with pytest.raises(ValueError, match="out of range"):
        run(model, given, logistic=given["logistic"][:-1])
    kinds = conjugates(tuple(ITEMS.values())).kinds
    with pytest.raises(ValueError, match="another number of statistics"):
        run(model, given, kinds=kinds[::-1].copy())
    with pytest.raises(ValueError, match="out of range"):
        run(model, given, kinds=kinds + 9)
    with pytest.raises(ValueError, match="do not fit together"):
        run(model, given, kinds=kinds[1:].copy())
