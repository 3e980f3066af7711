"""How often each score has the number of classes on top that the rows were drawn from."""

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.figure import Figure

from ockham.contracts import Paper
from ockham.papers.mixed_classes.conditions import each, panels, styles
from ockham.papers.style import marked, one_legend

__all__ = ["recovery", "recovery_by_size"]


def recovery(summaries: xr.DataTree) -> Figure:
    """The fraction of the data sets with the true number of classes on top; ``summaries`` from ``summarise``."""
    figure, pairs = panels(summaries)
    for axes, group in pairs:
        data = group["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
        for score, style in styles(data).items():
            if score in data.score:
                one = data.sel(score=score).dropna("n", subset=["success_rate"])
                axes.plot(one.n, one.success_rate, **style.look | marked(one.fraction_doubted))
        axes.set_ylim(0, 1)
        axes.set_ylabel("true number on top")
    return one_legend(figure)


def recovery_by_size(summaries: xr.DataTree, paper: Paper) -> pd.DataFrame:
    """The numbers of classes that each score has on top.

    Parameters
    ----------
    summaries : xarray.DataTree
        As ``summarise`` returns it.
    paper : Paper
        Has no numbers.

    Returns
    -------
    pandas.DataFrame
        One row per condition, data set size and score, over data sets in which every number of classes has the score:
        how many these are, in which percentage of them too few classes, the true number, with the ends of its 95 %
        Wilson interval, and too many are on top, the mean posterior probability of the true number, in percent, and the
        percentage of the scores that are not to be trusted.
    """
    rows = []
    for condition, group in each(summaries):
        best, over = group["best"].to_dataset(), group["over_replicates"].to_dataset()
        labels = best.structure.values.tolist()
        true = labels.index(best.attrs["true_structure"])
        for n in best.n.values.tolist():
            for score, style in styles(best).items():
                if score not in best.score:
                    continue
                here = {"score": score, "alias_correction": "log_aliases", "n": n}
                values = best.log_evidence.sel(here).dropna("replicate").transpose("replicate", "structure").values
                if not len(values):
                    continue
                chosen, of = values.argmax(axis=1), over.sel(here)
                shares = {
                    "too few (%)": np.mean(chosen < true), "true (%)": np.mean(chosen == true),
                    "from (%)": of.success_rate_lower, "to (%)": of.success_rate_upper,
                    "too many (%)": np.mean(chosen > true), "probability (%)": of.posterior_mean,
                    "doubted (%)": of.fraction_doubted,
                }  # fmt: skip
                rows.append(
                    {"condition": condition, "n": n, "score": style.label, "data sets": len(values)}
                    | {name: round(100 * float(share), 1) for name, share in shares.items()}
                )
    return pd.DataFrame(rows)
