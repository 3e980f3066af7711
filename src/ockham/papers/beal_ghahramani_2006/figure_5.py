"""How often the true structure is found, over draws of its parameters; Figure 5 of [BealGhahramani2006]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.beal_ghahramani_2006.figure_4 import of_fewer_draws
from ockham.papers.beal_ghahramani_2006.trusted import over_draws
from ockham.papers.style import draw_by_size, one_legend, panels_by_size

__all__ = ["figure_5"]

WILSON = "95 % Wilson interval"


def figure_5(summaries: xr.DataTree) -> Figure:
    """How the true structure fares over the draws; ``summaries`` from ``summarise``.

    (a) Success rate with its 95 % Wilson interval. (b) Mean posterior probability of the true structure, plus and minus
    its standard error. (c) Fraction of draws in which the true structure has more than the uniform probability, with
    its 95 % Wilson interval.
    """
    data = over_draws(summaries)
    figure, (success, posterior, above) = panels_by_size(3)
    doubted, remarks = data.fraction_doubted, of_fewer_draws(summaries)
    interval = data.success_rate_lower, data.success_rate_upper
    draw_by_size(success, data.success_rate, "success rate", doubted, interval, WILSON, remarks)
    error = data.posterior_standard_error
    band = data.posterior_mean - error, data.posterior_mean + error
    draw_by_size(
        posterior, data.posterior_mean, "mean posterior probability", doubted, band, r"$\pm$ standard error", remarks
    )
    label = f"fraction with posterior > 1/{summaries['best'].sizes['structure']}"
    interval = data.above_uniform_lower, data.above_uniform_upper
    draw_by_size(above, data.above_uniform, label, doubted, interval, WILSON, remarks)
    for axes in (success, posterior, above):
        axes.set_ylim(0, 1)
    return one_legend(figure)
