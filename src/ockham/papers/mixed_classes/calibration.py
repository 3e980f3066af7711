"""How often intervals of estimates with an error hold the exact evidence, and how often two of them agree."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.estimation.combining import freedom_of_sum
from ockham.papers.intervals import errors, stated
from ockham.papers.mixed_classes.conditions import each, styles
from ockham.summaries.best import references

__all__ = ["agreement", "calibration"]

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
    cells = _cells(summaries, "known")
    rows = [
        {"score": label} | _share(of, "without one (%)") | _errors(of, "error")
        for label, of in cells.groupby("score", sort=False)
    ]
    return pd.DataFrame(rows).round(3)


def agreement(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Differences of estimates from bridge sampling beside the errors that both state, where no evidence is known.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        One row per data set size and score with errors, over all conditions, of two classes and more: the cells in
        which both were computed, the percentage in which either says of itself that it is not to be trusted, and of
        the others the mean and the root mean square of the differences, in nats, that of the error that the two make
        of a difference, and the percentage of its intervals, at 50, 80 and 95 %, that hold none.
    """
    cells = _cells(summaries, "estimated")
    rows = [
        {"n": n, "score": label} | _share(of, "either without (%)") | _errors(of, "difference")
        for n, of_size in cells.groupby("n")
        for label, of in of_size.groupby("score", sort=False)
    ]
    return pd.DataFrame(rows).round(3)


def _cells(summaries: xr.DataTree, kind: str) -> pd.DataFrame:
    """Every estimate with an error where a reference of a kind is the truth: by how much it is off, and for certain."""
    parts = []
    for _, group in each(summaries):
        best = group["best"].to_dataset().drop_sel(structure=NOTHING_HIDDEN)
        best["log_evidence"] = best.log_evidence.sel(alias_correction="log_aliases")
        found = references(best)
        truth = best.sel(score=found[kind])
        known = best.log_evidence.sel(score=found["known"]).notnull()
        here = known if kind == "known" else ~known & _computed(truth)
        for score, style in styles(best).items():
            if score in best.score and score != found[kind]:
                of = best.sel(score=score)
                if of.standard_error.notnull().any():
                    parts.append(_beside(of, truth, here & _computed(of)).assign(score=style.label))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["n", "score"])


def _computed(of: xr.Dataset) -> xr.DataArray:
    return of.log_evidence.notnull() | (of.doubt != 0)


def _beside(of: xr.Dataset, truth: xr.Dataset, here: xr.DataArray) -> pd.DataFrame:
    """A score and the truth where both were computed."""
    variances = np.stack([of.standard_error.values**2, truth.standard_error.fillna(0.0).values ** 2], axis=-1)
    freedoms = np.stack([part.degrees_of_freedom.fillna(np.inf).values for part in (of, truth)], axis=-1)
    about = {
        "error": (of.log_evidence - truth.log_evidence).values,
        "stated": np.sqrt(variances.sum(axis=-1)),
        "freedom": freedom_of_sum(variances, freedoms),
        "doubt": ((of.doubt != 0) | (truth.doubt != 0)).values,
        "n": of.n.broadcast_like(of.log_evidence).values,
    }
    return pd.DataFrame({name: values[here.values] for name, values in about.items()})


def _share(cells: pd.DataFrame, without: str) -> dict[str, float]:
    return {"cells": len(cells), without: 100 * (1 - len(_trusted(cells)) / len(cells))}


def _trusted(cells: pd.DataFrame) -> pd.DataFrame:
    return cells[~cells.doubt & np.isfinite(cells.error) & np.isfinite(cells.stated)]


def _errors(cells: pd.DataFrame, name: str) -> dict[str, float]:
    """How large errors are, beside those that are stated; nothing where there is none."""
    known = _trusted(cells)
    return errors(known, name) | stated(known) if len(known) else {}
