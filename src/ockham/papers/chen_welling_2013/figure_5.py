"""Single parameters of a Boltzmann machine a posteriori, by two samplers and Laplace; Figure 5 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ockham.io.figures import journal
from ockham.papers.style import PAGE, thin

__all__ = ["figure_5"]

LOOKS = {
    "hamiltonian": {"label": "Hamiltonian, exact", "color": "#CC79A7", "linewidth": 2.2},
    "langevin": {"label": "Langevin, brief sampling", "color": "#D55E00", "linewidth": 0.9},
    "laplace": {"label": "Laplace", "color": "#0072B2", "linewidth": 0.9, "linestyle": "--"},
}


@journal()
def figure_5(summaries: xr.DataTree) -> Figure:
    """Posterior densities of some parameters, a panel each.

    Parameters
    ----------
    summaries : xarray.DataTree
        With the group ``posterior_histograms``.
    """
    data = summaries["posterior_histograms"].to_dataset()
    figure = Figure(figsize=(PAGE, 3.2), layout="constrained")
    for axes, j in zip(figure.subplots(2, 3).ravel(), data.parameter.values, strict=True):
        panel = data.sel(parameter=j)
        for name, look in LOOKS.items():
            drawn = axes.plot if name == "laplace" else axes.step
            drawn(
                panel.value,
                panel.density.sel(distribution=name),
                **look,
                **({} if name == "laplace" else {"where": "mid"}),
            )
        axes.set_xlabel(rf"$\theta_{{{j}}}$")
        axes.set_ylabel("posterior density")
        axes.yaxis.set_major_locator(MaxNLocator(3))
        thin(axes)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure
