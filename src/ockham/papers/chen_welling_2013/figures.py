"""The evidence of restricted Boltzmann machines by every score; Figures 1, 2, 4 and 6 to 8 of [ChenWelling2013]."""

from functools import partial

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ockham.papers.style import COLUMN, MARKED, PAGE, Style, figure_legend, journal, lettered, size_axis, thin

__all__ = ["MACHINES", "MACHINES_NEED"]

AIS = "annealed_importance_sampling"
SCORES = {
    AIS: Style("AIS", "#000000", ""),
    "laplace": Style("Laplace", "#D55E00", "D"),
    "laplace_0": Style("Laplace0", "#E69F00", "s"),
    "map": Style("MAP", "#009E73", "^"),
    "bic_ml": Style("BIC-ML", "#0072B2", "x"),
    "harmonic_1": Style("Harmonic-1", "#009E73", "v"),
    "harmonic_4": Style("Harmonic-4", "#0072B2", "+"),
    "bridge_geometric": Style("Bridge-Geo", "#CC79A7", "o"),
    "bridge_optimal": Style("Bridge-Opt", "#56B4E9", "P"),
    "dic": Style("DIC", "#999999", "*"),
    "cross_validation": Style("10-fold CV", "#0072B2", "o"),
}
AROUND_A_POINT = (AIS, "laplace", "laplace_0", "map", "bic_ml")
FROM_DRAWS = (AIS, "laplace", "harmonic_1", "harmonic_4", "bridge_geometric", "bridge_optimal", "dic")
UNITS = "hidden units $K$"


@journal()
def example(summaries: xr.DataTree) -> Figure:
    """Laplace over runs, and held-out rows over folds, of one instance at its largest size; Figure 1."""
    data = summaries["simulated"].to_dataset().isel(replicate=0, n=-1)
    figure = Figure(figsize=(COLUMN, 3.6), layout="constrained")
    above, below = lettered(figure.subplots(2, 1))
    laplace = data.sel(score="laplace_laplace_again")
    _with_bars(above, laplace.n_hidden, laplace.run_mean, laplace.run_deviation, SCORES["laplace"])
    _with_bars(below, data.n_hidden, data.held_out_mean, data.held_out_deviation, SCORES["cross_validation"])
    above.set_ylabel("log evidence (nats)")
    below.set_ylabel("log likelihood per row (nats)")
    below.set_xlabel(UNITS)
    return figure


@journal()
def selection(summaries: xr.DataTree) -> Figure:
    """Number of hidden units selected, mean and standard deviation over instances, against the size; Figure 2."""
    selected = summaries["simulated"]["selected"]
    figure = Figure(figsize=(COLUMN, 2.5), layout="constrained")
    axes = figure.subplots()
    for score in ("laplace", "cross_validation"):
        chosen = selected.sel(score=score).dropna("n", how="all")
        _with_bars(axes, chosen.n, chosen.mean("replicate"), chosen.std("replicate", ddof=1), SCORES[score])
    size_axis(axes)
    axes.set_ylabel("hidden units selected")
    figure_legend(axes)
    return figure


@journal()
def comparison(condition: str, against: str, summaries: xr.DataTree) -> Figure:
    """Log evidence per row by the scores at one point, (a), and from draws, (b), beside AIS; Figures 4, 6 and 7."""
    data = (
        summaries[condition].to_dataset().isel({"replicate": 0} | ({"structure": 0} if against == "n" else {"n": -1}))
    )
    figure = Figure(figsize=(PAGE, 2.8), layout="constrained")
    for axes, scores in zip(lettered(figure.subplots(1, 2)), (AROUND_A_POINT, FROM_DRAWS), strict=True):
        for score in scores:
            if score not in data.score:
                continue
            values = (data.log_evidence.sel(score=score) / data.n).dropna(against)
            look = _look(SCORES[score]) | ({"linestyle": "--", "zorder": 4} if score == AIS else {})
            axes.plot(values[against if against == "n" else "n_hidden"], values, **look)
        if against == "n":
            size_axis(axes)
            axes.set_xlabel("documents $N$")
        else:
            axes.set_xlabel(UNITS)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            thin(axes)
        axes.set_ylabel("log evidence per document (nats)")
        figure_legend(axes)
    return figure


@journal()
def held_out(summaries: xr.DataTree) -> Figure:
    """Log likelihood per held-out row, mean and standard deviation over the folds; Figure 8."""
    figure = Figure(figsize=(PAGE, 2.5), layout="constrained")
    for axes, condition in zip(lettered(figure.subplots(1, 2)), ("five_words_units", "all_words"), strict=True):
        data = summaries[condition].to_dataset().isel(replicate=0, n=0)
        _with_bars(axes, data.n_hidden, data.held_out_mean, data.held_out_deviation, SCORES["cross_validation"])
        axes.set_xlabel(UNITS)
        axes.set_ylabel("log likelihood per row (nats)")
    return figure


def _look(style: Style) -> dict:
    return MARKED | {"label": style.label, "color": style.color, "marker": style.marker}


def _with_bars(axes: Axes, x: xr.DataArray, mean: xr.DataArray, deviation: xr.DataArray, style: Style) -> None:
    axes.errorbar(x, mean, deviation, capsize=1.5, elinewidth=0.6, **_look(style))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    thin(axes)


MACHINES = {
    "figure_1": example,
    "figure_2": selection,
    "figure_4": partial(comparison, "five_words_sizes", "n"),
    "figure_6": partial(comparison, "five_words_units", "structure"),
    "figure_7": partial(comparison, "all_words", "structure"),
    "figure_8": held_out,
}
"""Figure to its function."""

MACHINES_NEED = {
    "figure_1": ("simulated", "laplace_again", "cross_validation"),
    "figure_2": ("simulated", "laplace", "cross_validation"),
    "figure_4": ("five_words_sizes",),
    "figure_6": ("five_words_units",),
    "figure_7": ("all_words",),
    "figure_8": ("five_words_units", "all_words", "cross_validation"),
}
"""Figure to the conditions and the entries of the scorers that it shows."""
