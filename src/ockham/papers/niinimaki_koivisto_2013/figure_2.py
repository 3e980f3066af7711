"""Log evidence of samplers of node orders against running time; Figure 2 of [NiinimakiKoivisto2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.niinimaki_koivisto_2013.samplers import draw_evidence, entries_of, name_panel
from ockham.papers.style import PAGE, lettered, one_legend

__all__ = ["figure_2"]


@journal()
def figure_2(summaries: xr.DataTree) -> Figure:
    """Log evidence under the order-modular prior, a panel for each condition; ``summaries`` from ``summarise``.

    Median over runs of every sampler, the median lower bound of AIS of the middle length (AISL), and the exact value.
    """
    conditions = [name for name in summaries.attrs["conditions"].split() if not summaries[name].attrs["beyond_paper"]]
    figure = Figure(figsize=(PAGE, 2.9), layout="constrained")
    for axes, name in zip(lettered(figure.subplots(1, len(conditions), squeeze=False)[0]), conditions, strict=True):
        data = entries_of(summaries, name).sel(prior="orders")
        draw_evidence(axes, data, data.scorer)
        name_panel(axes, data)
    return one_legend(figure)
