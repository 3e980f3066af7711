"""What figures of [ChickeringHeckerman1997] draw, as numbers."""

from math import nan

import numpy as np
import pandas as pd
import xarray as xr

from ockham.contracts import Paper
from ockham.papers.chickering_heckerman_1997.figure_8 import PANELS
from ockham.papers.chickering_heckerman_1997.panels import SCORES
from ockham.papers.chickering_heckerman_1997.selections import STANDARD, choice

__all__ = ["costs_by_size", "scores_by_classes", "selected_by_condition", "sensitivity_to_priors"]

HESSIANS = ("laplace", "laplace_block")
"""The scores that take the determinant of a Hessian, and have none where that is not positive definite."""


def scores_by_classes(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """What Figures 2, 4 to 9 and 11 draw: the scores of the first data set of every condition and size.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition, n and number of classes. ``beyond`` is how many classes more there are than the Candidate
        method selects. ``Candidate`` is its log evidence, followed by a question mark where it is not to be trusted,
        and ``height`` the highest minus the lowest of all classes; the other scores, corrected for aliases, are minus
        Candidate's; nats.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().isel(replicate=0).sel(alias_correction="log_aliases")
        classes = data.n_hidden_configurations.values
        for n in data.n.values:
            at = data.sel(n=n)
            best = classes[int(at.selected.sel(score=STANDARD))]
            height = float(np.ptp(at.log_evidence.sel(score=STANDARD).values))
            for structure, k in zip(data.structure.values, classes, strict=True):
                cell = at.sel(structure=structure)
                standard = float(cell.log_evidence.sel(score=STANDARD))
                mark = " ?" if int(cell.doubt.sel(score=STANDARD)) else ""
                row = {"condition": condition, "n": int(n), "classes": int(k), "beyond": int(k - best)}
                row |= {"Candidate": f"{standard:.2f}{mark}", "height": round(height, 2)}
                for score, style in SCORES.items():
                    if score != STANDARD:
                        value = float(cell.log_evidence.sel(score=score)) if score in cell.score else nan
                        row[style.label] = round(value - standard, 2)
                rows.append(row)
    return pd.DataFrame(rows)


def selected_by_condition(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Separation and number of classes selected by every score, for the first data set of every condition and size.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per condition and n, with a * where a score's value of what it selects is not to be trusted; last, of
        how many models the Laplace and the block-diagonal approximation could not be computed, for their Hessian is not
        that of a maximum.
    """
    rows = []
    for condition in summaries.attrs["conditions"].split():
        data = summaries[condition].to_dataset().isel(replicate=0).sel(alias_correction="log_aliases")
        for n in data.n.values:
            at = data.sel(n=n)
            row = {"condition": condition, "n": int(n)}
            row["separation"] = round(float(at.separation), 4) if "separation" in at else nan
            for score, style in SCORES.items():
                row[style.label] = choice(at, score)
            for score in HESSIANS:
                missing = int(at.log_evidence.sel(score=score).isnull().sum()) if score in at.score else nan
                row[f"no {SCORES[score].label}"] = missing
            rows.append(row)
    return pd.DataFrame(rows).astype(dict.fromkeys([f"no {SCORES[score].label}" for score in HESSIANS], "Int64"))


def sensitivity_to_priors(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """How far apart every score of one data set is under the three priors of Figure 8.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of classes but one, where nothing is hidden: the highest minus the lowest of the three log
        evidences by each score, corrected for aliases, nats.
    """
    under = [summaries[panel.condition].to_dataset().isel(replicate=0).sel(n=panel.n) for panel in PANELS]
    scores = [data.log_evidence.sel(alias_correction="log_aliases") for data in under]
    values = xr.concat(scores, "prior", coords="minimal", compat="override")
    apart = (values.max("prior", skipna=False) - values.min("prior", skipna=False)).round(2)
    names = {score: style.label for score, style in SCORES.items() if score in apart.score}
    columns = {label: apart.sel(score=score).values for score, label in names.items()}
    table = pd.DataFrame({"classes": under[0].n_hidden_configurations.values.astype(int)} | columns)
    return table[table["classes"] > 1].reset_index(drop=True)


def costs_by_size(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """Figure 10 as numbers: CPU seconds of every score without the fit that it rests on, and of the fits.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise_conditions`` returns it, with the group ``cost_curves``.
    paper : Paper

    Returns
    -------
    pandas.DataFrame
        One row per number of parameters.
    """
    data = summaries["cost_curves"].to_dataset()
    names = {"em_map": "EM MAP", "em_ml": "EM ML"} | {score: style.label for score, style in SCORES.items()}
    columns = {names[q]: data.seconds.sel(quantity=q).values for q in data.quantity.values}
    return pd.DataFrame({"parameters": data.n_parameters.values} | columns).sort_values("parameters")
