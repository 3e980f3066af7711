"""MAP fits with empty classes by the number of classes beyond the peak; section 4.2 of [ChickeringHeckerman1997]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import STANDARD

__all__ = ["empty_classes"]

FIT = "cheeseman_stutz"
"""A score of the MAP fit."""


def empty_classes(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How often a MAP fit leaves two classes or more without a case, by how many classes too many there are.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, n and ``beyond``, how many classes more there are than the Candidate method selects, from
        two on: the number of fits, over data sets, and of those with two or more empty classes; and that in per cent.
        A single empty class leaves no aliases alike, so it is not known.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().sel(alias_correction="log_aliases")
        classes = data.n_hidden_configurations
        best = classes.isel(structure=data.selected.sel(score=STANDARD).astype(int)).drop_vars("structure")
        log_alike = data.log_alike.sel(score=FIT)
        for n in data.n.values:
            at, empty = (classes - best).sel(n=n), log_alike.sel(n=n) > 0
            for more in range(2, int(at.max()) + 1):
                there = at == more
                n_fits, n_empty = int(there.sum()), int((empty & there).sum())
                row = {"condition": condition, "n": int(n), "beyond": more, "fits": n_fits, "empty": n_empty}
                rows.append(row | {"empty (%)": round(100 * n_empty / n_fits, 1)})
    return pd.DataFrame(rows)
