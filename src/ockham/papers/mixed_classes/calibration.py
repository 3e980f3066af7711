"""How often intervals of estimates with an error hold the exact evidence."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.estimation.intervals import interval
from ockham.papers.mixed_classes.conditions import STYLES, each
from ockham.summaries.best import references

__all__ = ["calibration"]

LEVELS = (0.5, 0.8, 0.95)
ROUNDING = 1e-9
"""Nats that an error has at the least, for one class leaves nothing to estimate."""


def calibration(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Errors of estimates beside the errors that they state, where the evidence is known.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        One row per score with errors, over all conditions: the cells with an estimate and the exact evidence, the
        percentage that says of itself that it is not to be trusted, and of the others the mean and the root mean square
        of the errors, in nats, that of the errors they state, and the percentage of their intervals of Student's t, at
        50, 80 and 95 %, that hold the evidence.
    """
    parts: dict[str, list[np.ndarray]] = {}
    for _, group in each(summaries):
        best = group["best"].to_dataset()
        values = best.log_evidence.sel(alias_correction="log_aliases")
        exact = values.sel(score=references(best)["known"])
        for score in STYLES:
            if score in best.score:
                of = best.sel(score=score)
                columns = (values.sel(score=score) - exact, of.standard_error, of.degrees_of_freedom, of.doubt)
                parts.setdefault(score, []).append(np.stack([column.values.ravel() for column in columns], axis=1))
    rows = []
    for score, arrays in parts.items():
        found = np.concatenate(arrays)
        found = found[np.isfinite(found[:, :2]).all(axis=1)]
        trusted = found[found[:, 3] == 0]
        if not len(trusted):
            continue
        errors, stated, freedom, _ = trusted.T
        row = {
            "score": STYLES[score].label, "cells": len(found), "doubted (%)": 100 * (1 - len(trusted) / len(found)),
            "mean error (nats)": errors.mean(), "root mean square (nats)": np.sqrt((errors**2).mean()),
            "stated (nats)": np.sqrt((stated**2).mean()),
        }  # fmt: skip
        for level in LEVELS:
            low, high = interval(errors, stated + ROUNDING, freedom, level)
            row[f"within {level:.0%} (%)"] = 100 * np.mean((low <= 0) & (high >= 0))
        rows.append(row)
    return pd.DataFrame(rows).round(3)
