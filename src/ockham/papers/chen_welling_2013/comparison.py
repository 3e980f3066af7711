"""Log evidence by the scores at one point and from draws, beside AIS; Figures 4, 6 and 7 of [ChenWelling2013]."""

from collections.abc import Sequence

import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, StrMethodFormatter

from ockham.io.figures import journal
from ockham.papers.chen_welling_2013.cells import STANDARD, has_entry, of_entry
from ockham.papers.chen_welling_2013.scores import Score, look, units_axis
from ockham.papers.style import PAGE, lettered, marked, size_axis

__all__ = ["comparison"]

AIS: Score = (STANDARD, "")
NEAR: tuple[Score, ...] = (("laplace", ""), ("laplace", "exact_fit"), ("laplace_0", ""))
AROUND_A_POINT: tuple[Score, ...] = (AIS, *NEAR, ("map", ""), ("bic_ml", ""))
DRAWN = ("harmonic_1", "harmonic_4", "bridge_geometric", "bridge_optimal", "dic")
FROM_DRAWS: tuple[Score, ...] = (
    ("laplace", ""),
    *((score, role) for score in DRAWN for role in ("", "more_prior_draws")
      if not role or score.startswith("bridge")),
)  # fmt: skip
"""The prior's draws are in bridges alone."""
LINEAR = 1.0
"""Nats, within which differences of scores from draws are drawn to scale; logarithms are beyond."""
ERRORS = 2
"""Standard errors of AIS in the band around it."""


@journal()
def comparison(condition: str, against: str, summaries: xr.DataTree, *, inset: bool = False) -> Figure:
    """Log evidence per row by the scores at one point, (a), and from draws, (b), beside AIS; Figures 4, 6 and 7.

    Below, the scores near AIS, (c), and those from draws, (d), minus AIS. A point that a score lacks breaks the line,
    in (c) and (d) also one at which AIS is doubted. ``inset`` has the scores near AIS of (a) alone.
    """
    data = (
        summaries[condition].to_dataset().isel({"replicate": 0} | ({"structure": 0} if against == "n" else {"n": -1}))
    )
    x = data.n if against == "n" else data.n_hidden
    figure = Figure(figsize=(PAGE, 5.2), layout="constrained")
    around, draws, near, apart = lettered(figure.subplots(2, 2).ravel())
    _levels(around, data, x, AROUND_A_POINT)
    _levels(draws, data, x, (AIS, *FROM_DRAWS))
    if inset:
        within = around.inset_axes((0.04, 0.14, 0.36, 0.36))
        _levels(within, data, x, (AIS, *NEAR))
        within.tick_params(labelsize=6, length=2, width=0.5)
        within.yaxis.tick_right()
    _differences(near, data, x, NEAR)
    _differences(apart, data, x, FROM_DRAWS)
    apart.set_yscale("symlog", linthresh=LINEAR, linscale=0.5)
    tens = [10.0**k for k in range(5)]
    apart.yaxis.set_major_locator(FixedLocator([*(-ten for ten in tens), 0, *tens]))
    apart.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    entries: dict[str, Artist] = {}
    for axes in (around, draws, near, apart):
        if against == "n":
            size_axis(axes)
            axes.set_xlabel("documents $N$")
        else:
            units_axis(axes)
        axes.set_ylabel("log evidence per document (nats)" if axes in (around, draws) else "score minus AIS (nats)")
        entries |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=5, frameon=False, handlelength=3)
    return figure


def _levels(axes: Axes, data: xr.Dataset, x: xr.DataArray, scores: Sequence[Score]) -> None:
    for score in scores:
        if has_entry(data, *score):
            found = of_entry(data, *score)
            axes.plot(x, found.log_evidence / data.n, **look(score) | marked(found.doubt))


def _differences(axes: Axes, data: xr.Dataset, x: xr.DataArray, scores: Sequence[Score]) -> None:
    """A point has no marker where the score is doubted, and there is none where AIS is."""
    if not has_entry(data, *AIS):
        return
    standard = of_entry(data, *AIS)
    known = standard.log_evidence.where(standard.doubt == 0)
    band = ERRORS * standard.standard_error.where(known.notnull())
    axes.fill_between(x, -band, band, color="0.8", linewidth=0, label=f"AIS within {ERRORS} standard errors")
    axes.axhline(0, color="black", linewidth=0.5, linestyle="--")
    axes.update_datalim([(value, 0.0) for value in x.values])  # as far as the panels above, whatever is known
    for score in scores:
        if has_entry(data, *score):
            found = of_entry(data, *score)
            axes.plot(x, found.log_evidence - known, **look(score) | marked(found.doubt))
