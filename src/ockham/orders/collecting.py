"""One labelled tree of every run of a study of node orders, with the constants and exact values that go with them."""

from collections.abc import Mapping, Sequence
from math import factorial, log
from pathlib import Path

import numpy as np
import xarray as xr

from ockham.io.netcdf import provenance
from ockham.orders.estimates import PRIORS
from ockham.orders.node_order import log_n_graphs, log_n_ordered_graphs
from ockham.orders.records import exact_specification, read_exact, read_samples
from ockham.orders.settings import OrderStudy

__all__ = ["collect"]


def collect(
    study: OrderStudy, paths: Mapping[str, Sequence[str | Path]], exact: Sequence[str | Path] = ()
) -> xr.DataTree:
    """The runs of a study.

    Parameters
    ----------
    study : OrderStudy
    paths : mapping of str to sequence of path
        Entry of the scorers to the files of its runs, in the order of ``study.blocks(entry)``.
    exact : sequence of path
        The file of exact values, if there is one.

    Returns
    -------
    DataTree
        The root has ``log_scale`` by prior: what turns the ln of a mean over all orders into the log evidence; and
        ``exact_log_evidence`` and ``exact_arcs``, NaN where not known. Each entry is a group with a dimension ``run``.

    Raises
    ------
    StoreError
        When a file is damaged, or was computed under another configuration or by other code.
    """
    n, k = study.data.variables, study.max_indegree
    log_orders = log(factorial(n))
    scale = [log_orders - log_n_ordered_graphs(n, k), log_orders - log_n_graphs(n, k)]
    groups = {entry: _entry(study, entry, files) for entry, files in paths.items()}
    first = next(iter(groups.values()))
    names = first["node" if "node" in first.coords else "parent"].values
    root = xr.Dataset(
        {
            "log_scale": ("prior", scale, {"long_name": "ln of orders per structure of the prior", "units": "nats"}),
            "exact_log_evidence": ("prior", [np.nan] * 2, {"long_name": "exact log evidence", "units": "nats"}),
            "exact_arcs": (
                ("prior", "parent", "child"),
                np.full((2, n, n), np.nan),
                {"long_name": "exact arc posterior", "units": "1"},
            ),
        },
        coords={"prior": list(PRIORS), "parent": names, "child": names},
        attrs={
            "title": "Runs of every sampler of node orders, one group per entry",
            "study": study.name,
            "n_nodes": str(n),
            "n_rows": str(study.data.rows),
            "max_indegree": str(k),
            "configuration_digest": study.digest,
            "root_seed": str(study.root_seed),
            **provenance(),
        },
    )
    for path in exact:
        known = read_exact(Path(path), n, exact_specification(study))
        root = root.assign({name: root[name].copy(data=values) for name, values in known.items()})
    return xr.DataTree.from_dict({"/": root, **groups})


def _entry(study: OrderStudy, entry: str, files: Sequence[str | Path]) -> xr.Dataset:
    parts = []
    for path, block in zip(files, study.blocks(entry).values(), strict=True):
        read_samples(Path(path), study, block)
        parts.append(xr.load_dataset(path))
    return xr.concat(parts, "run", combine_attrs="drop_conflicts", join="exact")
