"""Claim: classes are the same in all draws, whatever labels the chains had; labels that nothing tells are uncertain.

Truth: the same draws with their labels exchanged; draws that are not relabelled must be noticed; classes of which it is
known that nothing tells them apart.
"""

import numpy as np
import pytest

from ockham.estimation.chain_agreement import scale_reductions
from ockham.mixtures.classes import sampling
from ockham.mixtures.classes.model import MixtureClasses
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import modes
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items import Categorical, Gaussian, Poisson
from ockham.streams import Stream

MODEL = MixtureClasses.of(FiniteMixture(3, {"a": Categorical(3), "x": Gaussian(0.0, 2.0), "n": Poisson(5.0)}))


def draws_about(cases, seed=1, n_draws=300):
    """Independent draws of the posterior given completed rows of three classes, with the sums that they were drawn of.

    Classes have so many cases, of different categories, numbers about -3, 0 and 3 and counts of about 2, 5 and 9; the
    sums vary from draw to draw as they do where rows change their classes.
    """
    rng = np.random.default_rng(seed)
    shape = (4, n_draws)
    n = rng.poisson(cases, (*shape, 3)).astype(float)
    items = np.zeros((*shape, 3, MODEL.mixture.n_statistics))
    for k, (centre, rate) in enumerate(zip((-3.0, 0.0, 3.0), (2.0, 5.0, 9.0), strict=True)):
        if cases[k] == 0:
            continue
        items[:, :, k, k] = n[..., k]
        items[:, :, k, 3] = n[..., k]
        items[:, :, k, 4] = n[..., k] * centre / 2
        items[:, :, k, 5] = n[..., k] * ((centre / 2) ** 2 + 0.25)
        items[:, :, k, 6:] = n[..., k, None] * [1, rate]
    drawn = MODEL.mixture.sample(Sums(n, items), rng)
    both = [np.concatenate([part[0], part[1].reshape(*shape, -1)], axis=-1) for part in (drawn, Sums(n, items))]
    return np.stack(both, axis=2)


def permuted(kept, orders):
    by_class = sampling._by_class(MODEL, kept)
    return sampling._by_entry(np.take_along_axis(by_class, orders[:, :, None, :, None], axis=3))


def test_labels_that_change_from_draw_to_draw_are_undone():
    kept = draws_about([90, 60, 30])
    orders = np.random.default_rng(2).permuted(np.tile(np.arange(3), (*kept.shape[:2], 1)), axis=2)
    mixed = permuted(kept, orders)
    assert (mixed != kept).any()
    np.testing.assert_array_equal(sampling.labelled(MODEL, mixed), kept)
    assert scale_reductions(MODEL.of_classes(kept[:, :, 0])).max() < 1.05


def test_the_largest_class_comes_first():
    found = sampling.labelled(MODEL, draws_about([30, 60, 90]))
    assert (np.diff(MODEL.sizes(found[:, :, 0]).mean(axis=(0, 1))) < 0).all()


def test_chains_of_permuted_starts_agree_when_they_are_relabelled(monkeypatch):
    rng = np.random.default_rng(3)
    classes = rng.choice(3, 120, p=[0.5, 0.3, 0.2])
    rows = np.stack(
        [classes, rng.normal(3.0 * classes - 3, 1.0), rng.poisson([2, 5, 9], (120, 3))[range(120), classes]], axis=1
    )
    design = Design.of(MODEL.mixture, MixedRows.of(rows, MODEL.mixture.items))
    start = modes.find(MODEL.mixture, design, Stream(0), 32, 2).for_chains(2)
    other = Parameters(*(np.stack([part[0], part[0][[2, 0, 1]]]) for part in start))
    draws, _, thinning = sampling.run_chains(MODEL, design, other, Stream(1), 200)
    assert thinning < 16
    assert scale_reductions(MODEL.of_classes(draws)).max() < 1.05
    monkeypatch.setattr(sampling, "labelled", lambda model, kept: kept)
    draws, _, _ = sampling.run_chains(MODEL, design, other, Stream(1), 200)
    assert scale_reductions(MODEL.of_classes(draws)).max() > 1.5


def certainty(kept):
    found = sampling.labelled(MODEL, kept)
    return sampling.label_certainty(MODEL, found[:, :, 0], found[:, :, 1])


def test_classes_far_apart_are_certain():
    assert (certainty(draws_about([90, 60, 30])) > 0.999).all()


def test_classes_without_rows_are_not_told_apart():
    found = certainty(draws_about([90, 0, 0]))
    assert found[0] > 0.999
    assert (found[1:] < 0.95).all()


def test_odds_are_those_of_densities_written_out():
    """The mean over completions of p(theta | completion), with two classes exchanged and without."""
    kept = draws_about([5, 4, 3], n_draws=2)
    draws, sums = (kept[:, :, side].reshape(-1, kept.shape[-1])[:4] for side in (0, 1))
    mixture, points = MODEL.mixture, sampling._by_class(MODEL, draws)
    completions = sampling._by_class(MODEL, sums)
    log_marginal = mixture.log_marginal(Sums(completions[..., 0], completions[..., 1:]))
    said = np.einsum("pks,ljs->plkj", points, completions)
    found = sampling._odds(said, log_marginal)

    def density(point):
        parameters = Parameters(point[:, 0], point[:, 1:])
        logs = [
            mixture.log_joint(parameters, Sums(s[:, 0], s[:, 1:])) - m
            for s, m in zip(completions, log_marginal, strict=True)
        ]
        return np.exp(np.array(logs) + mixture.log_prior(parameters)).mean()

    expected = np.zeros((4, 3))
    for i, point in enumerate(points):
        for a, b in ((0, 1), (0, 2), (1, 2)):
            order = [{a: b, b: a}.get(k, k) for k in range(3)]
            expected[i, [a, b]] += density(point[order]) / density(point)
    np.testing.assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("thinning", [1, 4])
def test_thinned_draws_are_those_of_one_chain_further_apart(thinning, monkeypatch):
    rows = np.random.default_rng(4).integers(0, 3, (20, 3)).astype(float)
    design = Design.of(MODEL.mixture, MixedRows.of(rows, MODEL.mixture.items))
    start = modes.find(MODEL.mixture, design, Stream(0), 32, 2).for_chains(2)
    monkeypatch.setattr(sampling, "PIECE", 8)
    every = sampling._Chains(MODEL, design, start, np.random.default_rng(1)).sweep(40, 1)
    some = sampling._Chains(MODEL, design, start, np.random.default_rng(1)).sweep(40 // thinning, thinning)
    np.testing.assert_array_equal(some, every[:, thinning - 1 :: thinning])
