"""What a search found as labelled arrays, for a file that has everything but the data."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from ockham.networks.comparisons.storing import to_xarray as of_comparison
from ockham.networks.searches.fits import SCORES
from ockham.table_results.stored_evidences import attributes, variable

if TYPE_CHECKING:
    from ockham.networks.searches.structure_search import StructureSearch

__all__ = ["to_xarray"]


def to_xarray(found: "StructureSearch") -> xr.Dataset:
    """By graph, and pair of parent and child; log evidences, scores and Bayes factors in nats, NaN where unknown."""
    models = list(found.models.values())
    hidden = sorted({model.names[i] for model in models for i in model.hidden})
    names = [*found.labels, *hidden]
    arcs = np.zeros((len(models), len(names), len(names)), dtype=np.uint8)
    sizes = np.zeros((len(models), len(names)), dtype=np.int64)
    for k, model in enumerate(models):
        places = [names.index(name) for name in model.names]
        sizes[k, places] = model.cardinalities
        for i, of in enumerate(model.parents):
            arcs[k, [places[p] for p in of], places[i]] = 1
    own = {
        "score": variable(
            ("model",), f"{SCORES[found.score]}, of one mode", "nats", [found.scores[name] for name in found.models]
        ),
        "arc": variable(("model", "parent", "child"), "Whether there is an arc", "1", arcs),
        "cardinality": variable(("model", "parent"), "Number of values; 0: not in the graph", "1", sizes),
        "hidden": variable(("parent",), "Whether it is hidden", "1", np.array([n in hidden for n in names], np.uint8)),
    }
    about = {
        "n_graphs": found.n_graphs,
        "n_climbs": found.n_climbs,
        "n_starts": found.n_starts,
        "n_judged": found.n_judged,
        "prior": found.prior.name,
        "climbed": found.score,
        **found.limits._asdict(),
    }
    judged = of_comparison(found.judged)
    return xr.Dataset(
        dict(judged.variables) | own,
        coords={"parent": names, "child": names},
        attrs=attributes(found, "Networks that a search found on a table") | about,
    )
