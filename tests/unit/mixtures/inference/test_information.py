"""Claim: the observed information is minus the Hessian of the log posterior density, in the bases of the items.

Source of truth: central differences of the log likelihood and the prior density, along coordinates that are moved here
by their definitions. Information without what is missing must be noticed.
"""

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, sample_rows

from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import Parameters, Sums
from ockham.mixtures.inference import information
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.streams import Stream

STEP = 1e-4


def softmax(logs, move):
    """ln p after ln(p_k / p_0) are moved."""
    moved = logs + np.append(0.0, move)
    return moved - np.logaddexp.reduce(moved)


def ordered(logs, move):
    """ln p of states after the logits to stop at each are moved."""
    p = np.exp(logs)
    beyond = np.cumsum(p[::-1])[::-1]
    logits = np.log(p[:-1] / beyond[1:]) + move
    stop = 1 / (1 + np.exp(-logits))
    return np.log(np.append(stop, 1) * np.append(1, np.cumprod(1 - stop)))


def gaussian(natural, move):
    """Of mean and log variance."""
    variance = -0.5 / natural[2]
    mean, variance = natural[1] * variance + move[0], variance * np.exp(move[1])
    return np.array([-0.5 * np.log(2 * np.pi * variance) - mean**2 / (2 * variance), mean / variance, -0.5 / variance])


def poisson(natural, move):
    """Of the log rate."""
    return np.array([-np.exp(natural[1] + move[0]), natural[1] + move[0]])


MOVED = {"categorical": softmax, "ordered": ordered, "gaussian": gaussian, "poisson": poisson, "binomial": softmax}


def moved(model, parameters, coordinates):
    first = model.n_classes - 1
    natural, done = parameters.natural.copy(), first
    for k in range(model.n_classes):
        for item, at in model.slices:
            move = coordinates[done : done + item.n_parameters]
            natural[k, at] = MOVED[item.kind](natural[k, at], move)
            done += item.n_parameters
    assert done == model.n_parameters
    return Parameters(softmax(parameters.log_weights, coordinates[:first]), natural)


def by_differences(model, design, parameters):
    """Minus the Hessian."""
    d = model.n_parameters

    def density(coordinates):
        there = moved(model, parameters, coordinates)
        return float(design.log_likelihood(there) + model.log_prior(there))

    steps = STEP * np.eye(d)
    found = np.empty((d, d))
    for i in range(d):
        for j in range(i + 1):
            both = sum(a * b * density(a * steps[i] + b * steps[j]) for a in (1, -1) for b in (1, -1))
            found[i, j] = found[j, i] = -both / (4 * STEP**2)
    return found


def case(items, n_classes, seed):
    model = mixture(n_classes, items=items)
    data = MixedRows.of(sample_rows(mixture(2, items=items), np.random.default_rng(seed), 15), model.items)
    (parameters,) = starts(model, Design.of(model, data), Stream(seed), 1)
    return model, Design.of(model, data), parameters


@pytest.mark.parametrize("items", [*({name: item} for name, item in ITEMS.items()), ITEMS], ids=[*ITEMS, "all"])
@pytest.mark.parametrize("n_classes", [1, 2])
def test_it_is_minus_the_hessian(items, n_classes):
    model, design, parameters = case(items, n_classes, 3)
    found = information.observed_information(model, design, parameters)
    expected = by_differences(model, design, parameters)
    np.testing.assert_allclose(found, expected, atol=2e-5 * np.abs(expected).max())


def test_what_is_missing_is_noticed(monkeypatch):
    model, design, parameters = case({"count": ITEMS["count"]}, 2, 3)
    expected = by_differences(model, design, parameters)
    monkeypatch.setattr(information, "_scores", lambda model, design, _: np.zeros((2, len(design.counts), 1)))
    found = information.observed_information(model, design, parameters)
    assert np.abs(found - expected).max() > 1e-2 * np.abs(expected).max()


@pytest.mark.parametrize("name", ITEMS)
def test_derivatives_of_natural_parameters(name):
    item, model = ITEMS[name], mixture(1, items={name: ITEMS[name]})
    natural = model.sample(Sums(np.zeros(1), np.zeros((1, item.n_statistics))), np.random.default_rng(2)).natural[0]
    moves = 1e-5 * np.eye(item.n_parameters)
    found = [(MOVED[item.kind](natural, move) - MOVED[item.kind](natural, -move)) / 2e-5 for move in moves]
    np.testing.assert_allclose(item.jacobian(natural), np.array(found).T, rtol=1e-6, atol=1e-6)
