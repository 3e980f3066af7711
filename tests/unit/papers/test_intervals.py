"""Columns of errors and of intervals are those of the rows, and of two papers the same.

Source of truth: a few rows by hand, and quantiles of SciPy.
"""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from ockham.papers.calibration import coverage
from ockham.papers.intervals import LEVELS, errors, holds, stated
from ockham.papers.mixed_classes import calibration

ROWS = pd.DataFrame({"error": [0.0, 0.3, -0.5, 1.0], "stated": [0.1, 0.2, 0.2, 0.6], "freedom": [7, np.inf, 3, 2]})


def test_an_interval_holds_where_the_error_is_within_the_quantile():
    for level in LEVELS:
        quantile = t.ppf((1 + level) / 2, ROWS.freedom)
        np.testing.assert_array_equal(holds(ROWS, level), abs(ROWS.error) <= quantile * ROWS.stated)


def test_columns_are_of_all_rows():
    assert errors(ROWS, "difference") == {
        "mean difference (nats)": pytest.approx(0.2), "root mean square (nats)": pytest.approx(np.sqrt(1.34 / 4)),
    }  # fmt: skip
    assert stated(ROWS) == {
        "stated (nats)": pytest.approx(np.sqrt(0.45 / 4)),
        "within 50% (%)": 25, "within 80% (%)": 50, "within 95% (%)": 100,
    }  # fmt: skip


def test_two_papers_have_the_same_columns():
    """For the same cells; the one also counts those without a truth."""
    every = ROWS.assign(judged=True, trusted=True, given=True)
    own, other = coverage._of(every), calibration._errors(ROWS.assign(doubt=False), "error")
    assert {name: own[name] for name in other} == other
