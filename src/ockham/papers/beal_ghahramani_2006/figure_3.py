"""The true structure's place at the published parameters; Figure 3 of [BealGhahramani2006]."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ockham.papers.style import SCORES, draw_by_size, one_legend, panels_by_size, rank_axis

__all__ = ["TRUTH", "figure_3", "without_doubted_bridges"]

TRUTH = "bridge_sampling"


def figure_3(summaries: xr.DataTree) -> Figure:
    """How the true structure and the posterior fare; ``summaries`` from ``summarise``.

    (a) Rank of the true structure. (b) Its score minus the top-ranked one's. (c) Kullback-Leibler divergence of the
    posterior over structures by each score from that by bridge sampling, or, in a study without it, by AIS. Lines have
    a gap where any bridge that they rest on is doubted.
    """
    data, apart = without_doubted_bridges(summaries)
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


def without_doubted_bridges(summaries: xr.DataTree) -> tuple[xr.Dataset, xr.DataArray]:
    """Ranks and divergences at the published parameters, corrected for aliases; NaN where they rest on doubted bridges.

    Those are ranks and differences of the bridges, and every divergence from them, of the data sets in which any is
    doubted.
    """
    ranks, posteriors = (
        summaries[name].to_dataset().sel(alias_correction="log_aliases", replicate=0)
        for name in ("ranks", "posteriors")
    )
    apart = posteriors.divergence
    if TRUTH not in ranks.score:
        return ranks, apart
    trusted = ranks.fraction_doubted.sel(score=TRUTH, drop=True) == 0
    own = {name: ranks[name].where(trusted | (ranks.score != TRUTH)) for name in ("rank", "difference")}
    return ranks.assign(own), apart.where(trusted) if apart.attrs["reference"] == TRUTH else apart
