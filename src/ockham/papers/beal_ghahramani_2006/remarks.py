"""What [BealGhahramani2006] says in passing of its structures, of its true model and of its draws of the prior."""

from itertools import permutations

import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.beal_ghahramani_2006.parameters import PARAMETERS
from ockham.papers.beal_ghahramani_2006.section_4_2 import PERFORMANCE
from ockham.summaries.over_replicates import prior_draws

__all__ = ["distances_over_draws", "structure_sizes", "top_structures", "true_model"]

COMPARED = {label: score for label, score in PERFORMANCE.items() if label != "AIS"}
"""The scores that have all draws, and no fewer runs at one size than at another."""
RESTARTS = "map_em_restarts"
"""The score of the entry with more runs of EM."""


def structure_sizes(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How many structures have each number of parameters, and how many of these have every arc of the true one.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it, of a space of bipartite graphs whose hidden variables are alike.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of parameters: ``structures``, and ``with all arcs of the true one`` but not that one itself.
    """
    n_parameters = summaries["best"].to_dataset().n_parameters.to_series()
    true = summaries.attrs["true_structure"]
    above = pd.Series([label != true and _contains(label, true) for label in n_parameters.index], n_parameters.index)
    counts = above.groupby(n_parameters).agg(["size", "sum"]).rename_axis("parameters").reset_index()
    return counts.rename(columns={"size": "structures", "sum": "with all arcs of the true one"})


def true_model(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What the published parameters say of the rows that are drawn with them.

    Parameters
    ----------
    summaries : xarray.DataTree
        Not used: the parameters are the paper's.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per configuration of the two hidden variables: the percentage of rows expected to have it.
    """
    s1, s2 = PARAMETERS["s1"][0], PARAMETERS["s2"][0]
    rows = [(f"{i + 1} {j + 1}", 100 * s1[i] * s2[j]) for i in range(len(s1)) for j in range(len(s2))]
    return pd.DataFrame(rows, columns=["hidden variables", "expected (%)"]).round(1)


def top_structures(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The number of parameters of the structure that each score has on top, at the published parameters.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size at which MAP has every structure; blank where another score has not.
    """
    data = summaries["best"].to_dataset().sel(replicate=0)
    columns = {}
    for label, score in {"MAP": "map", "MAP (30 runs)": RESTARTS, **COMPARED}.items():
        if score not in data.score:
            continue
        values = data.log_evidence.sel(score=score, alias_correction="log_aliases")
        whole = values.notnull().all("structure")
        top = data.n_parameters.isel(structure=values.fillna(float("-inf")).argmax("structure"))
        columns[label] = top.where(whole).to_series().astype("Int64")
    return pd.DataFrame(columns).dropna(subset=["MAP"]).rename_axis("n").reset_index()


def distances_over_draws(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far the true structure is below the top-ranked one by each score, over draws of the prior.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: the number of draws, and for every score, corrected for aliases, the median and the
        mean of the distance, nats.
    """
    distance = -prior_draws(summaries["ranks"].to_dataset().difference).sel(alias_correction="log_aliases")
    known = distance.sel(score=list(COMPARED.values())).dropna("n", how="all")
    columns = {"draws": known.notnull().all("score").sum("replicate").to_series()}
    for name, values in (("median", known.median("replicate")), ("mean", known.mean("replicate"))):
        columns |= {
            f"{name} {label}": values.sel(score=score).to_series().round(2) for label, score in COMPARED.items()
        }
    return pd.DataFrame(columns).reset_index()


def _contains(label: str, other: str) -> bool:
    """Whether a bipartite graph has all arcs of another, up to the names of the hidden variables."""
    hidden = sorted({*label, *other} - {"-", "0"})
    arcs = {(child, parent) for child, parents in enumerate(label.split("-")) for parent in parents}
    for image in permutations(hidden):
        named = dict(zip(hidden, image, strict=True))
        others = {(c, named[p]) for c, parents in enumerate(other.split("-")) for p in parents if p != "0"}
        if others <= arcs:
            return True
    return False
