"""Fitted classes for a reader: a line, a table, a page, a picture."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ockham.networks.classes.fitted import FittedClasses, Summary

__all__ = ["diagnostics", "html", "plot", "table", "text"]

WIDTH = 0.6
"""That the classes take up beside each other, of the distance between two values."""


def table(fit: "FittedClasses") -> "pd.DataFrame":
    """Rows (item, value), the sizes first; columns (class, mean or end of the interval)."""
    import pandas as pd

    return pd.DataFrame(
        np.stack([_by_value(fit, part) for part in ("mean", "lower", "upper")], axis=2).reshape(len(_values(fit)), -1),
        index=_index(fit),
        columns=pd.MultiIndex.from_product([_classes(fit), ["mean", "lower", "upper"]], names=["", ""]),
    )


def diagnostics(fit: "FittedClasses") -> "pd.DataFrame":
    """Rows classes."""
    import pandas as pd

    verdict = fit.verdict
    return pd.DataFrame(
        {
            "split R-hat": verdict.scale_reduction,
            "effective draws": verdict.effective_sample_size,
            "label certainty": verdict.label_certainty,
            "known": verdict.known,
        },
        index=pd.Index(_classes(fit)),
    )


def text(fit: "FittedClasses") -> str:
    """Two lines, and one for each reason of doubt."""
    n_chains, n_draws, _ = fit.draws.shape
    every = "" if fit.thinning == 1 else f", one in {fit.thinning} sweeps"
    found = [
        f"FittedClasses: {fit.n_classes} {'class' if fit.n_classes == 1 else 'classes'} of {fit.data.n:,} rows of "
        f"{len(fit.items)} items, "
        f"{n_chains} chains of {n_draws:,} draws{every}",
        "sizes " + ", ".join(_cells(fit.sizes)),
    ]
    return "\n".join(found + [f"not known: {reason}" for reason in fit.reasons])


def html(fit: "FittedClasses") -> str:
    """The table with an interval in each cell, and what is not known."""
    import pandas as pd

    parts = [_by_value(fit, part) for part in ("mean", "lower", "upper")]
    cells = np.array([_cells(row) for row in zip(*parts, strict=True)])
    body = pd.DataFrame(cells, index=_index(fit), columns=pd.Index(_classes(fit))).to_html()
    about = text(fit).splitlines()
    doubts = "".join(f"<p>{line}</p>" for line in about[2:])
    return f"<p>{about[0]}; means and intervals of 95 % with equal tails</p>{body}{doubts}"


def plot(fit: "FittedClasses", axes: "Axes | None" = None) -> "Axes":
    """Points and intervals of every value of every item, but for the first of two."""
    if axes is None:
        from matplotlib import pyplot as plt

        _, axes = plt.subplots(layout="constrained")
    shown = [i for i in range(1, len(_values(fit))) if not _first_of_two(fit, i)]
    places = np.arange(len(shown))
    for k in range(fit.n_classes):
        name = _classes(fit)[k]
        if not fit.known[k]:
            axes.plot([], [], " ", label=f"{name}: not known")
            continue
        mean, lower, upper = (_by_value(fit, part)[shown, k] for part in ("mean", "lower", "upper"))
        offset = WIDTH * ((k + 0.5) / fit.n_classes - 0.5)
        (line,) = axes.plot(places + offset, mean, "o", markersize=4, label=f"{name}, {fit.sizes.mean[k]:.0%}")
        axes.vlines(places + offset, lower, upper, color=line.get_color(), linewidth=1)  # which may not have the mean
    names = [f"{item}: {value}" for item, value in (_values(fit)[i] for i in shown)]
    axes.set_xticks(places, names, rotation=90)
    axes.set(ylim=(-0.02, 1.02), ylabel="probability")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return axes


def _classes(fit: "FittedClasses") -> list[str]:
    return [f"class {k + 1}" for k in range(fit.n_classes)]


def _values(fit: "FittedClasses") -> list[tuple[str, str]]:
    """Item and label of every value, the sizes first."""
    values = [(item, label) for item, labels in zip(fit.items, fit.model.labels, strict=True) for label in labels]
    return [("size", ""), *values]


def _index(fit: "FittedClasses") -> "pd.MultiIndex":
    import pandas as pd

    return pd.MultiIndex.from_tuples(_values(fit), names=["item", "value"])


def _by_value(fit: "FittedClasses", part: str) -> np.ndarray:
    """One part of all summaries, shape (1 + n_values, n_classes), the sizes first."""
    return np.concatenate([getattr(fit.sizes, part)[None], *(getattr(s, part).T for s in fit.profiles.values())])


def _first_of_two(fit: "FittedClasses", row: int) -> bool:
    item = int(np.searchsorted(fit.model.value_starts, row - 1, side="right")) - 1
    return fit.model.cardinalities[item] == 2 and row - 1 == fit.model.value_starts[item]


def _cells(summary: "Summary | tuple[np.ndarray, ...]") -> list[str]:
    """A mean with its interval for each class."""
    return [
        "unknown" if np.isnan(mean) else f"{mean:.2f} ({lower:.2f} to {upper:.2f})"
        for mean, lower, upper in zip(*summary, strict=True)
    ]
