"""The levels that scores of structures fall into; Figure 2 of [BealGhahramani2006]."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.style import SCORES, shown

__all__ = ["banding"]

LARGE = 2560
"""The plots "for large n" begin here."""
NO_PARENT = "0"
"""What a label of a bipartite structure has for an observed variable without a hidden one."""


def banding(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What structures have in common whose scores are in one of three bands, at the published parameters.

    The bands are what the two widest gaps between scores, corrected for aliases, leave.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it, of a bipartite space with three observed variables or more.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per score, all of whose structures have a value, and large data set size: how many structures are in
        every band; the percentage of the upper one in which each of the first three observed variables has a hidden
        parent; that of the middle one in which the third has; and both of all structures.
    """
    data = summaries["best"].to_dataset().sel(alias_correction="log_aliases", replicate=0)
    parents = np.array([label.split("-") for label in data.structure.values.astype(str)])
    third, first_three = parents[:, 2] != NO_PARENT, (parents[:, :3] != NO_PARENT).all(axis=1)
    rows = []
    for n in data.n.values[data.n.values >= LARGE]:
        for score in shown(data.log_evidence):
            values = data.log_evidence.sel(score=score, n=n).values
            if np.isnan(values).any():
                continue
            lower, middle, upper = _bands(values)
            rows.append({
                "n": int(n), "score": SCORES[score].label,
                "lower": lower.sum(), "middle": middle.sum(), "upper": upper.sum(),
                "upper with the first three (%)": _percent(first_three[upper]),
                "all with the first three (%)": _percent(first_three),
                "middle with the third (%)": _percent(third[middle]),
                "all with the third (%)": _percent(third),
            })  # fmt: skip
    return pd.DataFrame(rows)


def _bands(values: np.ndarray) -> list[np.ndarray]:
    """Which values are below the two widest gaps between them, between these, and above both."""
    ordered = np.sort(values)
    first, second = np.sort(np.argsort(np.diff(ordered))[-2:])
    below = [values <= ordered[first], values <= ordered[second]]
    return [below[0], below[1] & ~below[0], ~below[1]]


def _percent(of: np.ndarray) -> float:
    return round(100 * float(of.mean()), 1)
