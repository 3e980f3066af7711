"""Criteria for singular models, and AIS over completions, beside the scores of [BealGhahramani2006] and the truth."""

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.summaries.best import values_of
from ockham.summaries.league import truth

__all__ = ["singular_check"]

JUDGED = {
    "bic": "BIC",
    "cheeseman_stutz": "CS",
    "variational_bayes": "VB",
    "bic_ml": "BIC at the ML parameters",
    "bic_effective": "BIC of the effective dimension",
    "sbic": "singular BIC",
    "wbic": "WBIC",
    "annealed_importance_sampling": "AIS",
    "ais_completions": "AIS over completions",
    "bridge_sampling": "bridge sampling",
}
"""The scores in the order of the table, and how it calls them."""


def singular_check(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How near each score is to the truth, and what it chooses, by data set size.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per size and score, corrected for aliases where it describes one mode. Over structures and data sets in
        which both are known: their number, the median distance from the truth and the median of the score minus the
        truth, in nats; the percentage of the scores that are not to be trusted. The rank of the true structure at the
        published parameters, and its median over prior draws, among all structures. In how many of how many data sets
        the structure on top of those with a truth is the same as by the truth.
    """
    best = summaries["best"].to_dataset()
    known = truth(best).log_evidence
    scores = values_of(best.log_evidence).sel(alias_correction="log_aliases")
    ranks = summaries["ranks"]["rank"].sel(alias_correction="log_aliases")
    rows = []
    for n in best.indexes["n"]:
        for name, label in JUDGED.items():
            if name not in scores.score:
                continue
            at = {"score": name, "n": n}
            apart = (scores - known).sel(at)
            if not apart.notnull().any():
                continue
            rank = ranks.sel(at)
            own, others = scores.sel(at), known.sel(n=n)
            same = [_same_choice(own.sel(replicate=r), others.sel(replicate=r)) for r in best.replicate]
            rows.append({
                "n": n,
                "score": label,
                "cells": int(apart.count()),
                "median error (nats)": float(abs(apart).median()),
                "median difference (nats)": float(apart.median()),
                "doubted (%)": 100 * float((best.doubt.sel(at) != 0).where(apart.notnull()).mean()),
                "rank of the true structure": float(rank.sel(replicate=0)),
                "median rank on prior draws": float(rank.sel(replicate=rank.replicate > 0).median()),
                "same structure on top": sum(choice for choice in same if choice is not None),
                "data sets": sum(choice is not None for choice in same),
            })  # fmt: skip
    decimals = {"median error (nats)": 2, "median difference (nats)": 2, "doubted (%)": 1}
    frame = pd.DataFrame(rows).round(decimals)
    return frame.astype({"rank of the true structure": "Int64"})


def _same_choice(score: xr.DataArray, known: xr.DataArray) -> bool | None:
    """Whether both have the same structure on top, among those that have both; None where none has."""
    both = (score.notnull() & known.notnull()).values
    if not both.any():
        return None
    first, second = (np.where(both, values, -np.inf).argmax() for values in (score.values, known.values))
    return bool(first == second)
