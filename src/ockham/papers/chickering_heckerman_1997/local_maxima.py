"""Laplace's method around one maximum and summed over many; section 4.2 of [ChickeringHeckerman1997]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import STANDARD, of_role

__all__ = ["local_maxima"]

LAPLACES = {"laplace": "Laplace", "laplace_block": "Block", "laplace_diagonal": "Diagonal"}


def local_maxima(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Laplace and its relatives minus the Candidate method, around the MAP, at the most, and summed over many maxima.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set and number of classes from two on, nats. ``beyond`` is how many classes more there are than
        the Candidate method selects, and ``maxima`` how many different ones were found.
    """
    data = summaries["maxima"].to_dataset().isel(n=0).sel(alias_correction="log_aliases")
    classes = data.n_hidden_configurations.values
    rows = []
    for replicate in data.replicate.values:
        at = data.sel(replicate=replicate)
        standard = at.sel(score=STANDARD)
        best = classes[int(standard.selected)]
        for structure, k in zip(at.structure.values, classes, strict=True):
            if k > 1:
                row: dict[str, float] = {"data set": int(replicate), "classes": int(k), "beyond": int(k - best)}
                for score, label in LAPLACES.items():
                    for kind in ("", "highest", "sum"):
                        found = of_role(at, f"{score}_{kind}", "local_maxima") if kind else of_role(at, score, "")
                        apart = (found.log_evidence - standard.log_evidence).sel(structure=structure)
                        row[f"{label} {kind}".strip()] = round(float(apart), 2)
                summed = of_role(at, "laplace_sum", "local_maxima").sel(structure=structure)
                rows.append(row | {"maxima": int(summed.n_maxima)})
    return pd.DataFrame(rows)
