"""Intervals are those of Student's t distribution.

Source of truth: SciPy's.
"""

from math import inf, nan

import numpy as np
import pytest
from scipy.stats import norm, t

from ockham.estimation.intervals import freedom_of_sum, interval


@pytest.mark.parametrize("probability", [0.5, 0.8, 0.95])
def test_ends_are_those_of_the_t_distribution(probability):
    for freedom, distribution in ((2, t(2)), (19, t(19)), (inf, norm)):
        low, high = interval(-4.0, 0.3, freedom, probability)
        assert np.allclose([low, high], distribution.interval(probability) * np.array(0.3) - 4.0)


def test_without_an_error_there_is_no_interval():
    assert np.isnan(interval(-4.0, nan, nan)).all()


def test_freedom_of_a_sum_is_that_of_the_variance_of_a_chi_square():
    """A variance v with f degrees of freedom varies by 2 v^2 / f; so does the sum, of independent ones."""
    variances, freedoms = (
        np.array([[1.0, 3.0], [2.0, 0.0], [0.0, 0.0]]),
        np.array([[4.0, 10.0], [7.0, inf], [3.0, inf]]),
    )
    found = freedom_of_sum(variances, freedoms)
    total = variances[0].sum()
    assert 2 * total**2 / found[0] == pytest.approx((2 * variances[0] ** 2 / freedoms[0]).sum())
    assert found[1:].tolist() == [7.0, inf]
