"""Selections from a table that is small enough for exact evidences, and evidences made up."""

from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd
import pytest
from reference.evidences import certified

from ockham.api.selecting import select
from ockham.contracts import Doubt

RNG = np.random.default_rng(5)
STATES = np.c_[RNG.integers(0, 2, (9, 3)), RNG.integers(0, 3, 9)]
TINY = pd.DataFrame(np.where(STATES > 0, np.where(STATES > 1, "c", "b"), "a"), columns=["x", "y", "z", "w"])
TINY.iloc[2, 1] = TINY.iloc[5, 1] = TINY.iloc[7, 3] = None


@pytest.fixture(scope="session")
def tiny():
    """The table, 9 rows of 4 items."""
    return TINY


@pytest.fixture(scope="session")
def selection():
    """One to three classes of it, all exact."""
    return select(TINY, [1, 2, 3], progress=False)


@pytest.fixture(scope="session")
def doubtful(selection):
    """The same, with one class known to within an error, two a bound, and three unknown; and without a fit of three."""
    from ockham.estimation.model_posterior import model_posterior
    from ockham.streams import Stream

    evidences = {1: certified(-30.0), 2: certified(nan, at_least=-31.0, doubt=Doubt.NOT_MIXED), 3: certified(nan)}
    posterior = model_posterior(evidences, Stream(0))
    main = replace(selection.main, evidences=evidences, posterior=posterior)
    fits = {k: fit for k, fit in selection.fits.items() if k < 3}
    return replace(selection, main=main, fits=fits, interrupted=True)
