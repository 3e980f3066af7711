"""Errors beside those that estimates state, and how often their intervals hold the truth: columns of tables."""

import numpy as np
import pandas as pd

from ockham.estimation.intervals import interval

__all__ = ["LEVELS", "errors", "holds", "stated"]

LEVELS = (0.5, 0.8, 0.95)
"""Probabilities of the intervals of a table."""


def errors(of: pd.DataFrame, name: str = "error") -> dict[str, float]:
    """The mean and the root mean square of the column ``error`` of one row or more, nats.

    ``name`` is what the column of the mean calls an error.
    """
    error = of.error.to_numpy()
    return {f"mean {name} (nats)": error.mean(), "root mean square (nats)": np.sqrt((error**2).mean())}


def stated(of: pd.DataFrame) -> dict[str, float]:
    """The root mean square of the errors that are stated, nats, and the percentages of the intervals that hold 0.

    ``of`` has the columns of ``holds``, and at least one row.
    """
    found = {"stated (nats)": np.sqrt((of.stated.to_numpy() ** 2).mean())}
    return found | {f"within {level:.0%} (%)": 100 * holds(of, level).mean() for level in LEVELS}


def holds(of: pd.DataFrame, level: float) -> np.ndarray:
    """Whether the interval of a probability holds 0, of every row.

    The columns are ``error`` and ``stated``, its standard error, nats, and ``freedom``, the degrees of freedom of that.
    """
    low, high = interval(of.error.to_numpy(), of.stated.to_numpy(), of.freedom.to_numpy(), level)
    held: np.ndarray = (low <= 0) & (high >= 0)
    return held
