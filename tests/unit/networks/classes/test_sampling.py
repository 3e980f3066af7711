"""Claim: classes are the same in all draws, whatever labels the chains had.

Truth: the same draws or chains with their labels exchanged; draws that are not relabelled must be noticed.
"""

from dataclasses import replace

import numpy as np
from reference.classes import simulate

from ockham.estimation import chain_agreement
from ockham.estimation.chain_agreement import effective_sizes
from ockham.networks.classes import sampling
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
    one, other = MODEL.of_classes(one), MODEL.of_classes(other)
    error = np.sqrt(2 * one.var(axis=(0, 1)) / effective_sizes(one))
    return (one.mean(axis=(0, 1)) - other.mean(axis=(0, 1))) / error


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


def test_thinned_draws_are_those_of_one_chain_further_apart(monkeypatch):
    """Every second of a chain that is not thinned, to the last bit."""
    monkeypatch.setattr(sampling, "labelled", lambda model, draws: draws)
    monkeypatch.setattr(chain_agreement, "effective_sizes", lambda _: np.zeros(1))
    monkeypatch.setattr(chain_agreement, "MOST_THINNED", 2)
    monkeypatch.setattr(sampling, "PIECE", 50)
    every_second, _ = chains(ORDERS[:2], 1, 100)
    monkeypatch.setattr(chain_agreement, "MOST_THINNED", 1)
    every, _ = chains(ORDERS[:2], 1, 200)
    np.testing.assert_allclose(every_second, every[:, 1::2], rtol=1e-9)
