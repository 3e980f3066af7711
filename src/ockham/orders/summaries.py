"""Estimates of evidence and arc posteriors against running time, from the stored runs of samplers of node orders."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from ockham.contracts import Doubt
from ockham.errors import StoreError
from ockham.estimation.combining import at_least, combine
from ockham.orders.estimates import (
    N_BINS,
    after_burn_in,
    arc_posteriors,
    arcs_of,
    corrected,
    lower_bound,
    mean_of_corrected,
    telescoped,
)  # fmt: skip
from ockham.orders.space import PRIORS

__all__ = ["summarise"]

FRACTIONS = np.geomspace(0.01, 1.0, 25)
"""Parts of a run after which it is looked at."""
LENGTHS = {"ais": "length", "mc3": "ratios"}
"""Sampler to the setting that says how long its schedule is."""


def summarise(stores: Mapping[str, xr.DataTree], measured: Mapping[str, xr.Dataset]) -> xr.DataTree:
    """One group for each study or condition, by its name, at the first replicate and the largest size
    that all of its samplers have.

    A group has, over (prior, scorer, fraction, run): ``log_evidence``, ``lower_bound`` (NaN for MC3 and for fewer
    than nine samples), ``arc_error`` (largest absolute error of an arc's posterior, NaN where that is not known)
    and ``seconds``, CPU time so far. Over (prior, scorer): ``pooled_log_evidence`` with its ``standard_error`` and
    ``effective_sample_size`` and ``doubt``, the flags of ``Doubt``, from all samples of all runs, for MC3 from the
    runs, ``at_least``, what the evidence is above, ``pooled_lower_bound`` (NaN for MC3), and ``n_samples``. Over
    prior, ``exact_log_evidence`` and ``upper_bound``, the proven bound of blocks of nodes; NaN where there is none.
    Over (prior, scorer, parent, child): ``arcs``, mean of the runs. The prior ``orders`` is order-modular,
    ``graphs`` uniform. Along ``scorer``, the entries: ``sampler``, ``length``, of the schedule of AIS or the number
    of ratios of MC3, ``curvature`` of the schedule, NaN for a linear one, and ``role``, that of the entry in the
    paper, empty for none. What was measured is beside them by its name.
    """
    groups = {name: _condition(name, store) for name, store in stores.items()}
    root = xr.Dataset(attrs={"conditions": " ".join(groups)})
    return xr.DataTree.from_dict({"/": root, **groups, **measured})


def _condition(name: str, store: xr.DataTree) -> xr.Dataset:
    root = store.to_dataset().isel(structure=0, drop=True)
    samplers = {label: group for label, group in store.children.items() if group.attrs["scorer"] in LENGTHS}
    if not samplers:
        raise StoreError(f"{name}: scores.nc: no sampler of node orders; add ais or mc3 to the scorers")
    cell = _cell(name, samplers)
    groups = {label: _runs(group, cell) for label, group in samplers.items()}
    exact = _exact(store, root, cell)
    parts = [
        xr.concat(
            [_entry(root.sel(prior=prior), exact.sel(prior=prior), group, prior) for prior in PRIORS],
            xr.DataArray(list(PRIORS), dims="prior", name="prior"),
            coords="minimal", compat="override",
        ).expand_dims(scorer=[label])
        for label, group in groups.items()
    ]  # fmt: skip
    whole = xr.concat(parts, "scorer", join="outer")
    settings = [json.loads(group.attrs["scorer_settings"]) for group in groups.values()]
    kinds = [group.attrs["scorer"] for group in groups.values()]
    lengths = [given[LENGTHS[kind]] for kind, given in zip(kinds, settings, strict=True)]
    curvatures = [np.nan if given["curvature"] is None else given["curvature"] for given in settings]
    roles = [group.attrs["role"] for group in groups.values()]
    whole = whole.assign_coords(
        sampler=("scorer", kinds, {"long_name": "scorer of the entry"}),
        length=("scorer", lengths, {"long_name": "length of the schedule of AIS, or ratios of MC3", "units": "1"}),
        curvature=("scorer", curvatures, {"long_name": "curvature of the schedule; NaN: linear", "units": "1"}),
        role=("scorer", roles, {"long_name": "role of the entry"}),
    )
    about = {"data": str(root["data"].item()), "beyond_paper": int(root.attrs["beyond_paper"])}
    return whole.assign(exact).assign_attrs(root.attrs | about)


def _cell(name: str, samplers: Mapping[str, xr.DataTree]) -> dict[str, int]:
    """The first replicate and the largest size that every sampler has."""
    cell = {}
    for dimension, choose in (("replicate", min), ("n", max)):
        common = set.intersection(*(set(group.to_dataset().indexes[dimension]) for group in samplers.values()))
        if not common:
            raise StoreError(f"{name}: scores.nc: the samplers have no {dimension} in common; give them one")
        cell[dimension] = choose(common)
    return cell


def _runs(group: xr.DataTree, cell: Mapping[str, int]) -> xr.Dataset:
    """The runs of an entry, over (run, ...), without what only fills the arrays of a longer cell."""
    runs = group.to_dataset().sel(cell).isel(structure=0, drop=True)
    runs = runs.isel(run=(runs["key"] != 0).values)
    return runs.dropna("sample", how="all", subset=["seconds"]) if "sample" in runs.dims else runs


def _exact(store: xr.DataTree, root: xr.Dataset, cell: Mapping[str, int]) -> xr.Dataset:
    """The exact values and the proven bound by prior, NaN where they are not known."""
    n = root.sizes["parent"]
    values, arcs = np.full(len(PRIORS), np.nan), np.full((len(PRIORS), n, n), np.nan)
    bounds = values.copy()
    for group in store.children.values():
        if "blocks_orders" in group and all(cell[d] in group[d] for d in cell):
            one = group.to_dataset().sel(cell).isel(structure=0, run=0)
            bounds = np.array([float(one[f"blocks_{prior}"]) for prior in PRIORS])
        if "exact_arcs" in group and all(cell[d] in group[d] for d in cell):
            found = group.to_dataset().sel(cell).isel(structure=0, run=0)
            values, arcs = found.exact_log_evidence.values, found.exact_arcs.values
    return xr.Dataset(
        {
            "exact_log_evidence": ("prior", values, {"long_name": "exact log evidence", "units": "nats"}),
            "upper_bound": ("prior", bounds, {"long_name": "proven upper bound of the log evidence", "units": "nats"}),
            "exact_arcs": (("prior", "parent", "child"), arcs, {"long_name": "exact arc posterior", "units": "1"}),
        },
        {"prior": list(PRIORS), "parent": root.parent, "child": root.child},
    )


def _entry(root: xr.Dataset, known: xr.Dataset, runs: xr.Dataset, prior: str) -> xr.Dataset:
    """The summaries of one entry under one prior."""
    look = _annealing if "log_weight" in runs else _tempering
    exact = known.exact_arcs.values
    seconds = runs.seconds + (runs.graph_seconds if prior == "graphs" else 0.0)
    rows = [look(run, prior, exact) for _, run in runs.groupby("run", squeeze=False)]
    scale, n = float(root.log_scale), runs.sizes["run"]
    axis = runs.seconds.dims[1]
    counts = [_count(fraction, runs.sizes[axis], axis) for fraction in FRACTIONS]
    curves = {
        "log_evidence": np.array([row["log_evidence"] for row in rows]).T + scale,
        "lower_bound": np.array([row["lower_bound"] for row in rows]).T + scale,
        "arc_error": np.array([row["arc_error"] for row in rows]).T,
        "seconds": np.array([seconds.isel({axis: slice(count)}).sum(axis).values for count in counts]),
    }
    annealed = "log_weight" in runs
    weights = np.concatenate([row["weights"] for row in rows])
    weights = weights[~np.isnan(weights)]
    mean_of = mean_of_corrected if annealed and prior == "graphs" else partial(combine, rule="mean")
    pooled = mean_of(weights if len(weights) else np.array([np.nan]))
    labels: dict[str, Any] = {"pooled_log_evidence": pooled.value + scale, "standard_error": pooled.standard_error}
    labels |= {"effective_sample_size": pooled.effective_sample_size, "n_samples": len(weights)}
    labels["doubt"] = pooled.doubt | (_doubts(runs, prior) & np.uint8(Doubt.NOT_MIXED))
    labels["at_least"] = at_least(pooled.value) + scale if annealed else np.nan
    labels["pooled_lower_bound"] = lower_bound(weights) + scale if annealed and len(weights) >= N_BINS else np.nan
    return xr.Dataset(
        {name: (("fraction", "run"), values, ABOUT[name]) for name, values in curves.items()}
        | {name: ((), value, ABOUT[name]) for name, value in labels.items()}
        | {"arcs": (("parent", "child"), np.mean([row["arcs"] for row in rows], axis=0), ABOUT["arcs"])},
        coords={"fraction": FRACTIONS, "run": np.arange(n), "parent": root.parent, "child": root.child},
    )


def _doubts(runs: xr.Dataset, prior: str) -> np.uint8:
    """What speaks against any of the runs under a prior."""
    found = [variable.values.ravel() for name, variable in runs.items() if str(name).endswith(f"_{prior}_doubt")]
    return np.bitwise_or.reduce(np.concatenate([np.zeros(1, dtype=np.uint8), *found]))


def _annealing(run: xr.Dataset, prior: str, exact: np.ndarray) -> dict[str, np.ndarray]:
    """The log mean weight, its lower bound and the arcs of a run, after parts of its samples."""
    run = run.squeeze("run")
    log_weights, log_extensions = run.log_weight.values, run.log_extensions.values
    arcs = arcs_of(run.parents.values)
    if prior == "graphs":
        by_graph = log_weights[:, None] - log_extensions
        log_weights = corrected(log_weights, log_extensions)
    else:
        by_graph = np.broadcast_to(log_weights[:, None], log_extensions.shape)
    found: dict[str, list[float]] = {"log_evidence": [], "lower_bound": [], "arc_error": []}
    for fraction in FRACTIONS:
        count = _count(fraction, len(log_weights), "sample")
        known = log_weights[:count][~np.isnan(log_weights[:count])]
        found["log_evidence"].append(float(combine(known, "mean").value) if len(known) else np.nan)
        found["lower_bound"].append(lower_bound(known) if len(known) >= N_BINS else np.nan)
        found["arc_error"].append(_arc_error(by_graph[:count], arcs[:count], exact) if len(known) else np.nan)
    whole = arc_posteriors(by_graph, arcs) if np.isfinite(by_graph).any() else np.full(exact.shape, np.nan)
    return _arrays(found) | {"weights": log_weights, "arcs": whole}


def _tempering(run: xr.Dataset, prior: str, exact: np.ndarray) -> dict[str, np.ndarray]:
    """The telescoping product and the arcs of a run after parts of its blocks, of which the first half is burn-in."""
    run = run.squeeze("run")
    found: dict[str, list[float]] = {"log_evidence": [], "lower_bound": [np.nan] * len(FRACTIONS), "arc_error": []}
    arcs = run.arcs.values if prior == "orders" else run.weighted_arcs.values
    inverse = run.log_inverse_extensions.values
    by_block = np.zeros(len(arcs)) if prior == "orders" else inverse
    for fraction in FRACTIONS:
        count = _count(fraction, len(arcs), "block")
        kept = after_burn_in(count)
        found["log_evidence"].append(telescoped(run.log_ratio.values[:count], inverse[:count], prior))
        found["arc_error"].append(_arc_error(by_block[kept], arcs[kept], exact))
    kept = after_burn_in(len(arcs))
    whole = arc_posteriors(by_block[kept], arcs[kept]) if np.isfinite(by_block).any() else np.full(exact.shape, np.nan)
    return _arrays(found) | {"weights": np.array(found["log_evidence"][-1:]), "arcs": whole}


def _arrays(curves: dict[str, list[float]]) -> dict[str, np.ndarray]:
    return {name: np.array(values) for name, values in curves.items()}


def _arc_error(log_weights: np.ndarray, arcs: np.ndarray, exact: np.ndarray) -> float:
    if np.isnan(exact).any() or not np.isfinite(log_weights).any():
        return np.nan
    return float(np.abs(arc_posteriors(log_weights, np.nan_to_num(arcs)) - exact).max())


def _count(fraction: float, n: int, axis: str) -> int:
    """Samples, or blocks of records, in a part of a run: at least one, or two blocks, of which one is burn-in."""
    return max(round(fraction * n), 2 if axis == "block" else 1)


ABOUT: dict[str, dict[str, Any]] = {
    "log_evidence": {"long_name": "log evidence", "units": "nats"},
    "lower_bound": {"long_name": "lower bound of the log evidence, at 95 %", "units": "nats"},
    "arc_error": {"long_name": "largest absolute error of an arc's posterior probability", "units": "1"},
    "seconds": {"long_name": "CPU time so far", "units": "s"},
    "pooled_log_evidence": {"long_name": "log evidence from all runs", "units": "nats"},
    "standard_error": {"long_name": "standard error of the log evidence from all runs", "units": "nats"},
    "effective_sample_size": {"long_name": "effective sample size of all runs", "units": "1"},
    "doubt": {"long_name": "why the log evidence is not to be trusted", "units": "1"} | Doubt.attributes(),
    "at_least": {"long_name": "what the log evidence is above, with a probability of 95 %", "units": "nats"},
    "pooled_lower_bound": {"long_name": "lower bound of the log evidence from all runs, at 95 %", "units": "nats"},
    "n_samples": {"long_name": "samples of all runs", "units": "1"},
    "arcs": {"long_name": "posterior probability of an arc", "units": "1"},
}
