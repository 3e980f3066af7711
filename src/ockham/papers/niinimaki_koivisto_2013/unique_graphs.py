"""The heuristic of Ellis and Wong beside the exact posterior; section 2.2 of [NiinimakiKoivisto2013]."""

import pandas as pd
import xarray as xr

from ockham.contracts import Paper

__all__ = ["special_graph", "unique_graphs"]


def unique_graphs(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The arc whose bias is largest, by the heuristic and by counting linear extensions.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``order_bias``.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of rows, left_out (epsilon) and number of orders. ``exact`` is the posterior probability of
        ``arc`` under the uniform prior over graphs, ``biased`` that under the order-modular prior. ``heuristic`` and
        ``counted`` are means of estimates from independent orders, with their standard errors, ``covered`` the mean
        posterior probability of the graphs that the heuristic keeps.
    """
    data = summaries["order_bias"].to_dataset().drop_dims("draws")
    frame = data.to_dataframe(dim_order=["rows", "left_out", "orders"]).reset_index()
    names = {"unique": "heuristic", "unique_error": "heuristic error", "counted_error": "counted error"}
    frame = frame.rename(columns={"left_out": "left out"} | names)
    columns = ["exact", "biased", "heuristic", "heuristic error", "covered", "counted", "counted error"]
    return frame[["rows", "left out", "orders", "arc", *columns]].round(4)


def special_graph(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What the heuristic says of a graph that has half of the posterior, where others share the rest.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``order_bias``.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of draws, in units of the number M of other graphs. ``heuristic`` is a mean of estimates with
        its standard error. ``as argued`` is the paper's 1/2 / (1/2 + T / (4 M)), where all draws of the others differ;
        ``with repeats`` has the expected number of different ones, M (1 - (1 - 1 / (2 M))^T), in its place.
    """
    data = summaries["order_bias"].to_dataset()
    frame = data[["special", "special_error"]].to_dataframe().reset_index()
    others = int(data.others)
    different = 1 - (1 - 1 / (2 * others)) ** (frame["draws"] * others).round()
    frame["as argued"] = 0.5 / (0.5 + frame["draws"] / 4)
    frame["with repeats"] = 0.5 / (0.5 + different / 2)
    frame["exact"] = 0.5
    return frame.rename(columns={"special": "heuristic", "special_error": "heuristic error"}).round(4)
