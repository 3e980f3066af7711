"""Figure 9 of [ChickeringHeckerman1997] over many data sets, as differences from the Candidate method."""

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.chickering_heckerman_1997.boundary_draws import FITS, JUDGED, of_fits
from ockham.papers.chickering_heckerman_1997.panels import SCORES, apart_axis
from ockham.papers.chickering_heckerman_1997.selections import STANDARD
from ockham.papers.style import PAGE, marked

__all__ = ["figure_9_draws"]

TITLES = {"inside": r"$\eta = 1.75$", "boundary": "10 % are 0"}


@journal()
def figure_9_draws(summaries: xr.DataTree) -> Figure:
    """Medians and ranges over data sets: a row for each condition, a column for each kind of fits."""
    figure = Figure(figsize=(PAGE, 4.4), layout="constrained")
    grid = figure.subplots(len(TITLES), len(FITS), sharey=True, squeeze=False)
    letters = iter("abcdef")
    for (condition, title), row in zip(TITLES.items(), grid, strict=True):
        data = summaries[condition].to_dataset().isel(n=0).sel(alias_correction="log_aliases")
        for (fits, role), axes in zip(FITS.items(), row, strict=True):
            _panel(axes, data, role)
            axes.set_title(f"({next(letters)}) {title}, {fits}", loc="left")
        row[0].set_ylabel("score minus Candidate (nats)")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False, handlelength=3)
    return figure


def _panel(axes: Axes, data: xr.Dataset, role: str) -> None:
    classes = data.n_hidden_configurations.values
    standard = data.log_evidence.sel(score=STANDARD)
    for place, (score, label) in enumerate(JUDGED.items()):
        apart = of_fits(data, score, role).log_evidence - standard
        middle, low, high = apart.median("replicate"), apart.min("replicate"), apart.max("replicate")
        style = SCORES[score]
        at = classes + 0.12 * (place - 1.5)
        axes.vlines(at, low, high, color=style.color, linewidth=0.8)
        doubted = (of_fits(data, score, role).doubt != 0) | (data.doubt.sel(score=STANDARD) != 0)
        look = style.look | {"label": f"{label}, median"}
        axes.plot(at, middle, **look | marked(doubted.mean("replicate")))
    axes.plot([], [], color="0.4", linewidth=0.8, label=f"lowest to highest of {data.sizes['replicate']} data sets")
    apart_axis(axes, classes)
