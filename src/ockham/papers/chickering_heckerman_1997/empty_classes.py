"""MAP fits with empty classes by the number of classes beyond the peak; section 4.2 of [ChickeringHeckerman1997]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import STANDARD

__all__ = ["empty_classes"]

FIT = "laplace"
"""A score of the MAP fit, which says how many classes hardly a case is in."""


def empty_classes(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How often a MAP fit leaves classes without a case, by how many classes too many there are.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, n and ``beyond``, how many classes more there are than the Candidate method selects, from
        one on: the number of fits, over data sets, and in per cent those with an empty class, and with two or more.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().sel(alias_correction="log_aliases")
        classes = data.n_hidden_configurations
        best = classes.isel(structure=data.selected.sel(score=STANDARD).astype(int)).drop_vars("structure")
        n_empty = data.n_unused.sel(score=FIT)
        for n in data.n.values:
            at, empty = (classes - best).sel(n=n), n_empty.sel(n=n)
            for more in range(1, int(at.max()) + 1):
                there = at == more
                n_fits = int(there.sum())
                row = {"condition": condition, "n": int(n), "beyond": more, "fits": n_fits}
                row["empty (%)"] = round(100 * int(((empty >= 1) & there).sum()) / n_fits, 1)
                row["two empty (%)"] = round(100 * int(((empty >= 2) & there).sum()) / n_fits, 1)
                rows.append(row)
    return pd.DataFrame(rows)
