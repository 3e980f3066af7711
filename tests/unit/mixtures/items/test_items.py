"""Claim: every kind of item is a conjugate pair in closed form, in one form for all of them.

Source of truth: SciPy's densities of the cells and of the prior, written out by themselves, and its quadrature.
"""

import re

import numpy as np
import pytest
from reference.mixed_items import ITEMS
from reference.mixture_fits import expected_of_item
from scipy import integrate, stats

from ockham.errors import ModelError
from ockham.mixtures.items.binomial import Binomial
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.gaussian import Gaussian
from ockham.mixtures.items.ordered import Ordered
from ockham.mixtures.items.poisson import Poisson

CELLS = {
    "category": np.array([0.0, 2.0, 2.0, 1.0]),
    "ordering": np.array([3.0, 0.0, 1.0, 1.0]),
    "number": np.array([9.0, 13.5, 12.0]),
    "count": np.array([0.0, 7.0, 3.0]),
    "share": np.array([5.0, 0.0, 4.0]),
}
every_item = pytest.mark.parametrize("name", ITEMS)


def sums(name, cells=None):
    return ITEMS[name].statistics(CELLS[name] if cells is None else cells).sum(axis=0)


def log_evidence(name, cells=None):
    """By the closed form."""
    item, cells = ITEMS[name], CELLS[name] if cells is None else cells
    return float(item.log_marginal(item.statistics(cells).sum(axis=0)) + item.log_base(cells).sum())


def integrated(name):
    """The evidence of the cells by quadrature over the parameters in their own units."""
    item, cells = ITEMS[name], CELLS[name]
    if name == "number":
        weight, scale = item.mean_weight, item.shape * item.deviation**2

        def of_variance(log_variance):
            variance = np.exp(log_variance)
            prior = stats.invgamma.pdf(variance, item.shape, scale=scale) * variance

            def of_mean(mean):
                deviation = np.sqrt(variance)
                return stats.norm.pdf(cells, mean, deviation).prod() * stats.norm.pdf(
                    mean, item.centre, deviation / np.sqrt(weight)
                )

            inside = integrate.quad(of_mean, item.centre - 60, item.centre + 60, points=[9, 10, 12, 14], limit=400)[0]
            return prior * inside

        return integrate.quad(of_variance, -6, 12, limit=400)[0]
    if name == "count":
        prior = stats.gamma(item.shape, scale=item.mean / item.shape)
        return integrate.quad(lambda rate: stats.poisson.pmf(cells, rate).prod() * prior.pdf(rate), 0, 60, limit=400)[0]
    if name == "share":
        prior = stats.beta(item.concentration, item.concentration)
        return integrate.quad(lambda p: stats.binom.pmf(cells, item.total, p).prod() * prior.pdf(p), 0, 1)[0]
    if name == "category":
        counts = np.bincount(cells.astype(int), minlength=3)

        def density(p, q):
            point = np.array([p, q, 1 - p - q])
            return (point**counts).prod() * stats.dirichlet.pdf(point, np.full(3, item.concentration))

        return integrate.dblquad(density, 1e-12, 1 - 1e-9, 1e-12, lambda q: 1 - q - 1e-12)[0]
    total = 1.0  # of an ordering: decision by decision
    for value in range(item.n_values - 1):
        mean = 1 / (item.n_values - value)
        prior = stats.beta(item.concentration * mean, item.concentration * (1 - mean))
        stop, on = (cells == value).sum(), (cells > value).sum()
        total *= integrate.quad(lambda p, s=stop, o=on, prior=prior: p**s * (1 - p) ** o * prior.pdf(p), 0, 1)[0]
    return total


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@every_item
def test_the_evidence_is_that_of_quadrature(name):
    assert np.exp(log_evidence(name)) == pytest.approx(integrated(name), rel=1e-4)


@every_item
def test_cells_one_after_another_have_the_evidence_of_all(name):
    """p(x_1) p(x_2 | x_1) ..., whose predictive is the mean of p(x | theta) over the updated prior."""
    item, rng = ITEMS[name], np.random.default_rng(1)
    before, last = CELLS[name][:-1], CELLS[name][-1:]
    drawn = item.sample(np.broadcast_to(sums(name, before), (200_000, item.n_statistics)), rng)
    density = np.exp(drawn @ item.statistics(last)[0] + item.log_base(last)[0])
    predicted = np.exp(log_evidence(name) - log_evidence(name, before))
    deviation = density.std() / np.sqrt(len(density))
    assert abs(density.mean() - predicted) < 4 * deviation
    assert abs(density.mean() - predicted * 1.2) > 4 * deviation


@every_item
def test_means_of_natural_parameters_are_those_of_draws(name):
    item, rng = ITEMS[name], np.random.default_rng(2)
    drawn = item.sample(np.broadcast_to(sums(name), (100_000, item.n_statistics)), rng)
    error = drawn.std(axis=0) / np.sqrt(len(drawn))
    z = (drawn.mean(axis=0) - expected_of_item(item, sums(name))) / error
    assert np.abs(z).max() < 4
    assert np.abs((drawn.mean(axis=0) - expected_of_item(item, 0.5 * sums(name))) / error).max() > 4


@every_item
def test_the_prior_density_is_that_of_its_draws(name):
    """Bayes' theorem: the density after cells is that of the prior times the likelihood over the evidence, and means
    over draws of the prior are means over draws after the cells with the inverse weights.
    """
    item, rng = ITEMS[name], np.random.default_rng(3)
    natural = item.sample(np.zeros((50, item.n_statistics)), rng)
    again = item.mode(np.zeros(item.n_statistics))
    assert (item.log_prior(natural) <= item.log_prior(again) + 1e-9).all()
    after = natural @ sums(name) + item.log_prior(natural)
    at_mode = item.mode(sums(name))
    assert (after <= at_mode @ sums(name) + item.log_prior(at_mode) + 1e-9).all()


@every_item
def test_statistics_and_natural_parameters_make_the_density_of_a_cell(name):
    item = ITEMS[name]
    natural = item.sample(np.zeros(item.n_statistics), np.random.default_rng(4))
    found = item.statistics(CELLS[name]) @ natural + item.log_base(CELLS[name])
    cells = CELLS[name]
    if name in ("category", "ordering"):
        expected = natural[cells.astype(int)]
        assert np.exp(natural).sum() == pytest.approx(1, rel=1e-12)
    elif name == "number":
        precision = -2 * natural[2]
        mean = item.centre + item.deviation * natural[1] / precision
        expected = stats.norm.logpdf(cells, mean, item.deviation / np.sqrt(precision))
    elif name == "count":
        expected = stats.poisson.logpmf(cells, np.exp(natural[1]))
    else:
        expected = stats.binom.logpmf(cells, item.total, np.exp(natural[0]))
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


@every_item
def test_drawn_cells_have_the_density(name):
    item, rng = ITEMS[name], np.random.default_rng(5)
    natural = item.mode(sums(name))
    cells = item.sample_cells(np.broadcast_to(natural, (50_000, item.n_statistics)), rng)
    statistics = item.statistics(cells)
    if name == "number":
        precision = -2 * natural[2]
        mean = natural[1] / precision
        expected = np.array([1, mean, mean**2 + 1 / precision])
    elif name == "count":
        expected = np.array([1, np.exp(natural[1])])
    elif name == "share":
        expected = item.total * np.exp(natural)
    else:
        expected = np.exp(natural)
    error = statistics.std(axis=0) / np.sqrt(len(cells))
    assert (np.abs(statistics.mean(axis=0) - expected) <= 4 * error + 1e-12).all()
    few = item.sample_cells(np.broadcast_to(natural, (9, item.n_statistics)), np.random.default_rng(5))
    np.testing.assert_array_equal(few, cells[:9])


def test_an_ordering_of_two_values_is_a_category():
    ordering, category = Ordered(2, 2.0), Categorical(2, 1.0)
    counts = np.array([[3.0, 1.0], [0.0, 4.0]])
    np.testing.assert_allclose(ordering.log_marginal(counts), category.log_marginal(counts), rtol=1e-12)
    np.testing.assert_allclose(expected_of_item(ordering, counts), expected_of_item(category, counts), rtol=1e-12)


def test_an_ordering_expects_all_values_alike():
    drawn = np.exp(Ordered(5, 3.0).sample(np.zeros((100_000, 5)), np.random.default_rng(6)))
    assert np.abs((drawn.mean(axis=0) - 0.2) / (drawn.std(axis=0) / np.sqrt(len(drawn)))).max() < 4


def test_the_unit_of_a_number_does_not_matter_but_for_its_density():
    """In units 1000 times smaller, with the prior in these, ln p is less by ln 1000 for every cell."""
    cells = np.array([9.0, 13.5, 12.0])
    metres, millimetres = Gaussian(10.0, 2.0), Gaussian(10_000.0, 2_000.0)
    values = [
        float(item.log_marginal(item.statistics(x).sum(axis=0)) + item.log_base(x).sum())
        for item, x in ((metres, cells), (millimetres, 1000 * cells))
    ]
    assert values[0] - values[1] == pytest.approx(3 * np.log(1000), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e30, 1e150])
def test_numbers_of_any_size_are_scored(scale):
    cells = scale * np.array([1.0, 2.0, 2.5])
    item = Gaussian(scale, scale)
    assert item.refusal(cells) is None
    found = float(item.log_marginal(item.statistics(cells).sum(axis=0)))
    plain = Gaussian(1.0, 1.0)
    assert found == pytest.approx(
        float(plain.log_marginal(plain.statistics(np.array([1.0, 2.0, 2.5])).sum(axis=0))), rel=1e-12
    )


REFUSED = {
    "holds 1.5, which is no state from 0 to 2": (Categorical(3), [0, 1.5]),
    "holds 3, which is no state from 0 to 2": (Ordered(3), [0, 3]),
    "holds -1, which is no count": (Poisson(), [2, -1]),
    "holds 2.5, which is no count": (Binomial(4), [2.5]),
    "holds 5, and counts go to 4": (Binomial(4), [5]),
    "counts go to 1,000,000; take it as a number": (Poisson(), [1e9]),
    "holds an infinite number": (Gaussian(), [1, np.inf]),
    r"holds 1e\+300, more than 100000 times the deviation": (Gaussian(), [1, 1e300]),
    "holds 1, more than 100000 times the deviation 1e-150": (Gaussian(0.0, 1e-150), [1, 2]),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_no_cell_of_an_item_is_refused_with_a_remedy(words):
    item, cells = REFUSED[words]
    found = item.refusal(np.array(cells, dtype=float))
    assert found is not None
    assert re.search(words, found)


def test_a_constant_number_says_nothing_of_classes():
    assert Gaussian().refusal(np.full(3, 3.0)) is None
    assert Gaussian().uninformative(np.full(3, 3.0)).startswith("is constant, 3 in every row")
    for cells in ([3.0], [3.0, 3.1], []):
        assert Gaussian().uninformative(np.array(cells)) is None
    assert Poisson().uninformative(np.full(3, 3.0)) is None


@pytest.mark.parametrize(
    "make",
    [
        lambda: Categorical(1), lambda: Categorical(2.0), lambda: Categorical(3, 0.0), lambda: Ordered(2, np.nan),
        lambda: Gaussian(np.nan), lambda: Gaussian(0, 0), lambda: Gaussian(0, 1e300), lambda: Gaussian(0, 1, 0),
        lambda: Gaussian(0, 1, 1, 0), lambda: Poisson(0.0), lambda: Poisson(1.0, np.inf), lambda: Binomial(0),
        lambda: Binomial(3, -1.0), lambda: Binomial("4"),
    ],
)  # fmt: skip
def test_hyperparameters_out_of_bounds_are_refused(make):
    with pytest.raises(ModelError, match="must be"):
        make()


def test_a_narrow_float_is_a_number_though_the_bounds_are_beyond_it():
    assert Gaussian(np.float32(0.5)).centre == 0.5
