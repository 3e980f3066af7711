"""Fitted classes for other programs: a dataset of xarray, a tree that ArviZ takes."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xarray as xr

from ockham.estimation.memory import check_memory
from ockham.table_results.fitted.models import in_chunks

if TYPE_CHECKING:
    from ockham.table_results.fitted.classes import FittedClasses

__all__ = ["Exported", "to_arviz", "to_xarray"]


class Exported(NamedTuple):
    """What is said of items in every draw, and their cells.

    Attributes
    ----------
    dimensions : tuple of str
        After chain, draw and class.
    values : ndarray, shape (n_chains, n_draws, n_classes, ...)
    long_name, units : str
    coordinates : mapping of str to array_like
    labels : mapping of str to (tuple of str, array_like)
        Coordinates beside that are for the dataset alone.
    cells : ndarray, shape (n_distinct_rows, n_items)
        NaN where one is missing.
    """

    dimensions: tuple[str, ...]
    values: np.ndarray
    long_name: str
    units: str
    coordinates: Mapping[str, Any]
    labels: Mapping[str, tuple[tuple[str, ...], Any]]
    cells: np.ndarray


def to_xarray(fit: "FittedClasses", exported: Exported) -> xr.Dataset:
    """Sizes and profiles of every draw, dimensions (chain, draw, class, ...), and memberships (row, class)."""
    found = fit.memberships
    return xr.Dataset(
        {
            "size": (("chain", "draw", "class"), fit.model.sizes(fit.draws), {
                "long_name": "Share of the class", "units": "1",
            }),
            "profile": (("chain", "draw", "class", *exported.dimensions), exported.values, {
                "long_name": exported.long_name, "units": exported.units,
            }),
            "membership": (("row", "class"), found.probabilities, {
                "long_name": "Posterior probability of each class, NaN where it is not known", "units": "1",
            }),
            "assigned": ("row", found.assigned, {"long_name": "Most probable class, 0 where it is not known"}),
            "count": ("row", found.counts, {"long_name": "How often the row occurs", "units": "1"}),
            "known": ("class", fit.known, {"long_name": "Whether the class is known"}),
        },
        coords=_coordinates(fit, exported) | dict(exported.labels),
        attrs={"doubt": int(fit.doubt), "not_known": "; ".join(fit.reasons), "seed": str(fit.seed),
               "sweeps_per_draw": fit.thinning, "data": fit.data.digest},
    )  # fmt: skip


def to_arviz(fit: "FittedClasses", exported: Exported) -> xr.DataTree:
    """Draws, log likelihood of every row, nats, and the distinct rows' cells, NaN where one is missing."""
    arviz_base = import_module("arviz_base")
    (n_chains, n_draws, _), which = fit.draws.shape, fit.given.which
    check_memory(
        n_chains * n_draws * len(which),
        "the log likelihood of every row at every draw",
        "use to_xarray instead",
    )
    of_distinct = np.concatenate([
        np.logaddexp.reduce(fit.model.log_joint(fit.data.rows, part), axis=2)
        for part in in_chunks(fit.points, len(fit.data.rows) * fit.n_classes)
    ])  # fmt: skip
    tree: xr.DataTree = arviz_base.from_dict(
        {
            "posterior": {"size": fit.model.sizes(fit.draws), "profile": exported.values},
            "log_likelihood": {"rows": of_distinct[:, which].reshape(n_chains, n_draws, -1)},
            "observed_data": {"items": exported.cells[which]},
        },
        coords=_coordinates(fit, exported) | {"item": np.array(fit.items), "row": np.arange(len(which))},
        dims={
            "size": ["class"], "profile": ["class", *exported.dimensions], "items": ["row", "item"], "rows": ["row"],
        },
    )  # fmt: skip
    return tree


def _coordinates(fit: "FittedClasses", exported: Exported) -> dict[str, Any]:
    return {"class": np.arange(fit.n_classes) + 1} | dict(exported.coordinates)
