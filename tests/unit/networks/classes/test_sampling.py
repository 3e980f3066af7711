"""Claim: classes are the same in all draws, whatever labels the chains had.

Truth: the same draws or chains with their labels exchanged; draws that are not relabelled must be noticed.
"""

from dataclasses import replace

import numpy as np
import pytest
from reference.classes import simulate

from ockham.networks.classes import sampling
from ockham.networks.classes.diagnostics import effective_sizes
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

MODEL = LatentClassModel.of(naive_bayes([3], [2] * 6)["classes-3"])
ROWS, _ = simulate([0.5, 0.3, 0.2], [[0.9] * 6, [0.1] * 6, [0.9] * 3 + [0.1] * 3], 150, np.random.default_rng(1))
DATA = UniqueRows.of(ROWS, [2] * 6)
ORDERS = ([0, 1, 2], [2, 0, 1], [1, 0, 2], [1, 2, 0])


def chains(orders, seed, n_draws=1000):
    best = sampling.starts(MODEL, DATA, Stream(0), 4).modes[0]
    return sampling.run_chains(MODEL, DATA, [best[MODEL.reordered(order)] for order in orders], Stream(seed), n_draws)


def z_scores(one, other):
    """Differences of the means of two sets of draws, in standard errors, which are those of the first for both."""
    error = np.sqrt(2 * np.exp(one).var(axis=(0, 1)) / effective_sizes(one))
    return (np.exp(one).mean(axis=(0, 1)) - np.exp(other).mean(axis=(0, 1))) / error


def test_labels_that_change_from_draw_to_draw_are_undone():
    draws, _ = chains(ORDERS[:1] * 2, 1, n_draws=200)
    rng = np.random.default_rng(2)
    mixed = np.array([[draw[MODEL.reordered(rng.permutation(3).tolist())] for draw in chain] for chain in draws])
    assert (mixed != draws).any()
    np.testing.assert_array_equal(sampling.labelled(MODEL, mixed), draws)


def test_permuted_starts_give_the_same_classes():
    as_found, permuted = chains(ORDERS[:1] * 4, 1)[0], chains(ORDERS, 2)[0]
    assert np.abs(z_scores(as_found, permuted)).max() < 4


def test_draws_that_are_not_relabelled_are_noticed(monkeypatch):
    as_found = chains(ORDERS[:1] * 4, 1)[0]
    monkeypatch.setattr(sampling, "labelled", lambda model, draws: draws)
    assert np.abs(z_scores(as_found, chains(ORDERS, 2)[0])).max() > 4


def test_the_largest_class_comes_first():
    draws, _ = chains(ORDERS, 3, n_draws=200)
    assert (np.diff(np.exp(MODEL.log_sizes(draws)).mean(axis=(0, 1))) < 0).all()


def test_classes_that_the_prior_tells_apart_stay_where_they_are():
    network = MODEL.network
    prior = network.prior.copy()
    prior[0] = 0.5
    model = LatentClassModel.of(replace(network, prior=prior))
    draws, _ = chains(ORDERS[1:2] * 2, 1, n_draws=100)
    first = sampling.labelled(model, draws)[..., model.class_entries[0]]
    np.testing.assert_array_equal(first, draws[..., MODEL.class_entries[0]])


@pytest.mark.parametrize("n_draws", [100, 101])
def test_sweeps_between_draws_are_doubled_until_there_are_enough(n_draws, monkeypatch):
    monkeypatch.setattr(sampling, "effective_sizes", lambda draws: np.zeros(1))
    draws, thinning = chains(ORDERS[:2], 1, n_draws)
    assert draws.shape == (2, n_draws, MODEL.network.n_entries)
    assert thinning == sampling.MOST_THINNED
    monkeypatch.setattr(sampling, "effective_sizes", lambda draws: np.full(1, n_draws))
    monkeypatch.setattr(sampling, "LARGEST_REDUCTION", np.inf)
    assert chains(ORDERS[:2], 1, n_draws)[1] == 1


def test_thinned_draws_are_those_of_one_chain_further_apart(monkeypatch):
    """Every second of a chain that is not thinned, to the last bit."""
    monkeypatch.setattr(sampling, "labelled", lambda model, draws: draws)
    monkeypatch.setattr(sampling, "effective_sizes", lambda draws: np.zeros(1))
    monkeypatch.setattr(sampling, "MOST_THINNED", 2)
    monkeypatch.setattr(sampling, "PIECE", 50)
    every_second, _ = chains(ORDERS[:2], 1, 100)
    monkeypatch.setattr(sampling, "MOST_THINNED", 1)
    every, _ = chains(ORDERS[:2], 1, 200)
    np.testing.assert_allclose(every_second, every[:, 1::2], rtol=1e-9)
