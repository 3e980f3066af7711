"""Error of Monte Carlo with few draws against the size of the data set."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.style import panels_by_size

__all__ = ["figure_1"]


def figure_1(summaries: xr.DataTree) -> Figure:
    """A line for each structure, at the first replicate; ``summaries`` from ``summarise``."""
    found = summaries["best/log_evidence"].isel(replicate=0)
    error = found.sel(role="few_draws") - found.sel(role="exact")
    figure, (axes,) = panels_by_size(1)
    for structure in error.structure.values:
        axes.plot(error.n, error.sel(structure=structure), marker="o", label=structure)
    axes.set_ylabel("error of ln p(D), nats")
    axes.legend(frameon=False)
    return figure
