"""How far scores are from the truth, exact or by sampling, beside [ChickeringHeckerman1997]."""

from collections.abc import Iterator
from math import isnan, nan
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.estimation.wording import error_in_words
from ockham.papers.chickering_heckerman_1997.panels import DRAWN
from ockham.papers.chickering_heckerman_1997.selections import BRIDGE, SAMPLERS, SCORES, STANDARD, truth_of

__all__ = ["differences_from_truth", "selected_by_truth"]

JUDGED = (STANDARD, *(score for _, score in SCORES.values()))
BEYOND = 2.0
"""Standard errors of the truth and half ranges of Candidate's runs, together, that a difference may be within."""


def differences_from_truth(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Every score minus the truth, for each data set and model with a hidden class.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, n, data set and number of classes. ``truth`` is the exact log evidence, or that of the
        first sampler that is to be trusted, named in ``by``, with its standard error; ``?`` where there is none, and
        nothing is known of the differences. ``Bridge``, ``Annealing`` and ``SMC`` are samplers minus the truth, where
        this is another. Scores of samples have their own errors, but where all draws are alike, from which none can be
        told. A question mark after a difference says that the score is not to be trusted; nats.
    """
    rows = []
    for row, cell in _cells(summaries):
        truth = truth_of(cell)
        judge, value = truth.judge.item(), float(truth.log_evidence)
        known = not int(truth.doubt) and not isnan(value)
        error = "exact" if judge == "exact" else f"± {error_in_words(float(truth.standard_error))}"
        row |= {"truth": f"{value:.2f} {error}" if known else "?", "by": DRAWN[judge].label if known else None}
        for score in (*SAMPLERS, *JUDGED):
            there = score in cell.score and score != judge and bool(cell.log_evidence.sel(score=score).notnull())
            row[DRAWN[score].label] = _difference(cell.sel(score=score), value) if there and known else None
        rows.append(row)
    return pd.DataFrame(rows)


def _difference(score: xr.Dataset, truth: float) -> str:
    apart, error = float(score.log_evidence) - truth, float(score.standard_error)
    if int(score.doubt):
        return f"{apart:.2f} ?"
    return f"{apart:.2f} ± {error_in_words(error)}" if error > 0 else f"{apart:.2f}"


def selected_by_truth(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What the truth selects, and how the Candidate method fares by it, for every condition and size.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, n and data set: how many models have a hidden class, and how many of them a truth that is
        known; the number of classes of the highest truth among these, with ? after it where not all are known, and by
        every score; over those whose truth is known the median and the largest distance of the Candidate method from
        it, nats, and how many of its values that are to be trusted are further from it than two standard errors of the
        truth and the range of its runs.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().sel(alias_correction="log_aliases")
        if BRIDGE not in data.score:
            continue
        classes, truths = data.n_hidden_configurations.values, truth_of(data)
        for n in data.n.values:
            for replicate in data.replicate.values:
                at, truth = (of.sel(n=n, replicate=replicate) for of in (data, truths))
                values = truth.log_evidence.where(truth.doubt == 0)
                if values.isnull().all():
                    continue
                several = at.n_hidden_configurations > 1
                apart = abs(at.log_evidence.sel(score=STANDARD) - values).where(several)
                allowed = BEYOND * truth.standard_error.where(truth.judge != "exact", 0.0) + (
                    at.highest_run - at.lowest_run
                )
                trusted = at.doubt.sel(score=STANDARD) == 0
                judges = np.unique(truth.judge.values[values.notnull()])
                row = {"condition": condition, "n": int(n), "data set": int(replicate)}
                row["by"] = " or ".join(sorted(DRAWN[name].label for name in judges))
                row |= {"models": int(several.sum()), "truth known": int((values.notnull() & several).sum())}
                unknown = "" if bool(values.notnull().all()) else " ?"
                row["truth"] = f"{classes[np.nanargmax(values.values)]}{unknown}"
                for score in JUDGED:
                    chosen = float(at.selected.sel(score=score)) if score in at.score else nan
                    row[DRAWN[score].label] = None if pd.isna(chosen) else int(classes[int(chosen)])
                row["median distance"] = round(float(apart.median()), 2)
                row["largest distance"] = round(float(apart.max()), 2)
                row["trusted and beyond"] = int(((apart > allowed) & trusted).sum())
                rows.append(row)
    return pd.DataFrame(rows)


def _cells(summaries: xr.DataTree) -> Iterator[tuple[dict[str, Any], xr.Dataset]]:
    """The name of every model with a hidden class, and its values."""
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().sel(alias_correction="log_aliases")
        if BRIDGE in data.score:
            for n in data.n.values:
                for replicate in data.replicate.values:
                    for structure, k in zip(data.structure.values, data.n_hidden_configurations.values, strict=True):
                        if k > 1:
                            names = {"condition": condition, "n": int(n), "data set": int(replicate), "classes": int(k)}
                            yield names, data.sel(n=n, replicate=replicate, structure=structure)
