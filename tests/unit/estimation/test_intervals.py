"""Intervals are those of Student's t distribution.

Source of truth: SciPy's.
"""

from math import inf, nan

import numpy as np
import pytest
from scipy.stats import norm, t

from ockham.estimation.intervals import interval


@pytest.mark.parametrize("probability", [0.5, 0.8, 0.95])
def test_ends_are_those_of_the_t_distribution(probability):
    for freedom, distribution in ((2, t(2)), (19, t(19)), (inf, norm)):
        low, high = interval(-4.0, 0.3, freedom, probability)
        assert np.allclose([low, high], distribution.interval(probability) * np.array(0.3) - 4.0)


def test_ends_of_any_degrees_of_freedom():
    """Also where a t distribution is a normal one but for rounding, and where it has no variance."""
    rng = np.random.default_rng(1)
    freedom = np.concatenate([10 ** rng.uniform(-1, 15, 2000), np.arange(1, 50)]).reshape(3, -1)
    for probability in (0.5, 0.95, 0.999999):
        low, high = interval(0.0, 1.0, freedom, probability)
        np.testing.assert_allclose(high, -t(freedom).ppf((1 - probability) / 2), rtol=2e-13)
        np.testing.assert_array_equal(low, -high)
        assert not np.allclose(high, norm.ppf((1 + probability) / 2), rtol=1e-9)
        for most in (1e16, 1e100, np.finfo(float).max, np.inf):
            np.testing.assert_allclose(interval(0.0, 1.0, most, probability)[1], norm.ppf((1 + probability) / 2))


def test_the_ends_of_probabilities():
    assert interval(1.0, 2.0, 3.0, 0.0) == (1.0, 1.0)
    assert interval(1.0, 2.0, [3.0, inf], 1.0)[1].tolist() == [inf, inf]
    assert np.isnan(interval(1.0, 2.0, [3.0, 0.0, -1.0, nan], 1.5)).all()
    assert np.isnan(interval(1.0, 2.0, [0.0, -1.0, nan], 0.9)).all()


def test_without_an_error_there_is_no_interval():
    assert np.isnan(interval(-4.0, nan, nan)).all()
