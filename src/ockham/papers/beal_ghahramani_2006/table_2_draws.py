"""How much of Table 2, of section 4.1 and of Figure 6 (a) of [BealGhahramani2006] is the draw of their data set."""

from collections.abc import Iterator
from math import nan

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.beal_ghahramani_2006.figure_numbers import schedule_lengths, trends
from ockham.papers.beal_ghahramani_2006.table_2 import TABLE_2_COLUMNS
from ockham.papers.crossings import crossing
from ockham.papers.published import read_published

__all__ = [
    "alias_readings",
    "figure_6_draws",
    "section_4_1_draws",
    "starts_at_the_truth",
    "table_2_draws",
    "table_2_draws_by_size",
]

RANKED = ("bic", "bicp", "cheeseman_stutz", "variational_bayes")
"""Columns of the published table with the correction for aliases, whose ranks section 4.1 compares."""
SHOWN = (10, 160, 640, 1280, 2560, 5120, 10240)
"""Data set sizes of Figure 2."""
LN_2, ROUNDING = float(np.log(2)), 1e-6


def table_2_draws(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far the printed ranks of the true structure are from those of further draws of the data.

    The distance of a column is the mean, over the sizes, of the absolute difference of its ranks from their median,
    which is taken over all columns, printed and drawn. If the printed column were one more draw, its place among the
    distances would be uniform: a percentage of 5 or less comes up in 5 % of such columns.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions that are a draw of the data each, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per score of Table 2 but AIS: the number of draws, the distance of the printed column, the median and
        the highest distance of a draw, and the percentage of all columns, the printed one included, as far or farther.
    """
    rows = []
    for name, drawn, printed in _columns(summaries, paper):
        together = np.vstack([drawn, printed])
        distances = np.abs(together - np.median(together, axis=0)).mean(axis=1)
        rows.append({
            "score": TABLE_2_COLUMNS[name][0], "draws": len(drawn), "distance (paper)": distances[-1],
            "median distance": np.median(distances[:-1]), "highest distance": distances[:-1].max(),
            "as far (%)": 100 * (distances >= distances[-1]).mean(),
        })  # fmt: skip
    return pd.DataFrame(rows).round(1)


def table_2_draws_by_size(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Ranks of the true structure over further draws of the data, beside the printed ones.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions that are a draw of the data each, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: for every score of Table 2 but AIS the median, the lowest and the highest rank over
        the draws, and the printed one.
    """
    columns = {}
    for name, drawn, printed in _columns(summaries, paper):
        heading = TABLE_2_COLUMNS[name][0]
        columns[f"{heading} median"] = np.median(drawn, axis=0)
        columns[f"{heading} lowest"] = drawn.min(axis=0).astype(int)
        columns[f"{heading} highest"] = drawn.max(axis=0).astype(int)
        columns[f"{heading} (paper)"] = printed.astype(int)
    sizes = _draws(summaries)[0]["ranks"].indexes["n"]
    return pd.DataFrame(columns, index=sizes).reset_index()


def section_4_1_draws(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """In how many draws of the data what section 4.1 finds in its own is found.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions that are a draw of the data each, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per quantity: the number of draws, the median, the lowest and the highest value, what the paper's Table
        2 gives, from where on a draw agrees with what the paper says, and the percentage of draws that do.
    """
    columns = {name: (drawn, printed) for name, drawn, printed in _columns(summaries, paper)}
    rows = []

    def add(quantity: str, values: np.ndarray, printed: float, side: str, limit: float) -> None:
        agree = values <= limit if side == "at most" else values >= limit
        rows.append({
            "quantity": quantity, "draws": len(values), "median": np.median(values), "lowest": values.min(),
            "highest": values.max(), "paper": printed, "agrees": f"{side} {limit:g}", "agree (%)": 100 * agree.mean(),
        })  # fmt: skip

    degrades = "sizes at which the correction degrades"
    changes = {
        name: tuple(of - raw for of, raw in zip(columns[name], columns[f"{name}_uncorrected"], strict=True))
        for name in RANKED
    }
    drawn, printed = (np.maximum.reduce(part) for part in zip(*changes.values(), strict=True))
    add(f"{degrades} any score", (drawn > 0).sum(axis=1), (printed > 0).sum(), "at most", 0)
    for name, (drawn, printed) in changes.items():
        heading = TABLE_2_COLUMNS[name][0]
        add(f"{degrades} {heading}", (drawn > 0).sum(axis=1), (printed > 0).sum(), "at most", 0)
        added = "sum of what the correction adds to the rank by"
        add(f"{added} {heading}", drawn.sum(axis=1), printed.sum(), "at most", printed.sum())
    vb = RANKED[-1]
    others = np.minimum.reduce([columns[name][0] for name in RANKED[:-1]])
    printed_others = np.minimum.reduce([columns[name][1] for name in RANKED[:-1]])
    drawn, printed = (columns[vb][0] <= others).sum(axis=1), (columns[vb][1] <= printed_others).sum()
    add("sizes at which no score ranks the true structure above VB", drawn, printed, "at least", printed)
    for score, heading in (("bic", "BIC"), ("bicp", "BICp"), ("cheeseman_stutz", "CS")):
        add(f"trend of {heading} at n = 10240", _trend_of(summaries, score, (10240,))[:, 0], nan, "at most", 0)
    add("strongest trend of VB, either way", np.abs(_trend_of(summaries, vb, SHOWN)).max(axis=1), nan, "at most", 0.5)
    stronger = np.diff(np.abs(_trend_of(summaries, "cheeseman_stutz", SHOWN))) > 0
    add("sizes at which the trend of CS is stronger than before", stronger.sum(axis=1), nan, "at most", 0)
    return pd.DataFrame(rows).round(3)


def figure_6_draws(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """With how many steps the median run of AIS passes the BIC and the VB score of the true structure.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions that are a draw of the data each, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per score: the number of draws, the median, the lowest and the highest number of steps, infinite where
        none of the schedules is long enough, the printed one, and the percentage of draws with no more than that.
    """
    published = read_published(paper, "numbers/numbers.csv").set_index("quantity").value
    draws = [schedule_lengths(group, paper).dropna(subset=["AIS median"]) for group in _draws(summaries)]
    rows = []
    for score in ("BIC", "VB"):
        steps = np.array([crossing(of["steps"].tolist(), (of["AIS median"] - of[score]).tolist())[0] for of in draws])
        printed = published[f"ais_steps_past_{score.lower()}"]
        rows.append({
            "score": score, "draws": len(steps), "median": np.median(steps), "lowest": steps.min(),
            "highest": steps.max(), "paper": printed, "as few (%)": 100 * (steps <= printed).mean(),
        })  # fmt: skip
    return pd.DataFrame(rows).round(1)


def starts_at_the_truth(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far runs of AIS from the true parameters end above the evidence of the true structure.

    The evidence of a draw is taken to be halfway between the mean runs from the prior and from the true parameters with
    the longest schedule.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions that are a draw of the data each, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of steps but the longest: the number of draws and of runs in all, the mean over them of what
        a run is above, the lowest and the highest, nats, and the percentage of runs that are above.
    """
    weights = xr.concat([draw["schedule_length"].to_dataset().log_weight for draw in _draws(summaries)], "draw")
    longest = weights.sel(n_steps=weights.n_steps.max()).mean("run").mean("start", skipna=False)
    above = (weights.sel(start="truth") - longest).dropna("n_steps", how="all").dropna("run", how="all")
    rows = []
    for steps in above.n_steps.values[:-1]:
        values = above.sel(n_steps=steps).values
        rows.append({
            "steps": int(steps), "draws": len(values), "runs": values.size, "mean": values.mean(),
            "lowest": values.min(), "highest": values.max(), "above (%)": 100 * (values > 0).mean(),
        })  # fmt: skip
    return pd.DataFrame(rows).round(1)


def alias_readings(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What the correction for aliases does to ranks by two readings of section 3.2, over further draws of the data.

    The number of aliases S counts the labels of every hidden variable's two states and the exchange of the two
    variables: where that leaves the model as it is, for they have the same children, as ours does, or wherever both
    have children.

    Parameters
    ----------
    summaries : xarray.DataTree
        Of conditions that are a draw of the data each, as ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per reading and score: the number of draws, the percentage of them in which the correction makes the
        rank of the true structure worse at any size, and of what it adds to the rank, summed over sizes, the median,
        the lowest and the highest and the sum of the printed table.
    """
    published = read_published(paper, "numbers/table_2.csv").set_index("n")
    scores = xr.concat([draw["best"].to_dataset().log_evidence.sel(replicate=0) for draw in _draws(summaries)], "draw")
    raw, true = scores.sel(alias_correction="none"), _draws(summaries)[0]["best"].attrs["true_structure"]
    same_children = (scores.sel(alias_correction="log_aliases") - raw).sel(score=RANKED[0]).isel(draw=0, n=0)
    both_have_children = same_children >= 2 * LN_2 - ROUNDING
    readings = {
        "the same children": same_children,
        "any children": same_children.where(~both_have_children, 3 * LN_2),
    }
    rows = []
    for reading, log_aliases in readings.items():
        for name in RANKED:
            before, after = raw.sel(score=name), raw.sel(score=name) + log_aliases
            ranks = [(of > of.sel(structure=true)).sum("structure") for of in (before, after)]
            added = (ranks[1] - ranks[0]).transpose("draw", "n").values
            sums = added.sum(axis=1)
            printed = (published[name] - published[f"{name}_uncorrected"]).reindex(scores.indexes["n"])
            rows.append({
                "exchanged with": reading, "score": TABLE_2_COLUMNS[name][0], "draws": len(added),
                "degrades (%)": 100 * (added > 0).any(axis=1).mean(), "median sum": np.median(sums),
                "lowest sum": sums.min(), "highest sum": sums.max(), "sum (paper)": int(printed.sum()),
            })  # fmt: skip
    return pd.DataFrame(rows).round(1)


def _columns(summaries: xr.DataTree, paper: Paper) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Of every column of Table 2 but AIS its name, ours of shape (n_draws, n_sizes), and the printed one."""
    published = read_published(paper, "numbers/table_2.csv").set_index("n")
    groups = [group["ranks"].to_dataset().sel(replicate=0) for group in _draws(summaries)]
    ranks = xr.concat(groups, "draw")["rank"]
    for name, (_, score, alias_correction) in TABLE_2_COLUMNS.items():
        if score in ranks.score:
            drawn = ranks.sel(score=score, alias_correction=alias_correction).transpose("draw", "n")
            yield name, drawn.values, published[name].reindex(ranks.indexes["n"]).to_numpy(float)


def _trend_of(summaries: xr.DataTree, score: str, sizes: tuple[int, ...]) -> np.ndarray:
    """The trend of Figure 2 in every draw, shape (n_draws, n_sizes)."""
    chosen = {"alias_correction": "log_aliases", "replicate": 0, "score": [score], "n": list(sizes)}
    draws = _draws(summaries)
    return np.array([trends(draw["best"].to_dataset().sel(chosen)).isel(score=0).values for draw in draws])


def _draws(summaries: xr.DataTree) -> list[xr.DataTree]:
    """Every condition: a draw of the data."""
    names = summaries.attrs["conditions"].split()
    return [group for name, group in summaries.children.items() if name in names]
