"""Tables 1 to 3 of [ChickeringHeckerman1997], ours beside the paper's."""

from pathlib import Path

import pandas as pd
import xarray as xr

from ockham.networks.summaries.conditions import STANDARD
from ockham.papers.published import read_published

__all__ = ["alias_corrections", "table_1", "table_2", "table_3"]

PAPER = "chickering_heckerman_1997"
SCORES = {
    "laplace": ("Laplace", "laplace"),
    "block": ("Block", "laplace_block"),
    "diagonal": ("Diagonal", "laplace_diagonal"),
    "cs_map": ("CS MAP", "cheeseman_stutz"),
    "cs_ml": ("CS ML", "cheeseman_stutz_ml"),
    "bic_map": ("BIC MAP", "bic"),
    "bic_ml": ("BIC ML", "bic_ml"),
}
"""The published column, its heading, and our score."""


def table_1(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Classes that the Candidate method selects minus those that each score selects, mean (s.d.) over data sets.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    published_dir : path
        The folder that has ``table_1.csv``.

    Returns
    -------
    pandas.DataFrame
        One row per condition and n; for every score a column of ours and one of the paper's.
    """
    rows = []
    for _, paper in read_published(published_dir, PAPER, "table_1.csv").iterrows():
        selected = _group(summaries, paper).selected.sel(alias_correction="log_aliases")
        row = _condition(paper)
        for column, (heading, score) in SCORES.items():
            row[heading] = _apart(selected, score)
            row[f"{heading} (paper)"] = _mean_and_sd(paper[column], paper[f"{column}_sd"])
        rows.append(row)
    return pd.DataFrame(rows)


def table_2(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Log Bayes factor of the two best models by the Candidate method, by that method (C) and by Laplace's (L), nats.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    published_dir : path
        The folder that has ``table_2.csv``.

    Returns
    -------
    pandas.DataFrame
        Two rows per condition and n, ours and the paper's, whose data sets are others; a pair of columns for each of
        five data sets. Ours by the Candidate method has half its range over runs after it.
    """
    rows = []
    for _, paper in read_published(published_dir, PAPER, "table_2.csv").iterrows():
        group = _group(summaries, paper)
        factor = group.log_bayes_factor.sel(alias_correction="log_aliases")
        ours, theirs = _condition(paper) | {"from": "Ockham"}, _condition(paper) | {"from": "paper"}
        for i in range(1, 6):
            for letter, score in (("C", STANDARD), ("L", "laplace")):
                known = i in factor.replicate
                ours[f"{letter} {i}"] = round(float(factor.sel(score=score, replicate=i)), 1) if known else None
                theirs[f"{letter} {i}"] = paper[f"{letter.lower()}_{i}"]
            if i in factor.replicate:
                ours[f"C {i}"] = f"{ours[f'C {i}']} ± {float(group.bayes_factor_range.sel(replicate=i)) / 2:.1f}"
        rows += [ours, theirs]
    return pd.DataFrame(rows)


def table_3(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Number of classes that each score selects for the real data; ? after it where some models have no such score.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    published_dir : path
        The folder that has ``table_3.csv``.

    Returns
    -------
    pandas.DataFrame
        One row per data set; for every score a column of ours and one of the paper's, where it has one.
    """
    rows = []
    for _, paper in read_published(published_dir, PAPER, "table_3.csv").iterrows():
        data = summaries[paper["condition"]].to_dataset().isel(replicate=0, n=0).sel(alias_correction="log_aliases")
        row = {"data set": paper["condition"].replace("_", " ")}
        for column, (heading, score) in {"candidate": ("Candidate", STANDARD), **SCORES}.items():
            known = data.log_evidence.sel(score=score).notnull().all()
            label = str(data.structure.values[int(data.selected.sel(score=score))]).removeprefix("classes-")
            row[heading] = label if known else f"{label} ?"
            if column in paper:
                row[f"{heading} (paper)"] = str(paper[column])
        rows.append(row)
    return pd.DataFrame(rows)


CORRECTIONS = {"none": "none", "log_aliases": "ln S", "distinct_aliases": "distinct"}


def alias_corrections(summaries: xr.DataTree, published_dir: Path) -> pd.DataFrame:
    """Table 1 without alias correction, with that for all aliases, and with that for the aliases that differ.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    published_dir : path
        The folder that has ``table_1.csv``, whose conditions are shown.

    Returns
    -------
    pandas.DataFrame
        One row per condition and n: the percentage of MAP fits with classes that no case is in, and a column for every
        local score and correction, mean (s.d.) over data sets.
    """
    rows = []
    for _, paper in read_published(published_dir, PAPER, "table_1.csv").iterrows():
        group = _group(summaries, paper)
        degenerate = 100 * (group.log_alike.sel(score="cheeseman_stutz") > 0).mean()
        row = _condition(paper) | {"degenerate fits (%)": round(float(degenerate), 1)}
        for heading, score in SCORES.values():
            for correction, label in CORRECTIONS.items():
                row[f"{heading}, {label}"] = _apart(group.selected.sel(alias_correction=correction), score)
        rows.append(row)
    return pd.DataFrame(rows)


def _apart(selected: xr.DataArray, score: str) -> str:
    """Classes that the Candidate method selects minus those that a score selects, over data sets."""
    apart = (selected.sel(score=STANDARD) - selected.sel(score=score)).to_series()
    return _mean_and_sd(apart.mean(), apart.std(ddof=1))


def _group(summaries: xr.DataTree, paper: pd.Series) -> xr.Dataset:
    """The condition of a row of the paper's at its size: the number of features varies at 4 classes."""
    features, classes = int(paper["features"]), int(paper["classes"])
    name = f"features_{features}" if classes == 4 else f"classes_{classes}"
    return summaries[name].to_dataset().sel(n=int(paper["n"]))


def _condition(paper: pd.Series) -> dict[str, int]:
    return {name: int(paper[name]) for name in ("features", "classes", "n")}


def _mean_and_sd(mean: float, sd: float) -> str:
    return f"{mean:.1f} ({sd:.1f})" if mean or (sd and not pd.isna(sd)) else "0"
