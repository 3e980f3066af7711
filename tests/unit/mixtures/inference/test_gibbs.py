"""Claim: a Gibbs sweep leaves the joint distribution of parameters, classes and rows as it is.

Source of truth: draws of the prior with their rows, whose parameters a sweep on the rows must not move in distribution.
Sweeps that see one of the rows again and again must be noticed.
"""

import os

import numpy as np
import pytest
from reference.mixed_items import enumerated, mixture, prior_draws, small_table

from ockham.mixtures.finite_mixture import Sums
from ockham.mixtures.inference import gibbs
from ockham.mixtures.inference.design import Design

N_SEEDS = int(os.environ.get("OCKHAM_TEST_SEEDS", "2"))
MODEL = mixture(2)
N_ROWS, N_DRAWS, N_SWEEPS = 6, 1500, 3


def functions(parameters):
    """Bounded functions of the parameters that do not depend on the names of the classes, shape (n, n_functions)."""
    weights = np.exp(parameters.log_weights)
    parts = [weights.max(axis=-1)]
    for item, at in MODEL.slices:
        natural = parameters.natural[..., at]
        squashed = np.tanh(natural if item.kind != "gaussian" else natural[..., 1:])
        parts += list(np.moveaxis((weights[..., None] * squashed).sum(axis=-2), -1, 0))
    return np.stack(parts, axis=-1)


def largest_deviation(seed, *, repeats_one=False):
    """Of the means of the functions after sweeps from those before, paired, in standard errors."""
    rng = np.random.default_rng(seed)
    differences = []
    for _ in range(N_DRAWS):
        before = prior_draws(MODEL, rng, 1)
        classes = rng.choice(2, N_ROWS, p=np.exp(before.log_weights[0]))
        cells = [(item, item.sample_cells(before.natural[0][classes][:, at], rng)) for item, at in MODEL.slices]
        statistics = np.concatenate([item.statistics(column) for item, column in cells], axis=1)
        if repeats_one:
            statistics = np.repeat(statistics[:1], N_ROWS, axis=0)
        design = Design(statistics, np.ones(N_ROWS), 0.0)
        *_, last = gibbs.sweeps(MODEL, design, before, rng, N_SWEEPS)
        differences.append(functions(last.parameters)[0] - functions(before)[0])
    differences = np.array(differences)
    return np.abs(differences.mean(axis=0) / (differences.std(axis=0) / np.sqrt(N_DRAWS))).max()


@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_a_sweep_leaves_the_prior_as_it_is_over_rows_drawn_from_it(seed):
    assert largest_deviation(seed) < 4.5


def test_rows_that_are_counted_again_and_again_are_noticed():
    assert largest_deviation(0, repeats_one=True) > 4.5


def test_the_posterior_of_enumerable_rows_is_sampled():
    """Share of draws in which two rows have one class, against the sum over partitions."""
    model, data = mixture(2), small_table(mixture(2), 4, 3)
    design = Design.of(model, data)
    assert (design.counts == 1).all()
    rng = np.random.default_rng(1)
    _, _, sums = gibbs.run(gibbs.sweeps(model, design, prior_draws(model, rng, 50), rng, 2000))
    together = (sums.cases.max(axis=-1) == 3)[:, 200:].mean(axis=1)
    whole = enumerated(model, data)
    every = model.log_marginal(
        Sums(np.array([3.0, 0.0]), np.stack([design.statistics.sum(axis=0), 0 * design.statistics[0]]))
    )
    expected = 2 * np.exp(float(every) + design.log_base - whole)
    assert abs(together.mean() - expected) < 4 * together.std() / np.sqrt(50)
