"""How near scores are to the evidence, as rows of a table."""

from collections.abc import Mapping

import pandas as pd
import xarray as xr

__all__ = ["league_rows"]


def league_rows(league: xr.Dataset, labels: Mapping[str, str], structure: str = "structure") -> pd.DataFrame:
    """One row per data set size and score that has cells in it, in the order of sizes and then of the labels.

    Parameters
    ----------
    league : xarray.Dataset
        As ``summaries.league.league`` returns it.
    labels : mapping of str to str
        Of the scores of it that are shown.
    structure : str
        What structures are called.
    """
    columns = {
        "cells": ("n_cells", 0),
        "median error (nats)": ("error_median", 3),
        "95th percentile (nats)": ("error_95", 3),
        "doubted (%)": ("doubted", 1),
        "rank correlation": ("rank_correlation", 3),
        f"same {structure} on top (%)": ("same_choice", 1),
        f"true {structure} on top (%)": ("success_rate", 1),
        "passes over the data": ("n_evaluations", 0),
        "cells with a truth": ("n_known", 0),
        "error of the truth (nats)": ("truth_error", 3),
    }
    shown = [name for name in labels if name in league.score]
    rows = league.sel(score=shown).to_dataframe(["n", "score"]).reset_index()
    table = pd.DataFrame({"n": rows.n, "score": rows.score.map(labels)})
    for heading, (name, decimals) in columns.items():
        values = rows[name] * (100 if "%" in heading else 1)
        table[heading] = values.round(decimals).astype("Int64" if not decimals else float)
    return table[rows.n_cells > 0].reset_index(drop=True)
