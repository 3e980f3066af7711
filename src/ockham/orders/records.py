"""The stores of a study of node orders: what runs of a sampler found, and exact values, as netCDF."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ockham.errors import StoreError
from ockham.io.netcdf import add_labels, add_variable, opened, provenance, read_array, read_attribute, replacing
from ockham.orders.estimates import PRIORS
from ockham.orders.inference.sums import OrderSums
from ockham.orders.settings import OrderBlock, OrderStudy
from ockham.studies.digests import code_digest

__all__ = [
    "TIMES", "VARIABLES", "describe_sums", "exact_specification", "families_specification", "read_collected_samples",
    "read_exact", "read_samples", "samples_specification", "write_exact", "write_samples",
]  # fmt: skip

VARIABLES = {
    "log_weight": (("sample",), "ln w, whose mean is the mean of p(D, L) over all orders", "nats"),
    "parents": (("sample", "graph", "node"), "Parents of each node, a mask over all nodes", "1"),
    "log_extensions": (("sample", "graph"), "ln of the number of linear extensions; NaN: not counted", "nats"),
    "log_ratio": (("block", "step"), "ln of the mean ratio of neighbouring targets over a block of records", "nats"),
    "arcs": (("block", "parent", "child"), "Fraction of graphs that have the arc", "1"),
    "weighted_arcs": (("block", "parent", "child"), "The same, weighted by 1 / number of linear extensions", "1"),
    "log_inverse_extensions": (("block",), "ln of the mean of 1 / number of linear extensions", "nats"),
    "seconds": (("sample",), "CPU time of the orders", "s"),
    "graph_seconds": (("sample",), "CPU time of graphs and linear extensions", "s"),
    "accepted": (("chain",), "Fraction of moves accepted, by quarter of the schedule or by chain", "1"),
    "exchanged": (("step",), "Fraction of exchanges with the next chain accepted", "1"),
}
"""Name to dimensions of a run, label and unit. In a run of MC3 the times are over its blocks."""
TIMES = ("seconds", "graph_seconds")
SAMPLED = {
    "ais": ("log_weight", "parents", "log_extensions", *TIMES, "accepted"),
    "mc3": ("log_ratio", "arcs", "weighted_arcs", "log_inverse_extensions", *TIMES, "accepted", "exchanged"),
}
"""Sampler to the names of what its runs have."""
NOT_ALWAYS_KNOWN = ("log_extensions", "weighted_arcs", "log_inverse_extensions")
EXACT = {"exact_log_evidence": ("prior",), "exact_arcs": ("prior", "parent", "child")}


def families_specification(study: OrderStudy) -> str:
    """SHA-256 of what a study's family scores depend on, without reading the data."""
    parts = [
        study.root_seed, study.stream_name, study.data.model_dump(), study.max_indegree, study.sample_size,
        *(code_digest(m) for m in ("ockham.orders.inference.family_scores", "ockham.orders.data.structure_data", "ockham.orders.data.random_networks")),
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def samples_specification(study: OrderStudy, block: OrderBlock) -> str:
    """SHA-256 of what a run of a sampler depends on."""
    parts = [
        study.name, block.model_dump(), study.scorers[block.scorer].model_dump(), study.sums.model_dump(),
        families_specification(study), code_digest("ockham.orders.runs"),
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def exact_specification(study: OrderStudy) -> str:
    """SHA-256 of what a study's exact values depend on."""
    parts = [
        families_specification(study),
        study.exact.model_dump(),
        code_digest("ockham.orders.inference.exact_structures"),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def describe_sums(sums: OrderSums) -> dict[str, str | float]:
    """Which method the sums over graphs are found by, and why, as attributes of a file."""
    predicted = {f"predicted_seconds_{method}": seconds for method, seconds in sums.predicted_seconds.items()}
    return {"method": sums.method, "dropped": sums.dropped, "memory_bytes": sums.memory, **predicted}


def write_samples(
    path: Path, study: OrderStudy, block: OrderBlock, sums: OrderSums, found: Mapping[str, np.ndarray],
    names: tuple[str, ...],
) -> None:  # fmt: skip
    """Store runs, readable with ``xarray.open_dataset``."""
    entry = study.scorers[block.scorer]
    with replacing(path) as file:
        file.title = f"Runs of {block.scorer}"
        file.study, file.scorer = study.name, block.scorer
        file.root_seed = str(study.root_seed)
        file.specification = samples_specification(study, block)
        file.scorer_settings = json.dumps(entry.model_dump(), sort_keys=True)
        for name, value in (describe_sums(sums) | provenance()).items():
            setattr(file, name, value)
        file.createDimension("run", len(block.runs))
        add_variable(file, "run", "i4", ("run",), block.runs, "Independent run", "1")
        _add_nodes(file, names, found)
        for name, values in found.items():
            _, long_name, units = VARIABLES[name]
            dimensions = _dimensions(name, entry.sampler)
            for dimension, size in zip(dimensions, values.shape, strict=True):
                if dimension not in file.dimensions:
                    file.createDimension(dimension, size)
            add_variable(file, name, values.dtype.str[1:], dimensions, values, long_name, units)


def write_exact(
    path: Path, study: OrderStudy, names: tuple[str, ...], values: Mapping[str, tuple[float, np.ndarray]]
) -> None:
    """Store exact log evidences and arc posteriors, by prior; NaN where not asked for."""
    n = len(names)
    unknown = np.nan, np.full((n, n), np.nan)
    found = [values.get(prior, unknown) for prior in PRIORS]
    with replacing(path) as file:
        file.title, file.study, file.specification = "Exact values", study.name, exact_specification(study)
        for name, value in provenance().items():
            setattr(file, name, value)
        for dimension, labels in (("prior", PRIORS), ("parent", names), ("child", names)):
            file.createDimension(dimension, len(labels))
            add_labels(file, dimension, labels)
        log_evidence, arcs = [value for value, _ in found], np.array([matrix for _, matrix in found])
        add_variable(file, "exact_log_evidence", "f8", ("prior",), log_evidence, "Exact log evidence", "nats")
        add_variable(file, "exact_arcs", "f8", EXACT["exact_arcs"], arcs, "Exact posterior probability of an arc", "1")


def read_samples(path: Path, study: OrderStudy, block: OrderBlock) -> dict[str, np.ndarray]:
    """The runs of one file, by the names of ``VARIABLES``.

    Raises
    ------
    StoreError
        When it is damaged, or was sampled under another configuration or by other code.
    """
    sampler, found = study.scorers[block.scorer].sampler, {}
    with opened(path) as file:
        _check(path, file, samples_specification(study, block))
        runs = read_array(path, file, "run", ("run",), "i").tolist()
        if runs != block.runs:
            raise StoreError(f"{path}: variable 'run': has the runs {runs}, not {block.runs}; move the file away")
        for name in SAMPLED[sampler]:
            kind = "u8" if name == "parents" else "f8"
            found[name] = read_array(path, file, name, _dimensions(name, sampler), kind)
            if name not in NOT_ALWAYS_KNOWN and np.isnan(found[name]).any():
                raise StoreError(f"{path}: variable {name!r}: has values that are not numbers; move the file away")
    return found


def read_collected_samples(path: Path, study: OrderStudy, scorer: str) -> dict[str, np.ndarray]:
    """What the store of all runs has of one entry of the scorers."""
    with opened(path) as file:
        if read_attribute(path, file, "configuration_digest", str) != study.digest:
            raise StoreError(f"{path}: attribute configuration_digest: of another configuration; collect it again")
        if scorer not in file.groups:
            raise StoreError(f"{path}: has no group {scorer!r}; collect it again")
        group = file.groups[scorer]
        return {name: read_array(path, group, name) for name in VARIABLES if name in group.variables}


def read_exact(path: Path, n_nodes: int, specification: str | None) -> dict[str, np.ndarray]:
    """Exact values, by prior, of their own file, of which a specification is expected, or of the store of all runs."""
    with opened(path) as file:
        if specification is not None:
            _check(path, file, specification)
        found = {name: read_array(path, file, name, dimensions, "f8") for name, dimensions in EXACT.items()}
    for name, array in found.items():
        wanted = (len(PRIORS), n_nodes, n_nodes)[: array.ndim]
        if array.shape != wanted:
            raise StoreError(f"{path}: variable {name!r} has shape {array.shape}, not {wanted}; move the file away")
    return found


def _dimensions(name: str, sampler: str) -> tuple[str, ...]:
    """Of a variable in a file of runs."""
    own = VARIABLES[name][0]
    return ("run", *("block" if sampler == "mc3" and dimension == "sample" else dimension for dimension in own))


def _check(path: Path, file, specification: str) -> None:
    if read_attribute(path, file, "specification", str) != specification:
        raise StoreError(
            f"{path}: attribute specification: of another configuration or other code; run the workflow again"
        )


def _add_nodes(file, names: tuple[str, ...], found: Mapping[str, np.ndarray]) -> None:
    """The names of the nodes, along every dimension of nodes."""
    for dimension in ("node",) if "parents" in found else ("parent", "child"):
        file.createDimension(dimension, len(names))
        add_labels(file, dimension, names)
