"""Fitted classes for a reader: a line, a table, a page."""

from typing import TYPE_CHECKING

import numpy as np

from ockham.table_results.selection_showing import classes_in_words

if TYPE_CHECKING:
    import pandas as pd

    from ockham.table_results.fitted.classes import FittedClasses, Summary

__all__ = ["OF_SIZES", "class_names", "diagnostics", "html", "in_cells", "table", "text"]

OF_SIZES = ".2f"
"""Format."""


def table(fit: "FittedClasses") -> "pd.DataFrame":
    """Rows (item, value), the sizes first; columns (class, mean or end of the interval)."""
    import pandas as pd

    columns = np.stack([_with_sizes(fit, part) for part in ("mean", "lower", "upper")], axis=2)
    return pd.DataFrame(
        columns.reshape(len(columns), -1),
        index=_index(fit),
        columns=pd.MultiIndex.from_product([class_names(fit), ["mean", "lower", "upper"]], names=["", ""]),
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
        index=pd.Index(class_names(fit)),
    )


def text(fit: "FittedClasses") -> str:
    """Two lines, and one for each reason of doubt."""
    n_chains, n_draws, _ = fit.draws.shape
    every = "" if fit.thinning == 1 else f", one in {fit.thinning} sweeps"
    found = [
        f"FittedClasses: {classes_in_words(fit.n_classes)} of {fit.data.n:,} rows of {len(fit.items)} items, "
        f"{n_chains} chains of {n_draws:,} draws{every}",
        "sizes " + ", ".join(in_cells(fit.sizes, OF_SIZES)),
    ]
    return "\n".join(found + [f"not known: {reason}" for reason in fit.reasons])


def html(fit: "FittedClasses") -> str:
    """The table with an interval in each cell, and what is not known."""
    import pandas as pd

    parts = [_with_sizes(fit, part) for part in ("mean", "lower", "upper")]
    cells = [
        in_cells(row, fit.in_words if i else OF_SIZES) for i, row in enumerate(zip(*parts, strict=True))
    ]  # the sizes first
    body = pd.DataFrame(np.array(cells), index=_index(fit), columns=pd.Index(class_names(fit))).to_html()
    about = text(fit).splitlines()
    doubts = "".join(f"<p>{line}</p>" for line in about[2:])
    return f"<p>{about[0]}; means and intervals of 95 % with equal tails</p>{body}{doubts}"


def class_names(fit: "FittedClasses") -> list[str]:
    """As tables and pictures have them."""
    return [f"class {k + 1}" for k in range(fit.n_classes)]


def _index(fit: "FittedClasses") -> "pd.MultiIndex":
    import pandas as pd

    return pd.MultiIndex.from_tuples([("size", ""), *fit.model.quantities], names=["item", "value"])


def _with_sizes(fit: "FittedClasses", part: str) -> np.ndarray:
    """One part of all summaries, shape (1 + n_quantities, n_classes), the sizes first."""
    return np.concatenate([getattr(fit.sizes, part)[None], getattr(fit.quantities, part).T])


def in_cells(summary: "Summary | tuple[np.ndarray, ...]", form: str) -> list[str]:
    """A mean with its interval for each class."""
    return [
        "unknown" if np.isnan(mean) else f"{mean:{form}} ({lower:{form}} to {upper:{form}})"
        for mean, lower, upper in zip(*summary, strict=True)
    ]
