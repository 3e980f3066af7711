"""Log evidence by the scores at one point and from draws, beside AIS; Figures 4, 6 and 7 of [ChenWelling2013]."""

import xarray as xr
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.scores import AIS, SCORES, UNITS, look
from ockham.papers.style import PAGE, figure_legend, lettered, marked, size_axis, thin

__all__ = ["comparison"]

AROUND_A_POINT = (AIS, "laplace", "laplace_0", "map", "bic_ml")
FROM_DRAWS = (AIS, "laplace", "harmonic_1", "harmonic_4", "bridge_geometric", "bridge_optimal", "dic")


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
            doubt = data.doubt.sel(score=score).sel({against: values[against]})
            style = look(SCORES[score]) | marked(doubt) | ({"linestyle": "--", "zorder": 4} if score == AIS else {})
            axes.plot(values[against if against == "n" else "n_hidden"], values, **style)
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
