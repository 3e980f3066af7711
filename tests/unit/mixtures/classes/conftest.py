"""Selections from mixed tables small enough for exact evidences."""

import numpy as np
import pandas as pd
import pytest

import ockham

RNG = np.random.default_rng(8)
TINY = pd.DataFrame({
    "colour": ["red", "blue", None, "red", "red", "blue", "red", "blue", "red", "blue"],
    "height": [1.71, 1.82, 1.65, 1.9, np.nan, 1.55, 1.6, 1.77, 1.81, 1.69],
    "visits": [0, 3, 1, 4, 2, 0, 1, 12, 2, 3],
    "grade": [1, 2, 3, 2, 1, 3, 3, 2, 2, 1],
})  # fmt: skip
TYPES = {"visits": "count", "grade": "ordered"}


@pytest.fixture(scope="session")
def tiny():
    """The table, 10 rows of four items, each of another kind."""
    return TINY


@pytest.fixture(scope="session")
def selection():
    """One to three classes of it, all exact."""
    return ockham.select(TINY, [1, 2, 3], items=TYPES, progress=False)
