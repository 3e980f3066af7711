"""Of each estimator: how often its intervals hold the evidence, how large errors are, and how often it is unknown."""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.calibration.cells import ALMOST_CERTAIN, EXACT, LONG, cells, labels, of_kinds
from ockham.papers.intervals import LEVELS, errors, holds, stated
from ockham.summaries.over_replicates import wilson

__all__ = ["coverage", "coverage_by_kind", "evidence_cost"]


def coverage(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """A row for each estimator and each way in which the evidence is known, over all kinds of networks.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        How many networks it was run on; without how many of their evidences, for long runs do not agree; and of
        the others the percentage that it says unknown of. Of the values that it gives, in nats, the mean and
        root mean square of errors; of the intervals that it makes, of which an approximation has none, that of the
        errors that are stated, the percentage of 50, 80 and 95 % intervals that hold the evidence, the last with the
        ends of its own 95 % Wilson interval, and how many do not hold it at 99.9 %.
    """
    found = cells(summaries)
    rows = []
    for reference in (EXACT, LONG):
        for estimate, label in labels(found).items():
            of = found[(found.reference == reference) & (found.estimate == estimate)]
            if len(of):
                rows.append({"evidence by": reference, "estimate": label} | _of(of))
    return pd.DataFrame(rows).round(3)


def coverage_by_kind(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The same with a row for each kind of networks and estimator."""
    found, rows = cells(summaries), []
    for kind, of_kind in found.groupby("kind", sort=False):
        for estimate, label in labels(of_kind).items():
            of = of_kind[of_kind.estimate == estimate]
            if len(of):
                rows.append({"networks of": kind, "estimate": label} | _of(of))
    return pd.DataFrame(rows).round(3)


def evidence_cost(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """CPU seconds of ``ockham.evidence``, which is no scorer, for each kind of networks that it was asked about.

    Returns
    -------
    pandas.DataFrame
        How many networks of the kind, and the median, the 95th percentile and the largest of the seconds.
    """
    rows = []
    for kind, found in of_kinds(summaries):
        if "seconds" in found:
            seconds = found.seconds.dropna("replicate").values
            middle, high, largest = np.quantile(seconds, (0.5, 0.95, 1))
            rows.append({
                "networks of": kind, "networks": len(seconds), "median (s)": middle, "95th percentile (s)": high,
                "largest (s)": largest,
            })  # fmt: skip
    return pd.DataFrame(rows).round(2)


def _of(of: pd.DataFrame) -> dict[str, Any]:
    judged = of[of.judged]
    trusted, given = judged[judged.trusted], judged[judged.given]
    row: dict[str, Any] = {
        "networks": len(of),
        "without evidence": len(of) - len(judged),
        "says unknown (%)": 100 * (1 - len(trusted) / len(judged)) if len(judged) else np.nan,
        "intervals": len(given),
    }
    if len(trusted):
        row |= errors(trusted)
    if not len(given):
        return row
    low, high = wilson(int(holds(given, LEVELS[-1]).sum()), len(given))
    return row | stated(given) | {
        "from (%)": 100 * low, "to (%)": 100 * high,
        "wrong beyond 99.9 %": int((~holds(given, ALMOST_CERTAIN)).sum()),
    }  # fmt: skip
