"""Log evidences, scores and posterior probabilities of models, on two axes of Matplotlib."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import ModelPosterior
from ockham.io.figures import journal

__all__ = ["draw_judged", "figure_of"]

PROBABILITY = 0.95
"""Of intervals."""
LINEAR = 20.0
"""Nats below the highest evidence, up to which the axis is linear; one model may be thousands below."""
TICKS = [0.0, -5.0, -10.0, *(-digit * 10.0**power for power in range(1, 9) for digit in (2.0, 5.0, 10.0))]


@journal()
def figure_of(draw: Callable[[Any], Any]) -> Figure:
    """The picture by itself, of what draws on two axes."""
    made = Figure(figsize=(7.0, 2.8), layout="constrained")
    draw(made.subplots(1, 2))
    return made


def draw_judged(
    evidences: Mapping[int, Certified],
    posterior: ModelPosterior,
    scores: Mapping[str, Mapping[int, float]],
    look: str,
    probability: str,
    axes: Any = None,
) -> np.ndarray:
    """On two axes, new ones of pyplot by default, by the place of each model, in the order of the posterior.

    ``scores`` are drawn by their names as ``look`` says, and ``probability`` is how that of a model is written.
    """
    if axes is None:
        from matplotlib import pyplot as plt

        _, axes = plt.subplots(1, 2, figsize=(9.0, 3.5), layout="constrained")
    left, right = axes
    places = np.array(list(evidences))
    _draw_evidences(evidences, scores, look, left)
    unknown = np.isnan(posterior.probability)
    middle = np.where(unknown, (posterior.low + posterior.high) / 2, posterior.probability)
    right.bar(places[~unknown], posterior.probability[~unknown], color="0.8")
    ends = np.abs(np.stack([middle - posterior.low, posterior.high - middle]))
    right.errorbar(places, middle, ends, fmt="none", ecolor="black", elinewidth=1, capsize=2)
    right.set(ylim=(0, 1), ylabel=probability if not unknown.any() else f"{probability}: unknown, within these bounds")
    for each in (left, right):
        each.set_xticks(places)
    return np.array([left, right])


def _draw_evidences(
    evidences: Mapping[int, Certified], scores: Mapping[str, Mapping[int, float]], look: str, axes: Any
) -> None:
    """Log evidences with 95 % intervals, bounds as triangles, and scores; all less the highest evidence."""
    known = {k: each for k, each in evidences.items() if each.trusted}
    bounds = {k: each.at_least for k, each in evidences.items() if not each.trusted and each.at_least > -np.inf}
    highest = max([each.log_evidence for each in known.values()] or bounds.values(), default=0.0)
    for k, each in known.items():
        value, (low, high) = each.log_evidence, each.interval(PROBABILITY)
        axes.errorbar(
            k, value - highest, [[value - low], [high - value]], fmt="ko", markersize=3, elinewidth=1, capsize=2,
            label="log evidence" if k == min(known) else None,
        )  # fmt: skip
    lines = {"at least": ("k^", bounds)} if bounds else {}
    for label, (style, values) in (lines | {name: (look, of) for name, of in scores.items()}).items():
        below = [value - highest for value in values.values()]
        axes.plot(list(values), below, style, linewidth=0.8, markersize=4, label=label)
    axes.set_yscale("symlog", linthresh=LINEAR)
    lowest, highest_shown = axes.get_ylim()
    axes.set_yticks([tick for tick in TICKS if lowest <= tick <= highest_shown], minor=False)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_locator(NullLocator())
    is_logarithmic = f"; logarithmic below -{LINEAR:g}" if lowest < -LINEAR else ""
    axes.set_ylabel(f"nats, less the highest log evidence{is_logarithmic}")
    axes.legend()
