"""What a heuristic without linear extensions leaves of the bias of orders; section 2.2 of [NiinimakiKoivisto2013]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Draw
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.estimates import arcs_of
from ockham.orders.inference.unique_graphs import MOST_NODES, ListedSpace, draw_unique, list_space, union_weights
from ockham.orders.space import OrderSpace
from ockham.streams import Stream

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Settings", "check", "measure", "of_special_graph", "of_table"]

Count = Annotated[int, Field(ge=1, le=100_000)]


class Settings(contracts.Settings):
    """Which tables, and how much is drawn."""

    variables: Annotated[int, Field(ge=2, le=MOST_NODES)] = Field(default=4, description="first ones of the table")
    rows: list[Count] = Field(default=[10, 100], min_length=1, description="first ones of the table")
    left_out: list[Annotated[float, Field(ge=0, lt=1)]] = Field(
        default=[0.0, 0.1], min_length=1, description="epsilon, the part of an order's graphs that may be left out"
    )
    orders: list[Count] = Field(default=[1, 4, 16], min_length=1, description="T, sampled orders")
    others: Count = Field(default=1000, description="M, graphs that share half of the posterior")
    draws: list[Annotated[float, Field(gt=0, le=100)]] = Field(
        default=[0.1, 0.25, 0.5, 1.0, 2.0, 4.0], min_length=1, description="draws, in units of M"
    )
    repeats: Annotated[int, Field(ge=2, le=100_000)] = Field(default=400, description="of every estimate")


def check(study: Any, settings: Settings) -> None:
    """Refuse more rows or variables than the table has."""
    if max(settings.rows) > max(study.sizes) or settings.variables > study.n_variables:
        raise ValueError(
            f"measurements.order_bias: the table has {max(study.sizes)} rows of {study.n_variables} variables; give "
            "rows and variables up to these"
        )


def measure(study: Any, draw: Draw, settings: Settings) -> "xr.Dataset":
    """``of_table`` on the first rows and variables of the study's table, and ``of_special_graph``."""
    stream = Stream(study.root_seed, "order bias", study.paper or study.study)
    n = settings.variables
    spaces = {}
    for rows in settings.rows:
        table = CompleteTable(draw.names[:n], draw.cardinalities[:n], draw.states[:rows, :n])
        space = OrderSpace(n, min(study.max_indegree, n - 1), study.equivalent_sample_size)
        spaces[rows] = list_space(table.family_scores(space))
    found = of_table(spaces, draw.names[:n], settings.left_out, settings.orders, settings.repeats, stream)
    return found.merge(of_special_graph(settings.others, settings.draws, settings.repeats, stream))


def of_table(
    spaces: dict[int, ListedSpace],
    names: Sequence[str],
    left_out: Sequence[float],
    orders: Sequence[int],
    repeats: int,
    stream: Stream,
) -> "xr.Dataset":
    """The posterior probability of the arc whose bias is largest, by the heuristic and by counting linear extensions.

    Parameters
    ----------
    spaces : dict of int to ListedSpace
        By the number of rows.
    names : sequence of str
        The nodes.
    left_out : sequence of float
        epsilon.
    orders : sequence of int
        T, orders drawn independently from their exact posterior.
    repeats : int
        Independent estimates of which the mean is taken.
    stream : Stream

    Returns
    -------
    xarray.Dataset
        ``arc``, ``exact``, under the uniform prior over graphs, and ``biased``, under the order-modular prior, over
        rows. ``unique``, the mean of the heuristic, with ``unique_error``, its standard error, and ``covered``, the
        mean of the posterior mass of its graphs, over (rows, left_out, orders). ``counted`` with ``counted_error``, the
        mean of the corrected estimate of section 3.2 from one graph of each of as many orders, over (rows, orders).
    """
    import xarray as xr  # slow to import, and the settings above are read wherever a study is

    over = {"rows": list(spaces), "left_out": list(left_out), "orders": list(orders)}
    shape = len(spaces), len(left_out), len(orders)
    by_rows: dict[str, list] = {"arc": [], "exact": [], "biased": []}
    found = {name: np.empty(shape) for name in ("unique", "unique_error", "covered")}
    counted = {name: np.empty((shape[0], shape[2])) for name in ("counted", "counted_error")}
    for i, (rows, space) in enumerate(spaces.items()):
        posterior = union_weights(space.log_scores, [np.arange(len(space.log_scores))])
        biased = posterior * space.n_extensions
        biased /= biased.sum()
        arcs = arcs_of(space.parents)
        u, v = divmod(int(np.abs(np.tensordot(biased - posterior, arcs, 1)).argmax()), arcs.shape[1])
        has_arc = arcs[:, u, v]
        by_rows["arc"].append(f"{names[u]} -> {names[v]}")
        by_rows["exact"].append(float(posterior @ has_arc))
        by_rows["biased"].append(float(biased @ has_arc))
        of_orders = posterior[space.of_order].sum(axis=1)
        for k, n_orders in enumerate(orders):
            rng = stream.child("counted", rows, n_orders).generator()
            drawn = rng.choice(len(biased), size=(repeats, n_orders), p=biased)
            weights = 1 / space.n_extensions[drawn]
            estimates = (weights * has_arc[drawn]).sum(axis=1) / weights.sum(axis=1)
            counted["counted"][i, k], counted["counted_error"][i, k] = _mean(estimates)
            for j, epsilon in enumerate(left_out):
                rng = stream.child("unique", rows, n_orders, j).generator()
                looks = np.empty((repeats, 2))
                for repeat in range(repeats):
                    sampled = np.unique(rng.choice(len(of_orders), size=n_orders, p=of_orders / of_orders.sum()))
                    kept = [
                        own[draw_unique(space.log_scores[own], epsilon, rng)] if epsilon else own
                        for own in space.of_order[sampled]
                    ]
                    heuristic = union_weights(space.log_scores, kept)
                    looks[repeat] = heuristic @ has_arc, posterior[heuristic > 0].sum()
                found["unique"][i, j, k], found["unique_error"][i, j, k] = _mean(looks[:, 0])
                found["covered"][i, j, k] = looks[:, 1].mean()
    return xr.Dataset(
        {name: (("rows",), values, ABOUT[name]) for name, values in by_rows.items()}
        | {name: (tuple(over), values, ABOUT[name]) for name, values in found.items()}
        | {name: (("rows", "orders"), values, ABOUT[name]) for name, values in counted.items()},
        over,
    )


def of_special_graph(others: int, draws: Sequence[float], repeats: int, stream: Stream) -> "xr.Dataset":
    """The heuristic where one graph has half of the posterior, ``others`` share the rest, and each has one extension.

    Then an order has one graph, and the posterior of orders is that of graphs.

    Returns
    -------
    xarray.Dataset
        Over ``draws``, in units of ``others``: ``special``, the mean estimate of the probability of the one graph,
        which is 1/2, with ``special_error``, its standard error; and ``others``.
    """
    import xarray as xr

    log_scores = np.log(np.r_[others, np.ones(others)])
    found = {name: np.empty(len(draws)) for name in ("special", "special_error")}
    for i, part in enumerate(draws):
        rng = stream.child("special graph", others, i).generator()
        size = max(1, round(part * others))
        estimates = np.empty(repeats)
        for repeat in range(repeats):
            sampled = np.where(rng.random(size) < 0.5, 0, rng.integers(1, others, size, endpoint=True))
            estimates[repeat] = union_weights(log_scores, [sampled])[0]
        found["special"][i], found["special_error"][i] = _mean(estimates)
    return xr.Dataset(
        {name: (("draws",), values, ABOUT[name]) for name, values in found.items()}
        | {"others": ((), others, ABOUT["others"])},
        {"draws": list(draws)},
    )


def _mean(estimates: np.ndarray) -> tuple[float, float]:
    """With its standard error."""
    return estimates.mean(), estimates.std(ddof=1) / np.sqrt(len(estimates))


ABOUT = {
    "arc": {"long_name": "The arc whose posterior probability is biased most"},
    "exact": {"long_name": "Its posterior probability under the uniform prior over graphs", "units": "1"},
    "biased": {"long_name": "Its posterior probability under the order-modular prior", "units": "1"},
    "unique": {"long_name": "Mean estimate by unique graphs", "units": "1"},
    "unique_error": {"long_name": "Standard error of the mean estimate by unique graphs", "units": "1"},
    "covered": {"long_name": "Mean posterior probability of the unique graphs", "units": "1"},
    "counted": {"long_name": "Mean estimate by counting linear extensions", "units": "1"},
    "counted_error": {"long_name": "Standard error of the mean estimate by counting", "units": "1"},
    "special": {"long_name": "Mean estimate of the probability of a graph that has one half", "units": "1"},
    "others": {"long_name": "Graphs that share the other half", "units": "1"},
    "special_error": {"long_name": "Standard error of that mean estimate", "units": "1"},
}
