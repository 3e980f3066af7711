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
NOTHING_HIDDEN = "classes-1"
"""Whose evidence every estimate is, to rounding, so that its intervals say nothing."""


def calibration(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Errors of estimates beside the errors that they state, where the evidence is known, of two classes and more.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        One row per score with errors, over all conditions: the cells in which it was computed and the exact evidence is
        known, the percentage that makes no interval, for it says of itself that it is not to be trusted, or has no
        error or no value, and of the others the mean and the root mean square of the errors, in nats, that of the
        errors they state, and the percentage of the intervals that studies show, at 50, 80 and 95 %, that hold the
        evidence.
    """
    parts: dict[str, list[np.ndarray]] = {}
    for _, group in each(summaries):
        best = group["best"].to_dataset().drop_sel(structure=NOTHING_HIDDEN)
        values = best.log_evidence.sel(alias_correction="log_aliases")
        exact = values.sel(score=references(best)["known"])
        for score in STYLES:
            if score in best.score and best.standard_error.sel(score=score).notnull().any():
                of = best.sel(score=score)
                computed = exact.notnull() & (values.sel(score=score).notnull() | (of.doubt != 0))
                columns = (
                    values.sel(score=score) - exact,
                    of.standard_error,
                    of.degrees_of_freedom,
                    of.doubt,
                    computed,
                )
                parts.setdefault(score, []).append(np.stack([column.values.ravel() for column in columns], axis=1))
    rows = []
    for score, arrays in parts.items():
        found = np.concatenate(arrays)
        found = found[found[:, 4] > 0]
        known = found[(found[:, 3] == 0) & np.isfinite(found[:, :2]).all(axis=1)]
        errors, stated, freedom = known[:, :3].T
        row = {
            "score": STYLES[score].label,
            "cells": len(found),
            "without one (%)": 100 * (1 - len(known) / len(found)),
        }
        if len(known):
            row |= {
                "mean error (nats)": errors.mean(), "root mean square (nats)": np.sqrt((errors**2).mean()),
                "stated (nats)": np.sqrt((stated**2).mean()),
            }  # fmt: skip
            for level in LEVELS:
                low, high = interval(errors, stated, freedom, level)
                row[f"within {level:.0%} (%)"] = 100 * np.mean((low <= 0) & (high >= 0))
        rows.append(row)
    return pd.DataFrame(rows).round(3)
