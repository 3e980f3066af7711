"""Numbers of hidden units selected; Figure 2 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.cells import has_entry, of_entry
from ockham.papers.chen_welling_2013.figure_1 import TRUE_UNITS
from ockham.papers.chen_welling_2013.scores import SELECTING, look, with_bars
from ockham.papers.style import COLUMN, size_axis

__all__ = ["figure_2"]

APART = 0.06
"""How far from its size, in units of its logarithm, the first score is left of it, the third right of it."""


@journal()
def figure_2(summaries: xr.DataTree) -> Figure:
    """Number of hidden units selected, mean and standard deviation over instances, against the size."""
    data = summaries["simulated"].to_dataset()
    highest = data.doubt.where(data.n_hidden == data.selected, 0).max("structure")
    data = data.assign(doubted=(highest > 0).where(data.selected.notnull()).mean("replicate"))
    figure = Figure(figsize=(COLUMN, 2.7), layout="constrained")
    axes = figure.subplots()
    axes.axhline(TRUE_UNITS, color="0.7", linewidth=0.6, zorder=0, label="truth")
    for k, score in enumerate(SELECTING):
        if not has_entry(data, *score):
            continue
        found = of_entry(data, *score)
        chosen = found.selected.dropna("n", how="all")
        style = look(score)
        style["label"] += f" ({int(chosen.count('replicate').max())} instances)"
        beside = chosen.n * 10 ** (APART * (k - 1))
        mean, deviation = chosen.mean("replicate"), chosen.std("replicate", ddof=1)
        with_bars(axes, beside, mean, deviation, found.doubted.sel(n=chosen.n), **style)
    size_axis(axes)
    axes.set_xticks(data.n.values)
    axes.minorticks_off()
    axes.set_xlabel("rows $n$")
    axes.set_ylabel("hidden units selected")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=6)
    return figure
