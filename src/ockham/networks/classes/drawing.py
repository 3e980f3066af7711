"""The picture of a selection: evidences and scores by the number of classes, and p(K | data)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ockham.io.figures import journal
from ockham.networks.classes.fits import ESTIMATES

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = ["draw", "figure"]

SCORES = ("bic", "cheeseman_stutz", "variational_bayes")
PROBABILITY = 0.95
"""Of intervals."""
LINEAR = 20.0
"""Nats below the highest evidence, up to which the axis is linear; one class may be thousands below."""


@journal()
def figure(found: "Selection") -> Figure:
    """The picture by itself."""
    made = Figure(figsize=(7.0, 2.8), layout="constrained")
    draw(found, made.subplots(1, 2))
    return made


def draw(found: "Selection", axes: Any = None) -> np.ndarray:
    """On two axes, new ones of pyplot by default."""
    if axes is None:
        from matplotlib import pyplot as plt

        _, axes = plt.subplots(1, 2, figsize=(9.0, 3.5), layout="constrained")
    left, right = axes
    classes = np.array(found.classes)
    _draw_evidences(found, left)
    of = found.posterior
    unknown = np.isnan(of.probability)
    middle = np.where(unknown, (of.low + of.high) / 2, of.probability)
    right.bar(classes[~unknown], of.probability[~unknown], color="0.8")
    ends = np.abs(np.stack([middle - of.low, of.high - middle]))
    right.errorbar(classes, middle, ends, fmt="none", ecolor="black", elinewidth=1, capsize=2)
    right.set(ylim=(0, 1), ylabel="p(K | data)" if not unknown.any() else "p(K | data): unknown, within these bounds")
    for each in (left, right):
        each.set_xlabel("number of classes K")
        each.set_xticks(classes)
    return np.array([left, right])


def _draw_evidences(found: "Selection", axes: Any) -> None:
    """Log evidences with 95 % intervals, bounds as triangles, scores as lines; all less the highest evidence."""
    known = {k: each for k, each in found.evidences.items() if each.trusted}
    bounds = {k: each.at_least for k, each in found.evidences.items() if not each.trusted and each.at_least > -np.inf}
    highest = max([each.log_evidence for each in known.values()] or bounds.values(), default=0.0)
    for k, each in known.items():
        value, (low, high) = each.log_evidence, each.interval(PROBABILITY)
        axes.errorbar(
            k, value - highest, [[value - low], [high - value]], fmt="ko", markersize=3, elinewidth=1, capsize=2,
            label="log evidence" if k == min(known) else None,
        )  # fmt: skip
    lines = {"at least": ("k^", bounds)} if bounds else {}
    for name in SCORES:
        shown = {k: fit.scores[name].log_evidence for k, fit in found.fits.items() if not fit.scores[name].doubt}
        lines[ESTIMATES[name].long_name] = "-", shown
    for label, (look, values) in lines.items():
        below = [value - highest for value in values.values()]
        axes.plot(list(values), below, look, linewidth=0.8, markersize=4, label=label)
    axes.set_yscale("symlog", linthresh=LINEAR)
    axes.set_ylabel("nats, less the highest log evidence")
    axes.legend()
