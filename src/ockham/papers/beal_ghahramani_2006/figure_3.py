"""The true structure's place at the published parameters; Figure 3 of [BealGhahramani2006]."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.beal_ghahramani_2006.trusted import at_the_published_parameters
from ockham.papers.style import SCORES, draw_by_size, one_legend, panels_by_size, rank_axis

__all__ = ["figure_3"]


def figure_3(summaries: xr.DataTree) -> Figure:
    """How the true structure and the posterior fare; ``summaries`` from ``summarise``.

    (a) Rank of the true structure. (b) Its score minus the top-ranked one's. (c) Kullback-Leibler divergence of the
    posterior over structures by each score from that by bridge sampling, or, in a study without it, by AIS. Lines have
    a gap where any bridge that they rest on is doubted.
    """
    data, apart = at_the_published_parameters(summaries)
    reference = apart.attrs["reference"]
    apart = apart.drop_sel(score=reference, errors="ignore")
    doubted = data.fraction_doubted
    figure, (rank, difference, *rest) = panels_by_size(3 if apart.notnull().any() else 2)
    draw_by_size(rank, data["rank"], "rank of true structure", doubted)
    rank_axis(rank, summaries["best"].sizes["structure"])
    draw_by_size(difference, data["difference"], "true $-$ top-ranked score (nats)", doubted)
    difference.set_ylim(top=0)
    for divergence in rest:
        label = f"KL divergence from {SCORES[reference].label} (nats)"
        draw_by_size(divergence, apart, label, np.fmax(doubted, doubted.sel(score=reference, drop=True)))
        divergence.set_ylim(bottom=0)
    return one_legend(figure)
