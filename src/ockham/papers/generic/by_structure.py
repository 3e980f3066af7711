"""Evidence and posterior probability of each structure, by every score, at each size of the data."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.estimation.intervals import interval
from ockham.io.figures import journal
from ockham.papers.style import COLUMN, PAGE, SCORES, marked, one_legend, thin, with_others
from ockham.summaries.posteriors import posterior

__all__ = ["N_SIZES", "N_STRUCTURES", "evidence", "probability"]

N_SIZES, N_STRUCTURES = 3, 12
"""Panels, of the largest sizes, and structures in a panel, at the most."""


def evidence(summaries: xr.DataTree) -> Figure:
    """Log evidence, with 95 % intervals of what is to be trusted; ``summaries`` from ``summarise``."""
    best = summaries["best"].to_dataset()
    values = best.log_evidence.sel(alias_correction="log_aliases", drop=True)
    trusted = best.standard_error.where(best.doubt == 0)
    _, reach = xr.apply_ufunc(
        interval, xr.zeros_like(trusted), trusted, best.degrees_of_freedom, output_core_dims=[[], []]
    )
    return _figure(best, values, "log evidence (nats)", reach)


def probability(summaries: xr.DataTree) -> Figure:
    """Posterior probability among structures that are equally probable a priori; ``summaries`` from ``summarise``."""
    best = summaries["best"].to_dataset()
    values = posterior(best.log_evidence.sel(alias_correction="log_aliases", drop=True))
    return _figure(best, values, "posterior probability", xr.full_like(values, np.nan))


@journal()
def _figure(best: xr.Dataset, values: xr.DataArray, label: str, error: xr.DataArray) -> Figure:
    """A panel for each of the largest sizes, of the first replicate."""
    sizes = best.n.values[-N_SIZES:]
    figure = Figure(figsize=(COLUMN if len(sizes) == 1 else PAGE, 2.8), layout="constrained")
    for axes, n in zip(figure.subplots(1, len(sizes), squeeze=False)[0], sizes, strict=True):
        here = {"replicate": best.replicate[0], "n": n}
        highest = best.log_evidence.sel(alias_correction="log_aliases", **here).max("score").fillna(-np.inf)
        first = np.sort(np.argsort(-highest.values, kind="stable")[:N_STRUCTURES])
        parts = (data.sel(here).isel(structure=first) for data in (values, error, best.doubt))
        _draw(axes, *parts)
        axes.set_title(f"n = {n}")
        axes.set_ylabel(label)
    return one_legend(figure)


def _draw(axes: Axes, values: xr.DataArray, error: xr.DataArray, doubt: xr.DataArray) -> None:
    """A line for each score over the structures; what is not to be trusted has no marker."""
    styles = with_others(SCORES, values.score.values.tolist())
    for score in values.score.values:
        line = values.sel(score=score)
        if score == "map" or not line.notnull().any():
            continue
        style, places = styles[score], np.arange(line.size)
        axes.plot(places, line, **style.look | marked(doubt.sel(score=score) != 0))
        axes.errorbar(places, line, error.sel(score=score), fmt="none", ecolor=style.color, elinewidth=0.8)
    axes.set_xticks(np.arange(values.sizes["structure"]), values.structure.values.tolist(), rotation=60, ha="right")
    thin(axes)
