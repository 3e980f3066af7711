"""Fitted classes for other programs: a dataset of xarray, a tree that ArviZ takes."""

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr
from scipy.special import logsumexp

from ockham.estimation.memory import check_memory
from ockham.networks.data.unique_rows import MISSING

if TYPE_CHECKING:
    from ockham.networks.classes.fitted import FittedClasses

__all__ = ["to_arviz", "to_xarray"]


def to_xarray(fit: "FittedClasses") -> xr.Dataset:
    """Sizes and profiles of every draw, dimensions (chain, draw, class, item, value), and memberships (row, class)."""
    found = fit.memberships
    posterior = {
        name: (dimensions, values, {"long_name": long_name, "units": "1"})
        for name, (dimensions, values, long_name) in _posterior(fit).items()
    }
    return xr.Dataset(
        posterior
        | {
            "membership": (("row", "class"), found.probabilities, {
                "long_name": "Posterior probability of each class, NaN where it is not known", "units": "1",
            }),
            "assigned": ("row", found.assigned, {"long_name": "Most probable class, 0 where it is not known"}),
            "count": ("row", found.counts, {"long_name": "How often the row occurs", "units": "1"}),
            "known": ("class", fit.known, {"long_name": "Whether the class is known"}),
        },
        coords=_coordinates(fit) | {"value_label": (("item", "value"), _value_labels(fit))},
        attrs={"doubt": int(fit.doubt), "not_known": "; ".join(fit.reasons), "seed": str(fit.seed),
               "sweeps_per_draw": fit.thinning, "data": fit.data.digest},
    )  # fmt: skip


def to_arviz(fit: "FittedClasses") -> xr.DataTree:
    """Draws, log likelihood of every row, nats, and the rows themselves, NaN where a cell is missing."""
    arviz_base = import_module("arviz_base")
    n_chains, n_draws, n_entries = fit.draws.shape
    check_memory(
        n_chains * n_draws * len(fit.which), "the log likelihood of every row at every draw", "use to_xarray instead"
    )
    flat = fit.draws.reshape(-1, n_entries)
    of_distinct = np.concatenate([
        logsumexp(fit.model.log_joint(fit.data.rows, part), axis=2)
        for part in fit.model.chunks(len(fit.data.rows), flat)
    ])  # fmt: skip
    rows = fit.data.rows[fit.which]
    posterior = _posterior(fit)
    tree: xr.DataTree = arviz_base.from_dict(
        {
            "posterior": {name: values for name, (_, values, _) in posterior.items()},
            "log_likelihood": {"rows": of_distinct[:, fit.which].reshape(n_chains, n_draws, -1)},
            "observed_data": {"items": np.where(rows == MISSING, np.nan, rows)},
        },
        coords=_coordinates(fit) | {"row": np.arange(len(rows))},
        dims={name: list(dimensions[2:]) for name, (dimensions, _, _) in posterior.items()}
        | {"items": ["row", "item"], "rows": ["row"]},
    )
    return tree


def _posterior(fit: "FittedClasses") -> dict[str, tuple[tuple[str, ...], np.ndarray, str]]:
    """Dimensions, values and a long name of sizes and profiles."""
    model, profiles = fit.model, np.exp(fit.model.log_profiles(fit.draws))
    square = np.full((*profiles.shape[:-1], len(model.items), max(model.cardinalities)), np.nan)
    for j, n_values in enumerate(model.cardinalities):
        square[..., j, :n_values] = model.of_item(j, profiles)
    return {
        "size": (("chain", "draw", "class"), np.exp(model.log_sizes(fit.draws)), "Share of the class"),
        "profile": (
            ("chain", "draw", "class", "item", "value"), square, "Probability of the value of the item in the class"
        ),
    }  # fmt: skip


def _coordinates(fit: "FittedClasses") -> dict[str, np.ndarray]:
    return {
        "class": np.arange(fit.n_classes) + 1,
        "item": np.array(fit.items),
        "value": np.arange(max(fit.model.cardinalities)),
    }


def _value_labels(fit: "FittedClasses") -> np.ndarray:
    """What each value of each item is called, empty beyond its values; shape (n_items, n_values)."""
    found = np.full((len(fit.items), max(fit.model.cardinalities)), "", dtype=object)
    for j, labels in enumerate(fit.model.labels):
        found[j, : len(labels)] = labels
    return found.astype(str)
