"""What figures of [BealGhahramani2006] draw, as numbers."""

import numpy as np
import pandas as pd
import xarray as xr
from scipy.stats import rankdata

from ockham.contracts import Paper
from ockham.papers.beal_ghahramani_2006.proposals import of_role
from ockham.papers.beal_ghahramani_2006.section_4_2 import PERFORMANCE
from ockham.papers.beal_ghahramani_2006.trusted import at_the_published_parameters

__all__ = ["acceptance", "figure_numbers_by_size", "schedule_lengths", "trends"]

AIS, VB = "annealed_importance_sampling", "variational_bayes"


def figure_numbers_by_size(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What Figures 2 to 5 draw beside ranks and success rates, by data set size; scores corrected for aliases.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size. At the published parameters, for every score: ``trend``, Spearman's rank correlation
        of scores and numbers of parameters over structures; ``difference`` of the true structure from the top-ranked
        one, nats; ``divergence`` of the posterior from that of the reference, nats, NaN where that is of bridges any of
        which is doubted; and ``AIS below VB (%)`` of the structures, all runs of AIS averaged. Over prior draws: the
        ``best rank`` of the true structure, its mean ``posterior`` probability, and the fraction ``above uniform``.
    """
    published = summaries["best"].to_dataset().sel(alias_correction="log_aliases", replicate=0)
    ranks, divergence = at_the_published_parameters(summaries)
    over = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    parts = {
        "trend": trends(published),
        "difference": ranks.difference,
        "divergence": divergence,
        "best rank": over.rank_best, "posterior": over.posterior_mean, "above uniform": over.above_uniform,
    }  # fmt: skip
    columns = {
        f"{name} {label}": values.sel(score=score).to_series().round(4)
        for name, values in parts.items()
        for label, score in {"MAP": "map", **PERFORMANCE}.items()
        if score in values.score
    }
    ais, vb = (published.log_evidence.sel(score=score) for score in (AIS, VB))
    below = (ais < vb).where(ais.notnull() & vb.notnull()).mean("structure")
    columns["AIS below VB (%)"] = (100 * below).to_series().round(1)
    return pd.DataFrame(columns).reset_index()


def trends(data: xr.Dataset) -> xr.DataArray:
    """Rank correlation of scores and numbers of parameters over structures; NaN where one has no score."""
    scores = data.log_evidence
    whole = scores.where(scores.notnull().all("structure"))
    sizes = data.n_parameters.copy(data=rankdata(data.n_parameters))
    ranks = xr.apply_ufunc(
        rankdata, whole, input_core_dims=[["structure"]], output_core_dims=[["structure"]],
        kwargs={"axis": -1, "nan_policy": "propagate"},
    )  # fmt: skip
    return xr.corr(ranks, sizes, "structure")


def schedule_lengths(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 6 (a) as numbers: log evidence of the true structure by AIS against the length of the schedule.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of steps: median, lowest and highest log weight and standard deviation of the runs from the
        prior, the run from the true parameters, and the VB and BIC scores corrected for aliases; nats.
    """
    data = summaries["schedule_length"].to_dataset()
    prior = data.log_weight.sel(start="prior")
    columns = {
        "AIS median": prior.median("run"), "AIS lowest": prior.min("run"), "AIS highest": prior.max("run"),
        "AIS deviation": prior.std("run", ddof=1),
    }  # fmt: skip
    if "truth" in data.start:
        columns["AIS from truth"] = data.log_weight.sel(start="truth").mean("run")
    best = summaries["best"].to_dataset().sel(replicate=0, n=int(data.n), structure=summaries.attrs["true_structure"])
    frame = pd.DataFrame({name: values.to_series() for name, values in columns.items()})
    for label, score in (("VB", VB), ("BIC", "bic")):
        frame[label] = float(best.log_evidence.sel(score=score, alias_correction="log_aliases"))
    return frame.round(2).rename_axis("steps").reset_index()


def acceptance(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 6 (b) and (c) as numbers: the acceptance rate of the proposals of AIS, mean over structures, in percent.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per data set size: the rate, its standard deviation over structures, and that of each quarter of the
        schedule.
    """
    group = of_role(summaries["annealing"].to_dataset(), "")
    if group is None:
        return pd.DataFrame(columns=["n"])
    columns = {"accepted (%)": group.acceptance, "deviation (%)": group.acceptance_deviation}
    columns |= {f"quarter {q} (%)": group.acceptance_quarter.sel(quarter=q) for q in group.quarter.values}
    frame = pd.DataFrame({name: 100 * values.to_series() for name, values in columns.items()})
    return frame.replace([np.inf, -np.inf], np.nan).dropna(subset=["accepted (%)"]).round(1).reset_index()
