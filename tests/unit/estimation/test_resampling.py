"""Claim: systematic resampling draws in proportion to the weights. Truth: the expected numbers."""

import numpy as np
import pytest

from ockham.estimation.resampling import effective_share, systematic

WEIGHTS = np.array([3.0, 0.0, 1.0, 6.0])


def test_every_number_is_next_to_the_expected_one():
    numbers = np.bincount(systematic(WEIGHTS, 25, np.random.default_rng(1)), minlength=4)
    assert (np.abs(numbers - 2.5 * WEIGHTS) < 1).all()


def test_the_mean_number_is_the_expected_one():
    rng = np.random.default_rng(2)
    numbers = [np.bincount(systematic(WEIGHTS, 3, rng), minlength=4) for _ in range(4000)]
    np.testing.assert_allclose(np.mean(numbers, axis=0), 0.3 * WEIGHTS, atol=4 * 0.5 / np.sqrt(4000))


def test_equal_weights_are_all_effective_and_one_alone_is_one():
    assert effective_share(np.ones(5)) == pytest.approx(1.0)
    assert effective_share(np.array([0.0, 2.0, 0.0, 0.0])) == pytest.approx(0.25)
