"""The three figures of Beal & Ghahramani (2003) as views of the same scores."""

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.beal_ghahramani_2006.proposals import draw_schedule_length
from ockham.papers.style import PAGE, SCORES, figure_legend, lettered, marked, rank_axis, shown, size_axis, thin

__all__ = ["valencia_2003"]

AIS, VB = "annealed_importance_sampling", "variational_bayes"


@journal()
def valencia_2003(summaries: xr.DataTree) -> Figure:
    """Scores, ranks and schedules as the 2003 paper shows them; ``summaries`` from ``summarise``.

    (a) Score of every structure by MAP, AIS, VB and BIC, at the smallest n at which VB and AIS both rank the true
    structure first (the largest n if there is none). (b) Rank of the true structure by AIS, VB and BIC. (c) Log weights
    of AIS runs against the length of the schedule.
    """
    figure = Figure(figsize=(PAGE, 2.8), layout="constrained")
    panels = lettered(figure.subplots(1, 3))
    _scores(panels[0], summaries)
    place = summaries["ranks"].to_dataset().sel(replicate=0, alias_correction="log_aliases")
    ranks = place["rank"]
    for score in (AIS, VB, "bic"):
        if score in shown(ranks):
            line = ranks.sel(score=score).dropna("n")
            look = SCORES[score].look | marked(place.fraction_doubted.sel(score=score, n=line.n))
            panels[1].plot(line.n, line, **look)
    panels[1].set_ylabel("rank of true structure")
    size_axis(panels[1])
    rank_axis(panels[1], summaries["best"].sizes["structure"])
    figure_legend(panels[1])
    draw_schedule_length(panels[2], summaries)
    return figure


def _scores(axes: Axes, summaries: xr.DataTree) -> None:
    ranks = summaries["ranks"]["rank"].sel(replicate=0, alias_correction="log_aliases").reindex(score=[AIS, VB])
    found = (ranks == 1).all("score")
    n = int(ranks.n[found][0]) if found.any() else int(ranks.n[-1])
    data = summaries["best"].to_dataset().sel(replicate=0, n=n, alias_correction="log_aliases")
    for offset, score in zip((-0.9, -0.3, 0.3, 0.9), ("map", AIS, VB, "bic"), strict=True):
        if score not in shown(data.log_evidence):
            continue
        style, values = SCORES[score], data.log_evidence.sel(score=score)
        axes.scatter(data.n_parameters + offset, values, s=3, color=style.color, linewidth=0, label=style.label)
        top = values.argmax("structure")
        axes.scatter(data.n_parameters[top] + offset, values[top], s=18, color=style.color, marker="*")
    true = float(data.n_parameters.sel(structure=data.attrs["true_structure"]))
    axes.axvline(true, color="0.6", linewidth=0.6, linestyle=":")
    axes.set_xlabel("number of parameters")
    axes.set_ylabel(f"score at $n = {n}$ (nats)")
    thin(axes)
    figure_legend(axes)
