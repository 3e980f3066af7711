"""Log Bayes factors, ours beside the paper's; Table 2 of [ChickeringHeckerman1997]."""

from math import isnan

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.estimation.wording import error_in_words
from ockham.papers.chickering_heckerman_1997.selections import BRIDGE, STANDARD, condition_of, group_of
from ockham.papers.published import read_published

__all__ = ["table_2"]


def table_2(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Log Bayes factor of the two best models by the Candidate method, by that method (C) and by Laplace's (L), nats.

    Where bridge sampling was run, also by that (B).

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        Two rows per condition and n, ours and the paper's, whose data sets are others; columns for each of five data
        sets. Ours by the Candidate method and by bridge sampling has its standard error after it, and a question
        mark in its place where the score of one of the two models is not to be trusted.
    """
    rows = []
    for _, row_of in read_published(paper, "numbers/table_2.csv").iterrows():
        group = group_of(summaries, row_of)
        factor = group.log_bayes_factor.sel(alias_correction="log_aliases")
        ours, theirs = condition_of(row_of) | {"from": "Ockham"}, condition_of(row_of) | {"from": "paper"}
        for i in range(1, 6):
            for letter, score in {"C": STANDARD, "L": "laplace", "B": BRIDGE}.items():
                if score not in factor.score:
                    continue
                known = i in factor.replicate
                value = round(float(factor.sel(score=score, replicate=i)), 1) if known else None
                ours[f"{letter} {i}"] = value
                theirs[f"{letter} {i}"] = row_of.get(f"{letter.lower()}_{i}")
                if known and letter != "L":
                    error = float(group.bayes_factor_error.sel(score=score, replicate=i))
                    doubted = isnan(error) or bool(group.factor_doubted.sel(score=score, replicate=i))
                    ours[f"{letter} {i}"] = f"{value} {'?' if doubted else f'± {error_in_words(error, digits=1)}'}"
        rows += [ours, theirs]
    return pd.DataFrame(rows)
