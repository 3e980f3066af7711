"""What tables of [ChickeringHeckerman1997] share: the scores that they judge, and how rows and numbers are shown."""

import pandas as pd
import xarray as xr

__all__ = [
    "BRIDGE", "SAMPLERS", "SCORES", "SEEDS", "STANDARD", "apart", "choice", "condition_of", "doubted", "group_of",
    "mean_and_sd", "of_role", "truth_of",
]  # fmt: skip

STANDARD = "candidate"
"""The score that the others are judged by."""
BRIDGE = "bridge_sampling"
"""The score that the standard itself is judged by, where it was run and there is no exact value."""
SAMPLERS = (BRIDGE, "ais_completions", "sequential_monte_carlo")
"""Scores with an error, which only a study beyond the paper has, in the order in which they stand for the truth."""
SEEDS = "_seeds"
"""What follows the name of a condition in that with its first data sets and more of them."""
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


def apart(selected: xr.DataArray, score: str) -> str:
    """Classes that the Candidate method selects minus those that a score selects, over data sets."""
    apart = (selected.sel(score=STANDARD) - selected.sel(score=score)).to_series()
    return mean_and_sd(apart.mean(), apart.std(ddof=1))


def choice(data: xr.Dataset, score: str) -> str:
    """The number of classes that a score selects in one data set, with a * where its value there is not to be trusted.

    Nothing where it selects none.
    """
    if score not in data.score or bool(data.selected.sel(score=score).isnull()):
        return ""
    chosen = int(data.selected.sel(score=score))
    return f"{int(data.n_hidden_configurations[chosen])}{'*' if int(data.doubt.sel(score=score)[chosen]) else ''}"


def doubted(group: xr.Dataset) -> float:
    """Percentage of the models, over data sets, whose score by the Candidate method is not to be trusted."""
    return round(100 * float(group.fraction_doubted.sel(score=STANDARD).mean()), 1)


def group_of(summaries: xr.DataTree, row: pd.Series, more: str = "") -> xr.Dataset:
    """The summaries at its size of the condition that a row of the paper's names, or of one with ``more`` data sets."""
    return summaries[row["condition"] + more].to_dataset().sel(n=int(row["n"]))


def truth_of(data: xr.Dataset) -> xr.Dataset:
    """What all other scores of a condition are judged by, without ``score``, and ``judge``, the score that it is.

    The exact value; else the first of the samplers that is to be trusted; else the first, doubted. Without bridge
    sampling, in the paper's own studies, the standard.
    """
    names = [score for score in ("exact", *SAMPLERS) if score in data.score] if BRIDGE in data.score else [STANDARD]
    each = [
        data[["log_evidence", "standard_error", "doubt"]]
        .sel(score=name, drop=True)
        .assign(judge=lambda of, name=name: xr.full_like(of.doubt, name, dtype=object))
        for name in names
    ]
    found, *others = each
    for other in others:
        found = xr.where(_is_known(other) & ~_is_known(found), other, found)
    return found


def _is_known(data: xr.Dataset) -> xr.DataArray:
    return (data.doubt == 0) & data.log_evidence.notnull()


def of_role(data: xr.Dataset, score: str, role: str) -> xr.Dataset:
    """One score of the entry with a role in the paper; empty for the entry without any."""
    ((place,),) = ((data.estimate == score) & (data.role == role)).values.nonzero()
    return data.isel(score=place)


def condition_of(row: pd.Series) -> dict[str, int | float | str | None]:
    return {name: int(row[name]) for name in ("features", "classes", "n")}


def mean_and_sd(mean: float, sd: float) -> str:
    return f"{mean:.1f} ({sd:.1f})" if mean or (sd and not pd.isna(sd)) else "0"
