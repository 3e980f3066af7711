"""The scores of fits that go on beyond where those of [ChickeringHeckerman1997], section 4.1, end."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.selections import SCORES, of_role

__all__ = ["longer_fits"]

MILLION = 1e6


def longer_fits(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far scores move, and the numbers of classes that they select, when fits go on.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition with such fits, n and data set. For every score the largest relative difference over
        models of two and more classes, in parts per million, and, as ``<score> classes``, the number of classes that it
        selects with longer fits minus that without.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().sel(alias_correction="log_aliases")
        if "longer_fit" not in data.role:
            continue
        hidden = data.n_hidden_configurations > 1
        for n in data.n.values:
            for replicate in data.replicate.values:
                at = data.sel(n=n, replicate=replicate)
                row: dict[str, str | float] = {"condition": condition, "n": int(n), "data set": int(replicate)}
                for heading, score in SCORES.values():
                    now, longer = (of_role(at, score, role) for role in ("", "longer_fit"))
                    apart = abs(longer.log_evidence / now.log_evidence - 1).where(hidden)
                    row[heading] = round(MILLION * float(apart.max()), 2)
                    then, before = (int(at.n_hidden_configurations[int(fit.selected)]) for fit in (longer, now))
                    row[f"{heading} classes"] = then - before
                rows.append(row)
    return pd.DataFrame(rows)
