"""What figures and tables of a study in conditions have in common: a panel or rows for each, and the scores' look."""

from collections.abc import Iterator

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.style import DASH_DOTS, LONG, PAGE, SCORES, SHORT, Style, lettered, size_axis, with_others

__all__ = ["each", "panels", "styles"]

STYLES = (
    {"exact": Style("exact", "#000000", "+", ":")}
    | {name: style for name, style in SCORES.items() if name not in ("map", "bicp")}
    | {
        "bic_ml": Style("BIC at ML", "#F0E442", "d", LONG),
        "variational_bayes_from_cs": Style("VB from CS", "#56B4E9", "<", "--"),
        "laplace": Style("Laplace", "#CC79A7", "P", DASH_DOTS),
        "candidate": Style("Candidate", "#999999", "h", "-."),
        "sequential_monte_carlo": Style("SMC", "#882255", "p", SHORT),
    }
)
LEFT_OUT = ("map", "maximum_likelihood", "cheeseman_stutz_ml")
COLUMNS = 3


def styles(of: xr.Dataset) -> dict[str, Style]:
    """Of every score of a dataset that is shown."""
    return with_others(STYLES, of.score.values.tolist(), LEFT_OUT)


def each(summaries: xr.DataTree) -> Iterator[tuple[str, xr.DataTree]]:
    """Every condition by its name, or the study without any by an empty one."""
    if names := summaries.attrs.get("conditions", "").split():
        yield from ((name, group) for name, group in summaries.children.items() if name in names)
    else:
        yield "", summaries


@journal()
def panels(summaries: xr.DataTree) -> tuple[Figure, list[tuple[Axes, xr.DataTree]]]:
    """A figure with a panel for each condition, named, against the size of the data set."""
    parts = list(each(summaries))
    n_columns = min(COLUMNS, len(parts))
    n_rows = -(-len(parts) // n_columns)
    figure = Figure(figsize=(PAGE, 0.5 + 2.1 * n_rows), layout="constrained")
    axes = [panel for row in figure.subplots(n_rows, n_columns, squeeze=False, sharey=True) for panel in row]
    for empty in axes[len(parts) :]:
        empty.remove()
    pairs = []
    for panel, (name, group) in zip(lettered(axes[: len(parts)]), parts, strict=True):
        size_axis(panel)
        panel.set_title(name.replace("_", ", "))
        pairs.append((panel, group))
    return figure, pairs
