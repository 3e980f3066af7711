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


def test_without_an_error_there_is_no_interval():
    assert np.isnan(interval(-4.0, nan, nan)).all()
