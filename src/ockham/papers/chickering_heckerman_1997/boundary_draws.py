"""Figure 9 of [ChickeringHeckerman1997] over many data sets, as numbers."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import STANDARD, of_role

__all__ = ["FITS", "JUDGED", "boundary_draws", "furthest", "of_fits"]

JUDGED = {
    "laplace": "Laplace",
    "laplace_block": "Block",
    "laplace_diagonal": "Diagonal",
    "cheeseman_stutz": "CS MAP",
}
FITS = {"random starts": "", "smaller MAP too": "smaller_map", "the same, by CS": "smaller_map_by_bound"}
"""Which fits the scores are of, and the role of the entry that has them."""


def of_fits(data: xr.Dataset, score: str, role: str) -> xr.Dataset:
    """A score of ``JUDGED`` of the fits that an entry with this role made; empty for those from random starts."""
    return of_role(data, f"{score}_nested" if role else score, role)


def boundary_draws(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far each score is from the Candidate method at the most, for every data set of the two conditions.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, kind of fits, and data set. For every score its difference from Candidate where
        that is largest, over the numbers of classes, nats; NaN for a score that some of these lack. Then their order,
        from the nearest on, and for how many numbers of classes Candidate is not to be trusted.
    """
    rows = []
    for condition in ("inside", "boundary"):
        data = summaries[condition].to_dataset().isel(n=0).sel(alias_correction="log_aliases")
        for fits, role in FITS.items():
            found = {label: of_fits(data, score, role).log_evidence for score, label in JUDGED.items()}
            standard = data.log_evidence.sel(score=STANDARD)
            for replicate in data.replicate.values:
                apart = {label: furthest((of - standard).sel(replicate=replicate)) for label, of in found.items()}
                doubted = int((data.doubt.sel(score=STANDARD, replicate=replicate) != 0).sum())
                rows.append(
                    {"condition": condition, "fits": fits, "data set": int(replicate)}
                    | {label: round(value, 2) + 0.0 for label, value in apart.items()}
                    | {"nearest first": ", ".join(sorted(apart, key=lambda label: _far(apart[label])))}
                    | {"Candidate doubted": doubted}
                )
    return pd.DataFrame(rows)


def furthest(difference: xr.DataArray) -> float:
    """The difference that is the largest without its sign; NaN if any is."""
    values = difference.values
    return float("nan") if np.isnan(values).any() else float(values[np.abs(values).argmax()])


def _far(difference: float) -> float:
    return float("inf") if np.isnan(difference) else abs(difference)
