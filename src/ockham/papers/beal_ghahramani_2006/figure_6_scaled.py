"""What the remedy of [BealGhahramani2006], section 5, changes in its Figure 6."""

import xarray as xr
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.papers.beal_ghahramani_2006.proposals import CYCLE, draw_acceptance, draw_quarters, of_role
from ockham.papers.style import MARKED, PAGE, figure_legend, lettered, size_axis

__all__ = ["figure_6_scaled"]


@journal()
def figure_6_scaled(summaries: xr.DataTree) -> Figure:
    """What a proposal strength that grows with n tau(k) repairs; ``summaries`` from ``summarise``.

    (a) Acceptance rate under the constant and the growing strength, mean over structures, with their standard
    deviation. (b) Acceptance rate in each quarter under the growing one. (c) Percentage of structures whose AIS(5) is
    below VB, under both.
    """
    figure = Figure(figsize=(PAGE, 2.6), layout="constrained")
    panels = lettered(figure.subplots(1, 3))
    roles = {"": "constant", "scaled_proposal": r"growing with $n\tau$"}
    draw_acceptance(panels[0], summaries, roles)
    draw_quarters(panels[1], summaries, "scaled_proposal")
    data = summaries["annealing"].to_dataset().sel(batch_size=5, alias_correction="log_aliases")
    for (role, label), look in zip(roles.items(), CYCLE, strict=False):
        if (group := of_role(data, role)) is None:
            continue
        line = 100 * group.below_vb.dropna("n")
        panels[2].plot(line.n, line, label=label, **MARKED | look)
    panels[2].set_ylabel("AIS(5) below VB (% of structures)")
    size_axis(panels[2])
    figure_legend(panels[2])
    return figure
