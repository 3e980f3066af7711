"""Claim: ``em_ml`` ends at a maximum of the likelihood; where Gaussian items make that unbounded, its scores say so.

Sources of truth: closed forms of one class; EM of the discrete network with the same classes; random parameters nearby;
the exact evidence, which Cheeseman-Stutz is below.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, sample_rows, small_table
from scipy import stats

from ockham.contracts import Doubt
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Ordered, Poisson
from ockham.mixtures.scorers import em as em_map
from ockham.mixtures.scorers import em_ml, exact
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import em as network_em
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

LARGEST = 1e4
NAMES = set(em_ml.ESTIMATES)


def scored(model, cells, seed=1, **settings):
    data = MixedRows.of(cells, model.items)
    return em_ml.score(model, data, em_ml.Settings(**settings), Stream(seed))


def test_one_class_has_the_closed_forms():
    rng = np.random.default_rng(1)
    cells = np.stack(
        [rng.normal(3, 2, 50), rng.poisson(4, 50), rng.integers(0, 3, 50), rng.binomial(5, 0.3, 50)], axis=1
    )
    cells = np.concatenate([cells, rng.integers(0, 4, (50, 1))], axis=1)
    model = FiniteMixture(
        1, {"x": Gaussian(1.0), "c": Poisson(), "k": Categorical(4), "b": Binomial(5), "o": Ordered(4)}
    )
    shares = [np.bincount(cells[:, column].astype(int)) / 50 for column in (2, 4)]
    expected = (
        stats.norm.logpdf(cells[:, 0], cells[:, 0].mean(), cells[:, 0].std()).sum()
        + stats.poisson.logpmf(cells[:, 1], cells[:, 1].mean()).sum()
        + stats.binom.logpmf(cells[:, 3], 5, cells[:, 3].mean() / 5).sum()
        + sum(50 * (p[p > 0] * np.log(p[p > 0])).sum() for p in shares)
    )
    found = scored(model, cells)
    assert found["maximum_likelihood"].log_evidence == pytest.approx(expected, rel=1e-10)
    penalty = (2 + 1 + 3 + 1 + 3) / 2 * np.log(50)
    assert found["bic_ml"].log_evidence == pytest.approx(expected - penalty, rel=1e-10)
    assert all(one.trusted for one in found.values())


@pytest.mark.parametrize("seed", range(3))
def test_with_categories_alone_it_is_that_of_networks(seed):
    rows = np.random.default_rng(seed).integers(0, [2, 3, 4], (40, 3))
    network = naive_bayes([3], [2, 3, 4])["classes-3"]
    model = FiniteMixture(3, {f"x{r}": Categorical(r) for r in (2, 3, 4)})
    design = Design.of(model, MixedRows.of(rows, model.items))
    (start,) = starts(model, design, Stream(seed), 1)
    log_start = np.concatenate([start.log_weights, *(start.natural[:, at].ravel() for _, at in model.slices)])
    limits = {"max_iterations": 40, "tolerance": 0.0}
    there = network_em.run(network, UniqueRows.of(rows, [2, 3, 4]), log_start, 0 * network.prior, **limits)
    here = em.run(model, design, start, **limits, largest_precision=1.0)
    assert here.log_likelihood == pytest.approx(there.log_likelihood, rel=1e-9)


def test_it_is_a_maximum_and_the_likelihood_never_falls():
    model = mixture(2)
    design = Design.of(model, MixedRows.of(sample_rows(model, np.random.default_rng(4), 80), model.items))
    (start,) = starts(model, design, Stream(2), 1)
    limits = {"tolerance": 0.0, "largest_precision": LARGEST}
    values = [em.run(model, design, start, max_iterations=n, **limits).objective for n in range(30)]
    assert np.diff(values).min() >= -1e-9
    assert values[-1] > values[0] + 1
    end, rng = em.run(model, design, start, max_iterations=3000, **limits), np.random.default_rng(1)
    for _ in range(50):
        sums = Sums(*(part * np.exp(0.01 * rng.standard_normal(part.shape)) for part in end.sums))
        nearby = em.run(model, design, model.mode(sums), max_iterations=0, **limits)
        assert nearby.objective < end.objective


def test_a_class_on_one_point_is_doubted():
    """Two clusters, and a number that comes three times."""
    model = FiniteMixture(3, {"x": Gaussian(0.0, 1.0)})
    cells = np.concatenate([np.random.default_rng(1).normal(0, 1, 60), [7.0, 7.0, 7.0]])[:, None]
    doubted, values = 0, {}
    for least in (0.01, 0.001):
        found = scored(model, cells, n_starts=64, least_deviation=least)
        values[least] = found["maximum_likelihood"].log_evidence
        doubted += found["maximum_likelihood"].doubt == Doubt.NOT_A_MODE
        assert found["bic_ml"].doubt == Doubt.NOT_A_MODE
        assert found["bic_ml"].diagnostics["n_at_bound"] >= 1
        assert found["cheeseman_stutz_ml"].trusted
    assert doubted == 2
    assert values[0.001] - values[0.01] == pytest.approx(3 * np.log(10), abs=0.5)


def test_classes_that_are_wide_are_trusted():
    model = FiniteMixture(2, {"x": Gaussian(0.0, 1.0), "c": Poisson(3.0)})
    rng = np.random.default_rng(1)
    cells = np.stack([np.repeat([-4.0, 4.0], 50) + rng.normal(0, 1, 100), rng.poisson(3, 100)], axis=1)
    found = scored(model, cells)
    assert set(found) == NAMES
    assert all(one.trusted and one.diagnostics["n_at_bound"] == 0 for one in found.values())


@pytest.mark.parametrize("scorer", [em_map, em_ml], ids=["em", "em_ml"])
def test_fits_that_reach_the_cap_are_doubted_but_bounds_hold(scorer):
    model, data = mixture(2), small_table(mixture(2), 1, 12)
    for cap, doubt in ((1, Doubt.NOT_CONVERGED), (10_000, Doubt(0))):
        found = scorer.score(model, data, scorer.Settings(max_iterations=cap, n_starts=1), Stream(1))
        for name, one in found.items():
            assert one.doubt == (Doubt(0) if scorer.ESTIMATES[name].bound == "lower" else doubt)


@pytest.mark.parametrize(("precision", "n_cells", "n_at_bound"), [(1.0, 5.0, 1), (0.99, 5.0, 0), (1.0, 1e-4, 0)])
def test_a_class_is_at_the_bound_with_the_least_deviation_and_with_cells(precision, n_cells, n_at_bound):
    """Of two classes, the first wide."""
    model = FiniteMixture(2, {"x": Gaussian()})
    natural, items = np.zeros((2, model.n_statistics)), np.ones((2, model.n_statistics))
    natural[:, 2], items[1, 0] = -0.5 * np.array([0.1, precision]) * LARGEST, n_cells
    fit = SimpleNamespace(parameters=Parameters(np.log([0.5, 0.5]), natural), sums=Sums(np.ones(2), items))
    assert em_ml._n_at_bound(model, fit, LARGEST) == n_at_bound


def test_cheeseman_stutz_is_below_the_evidence():
    gaps = []
    for seed in range(30):
        model = mixture(1 + seed % 3, items=dict(list(ITEMS.items())[seed % 3 :]))
        data = small_table(model, seed, 6)
        truth = exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence
        found = em_ml.score(model, data, em_ml.Settings(n_starts=4), Stream(seed))["cheeseman_stutz_ml"]
        gaps.append(truth - found.log_evidence)
        assert np.isfinite(found.log_evidence)
    assert min(gaps) >= -1e-9
    assert max(gaps) > 0.1
