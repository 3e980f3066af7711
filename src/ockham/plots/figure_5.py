"""How often the true structure is found, over draws of its parameters; Figure 5 of [BealGhahramani2006]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.plots.style import figure_by_size

__all__ = ["figure_5a", "figure_5b", "figure_5c"]


def figure_5a(summaries: xr.DataTree) -> Figure:
    """Success rate with its 95 % Wilson interval; ``summaries`` as ``summarise`` returns it."""
    data = _draws(summaries)
    band = data.success_rate_lower, data.success_rate_upper
    return _from_zero_to_one(figure_by_size(data.success_rate, "success rate", band))


def figure_5b(summaries: xr.DataTree) -> Figure:
    """Mean posterior probability of the true structure, plus and minus its standard error."""
    data = _draws(summaries)
    band = data.posterior_mean - data.posterior_standard_error, data.posterior_mean + data.posterior_standard_error
    return _from_zero_to_one(figure_by_size(data.posterior_mean, "mean posterior probability", band))


def figure_5c(summaries: xr.DataTree) -> Figure:
    """Fraction of draws that make the true structure more probable than it was, with its 95 % Wilson interval."""
    data = _draws(summaries)
    band = data.above_uniform_lower, data.above_uniform_upper
    label = f"fraction with posterior > 1/{summaries['best'].sizes['structure']}"
    return _from_zero_to_one(figure_by_size(data.above_uniform, label, band))


def _draws(summaries: xr.DataTree) -> xr.Dataset:
    return summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")


def _from_zero_to_one(figure: Figure) -> Figure:
    figure.axes[0].set_ylim(0, 1)
    return figure
