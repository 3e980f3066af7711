"""A selection as labelled arrays, for a file that has everything but the data."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from ockham.contracts import Doubt
from ockham.table_results.stored_evidences import attributes, of_evidences, of_runs, variable

if TYPE_CHECKING:
    from ockham.table_results.selection import Selection

__all__ = ["BY_PRIOR", "by_classes", "to_xarray"]

BY_PRIOR = ("prior", "n_classes")


def to_xarray(
    found: "Selection",
    own: Mapping[str, xr.Variable],
    coordinates: Mapping[str, Any],
) -> xr.Dataset:
    """By prior and number of classes; log evidences and scores in nats, NaN where unknown or where there is none.

    ``own`` are variables that the family has beside, with their ``coordinates``.
    """
    every = (found.main, *found.others)
    runs = [
        (under.prior.name, k, run)
        for under in every
        for k, certified in under.evidences.items()
        for run in certified.runs
    ]
    priors, numbers = np.array([prior for prior, *_ in runs], object), np.array([k for _, k, _ in runs], np.int64)
    labels = {
        "run_prior": variable(("run",), "Prior of the run", "", priors),
        "run_n_classes": variable(("run",), "Number of classes of the run", "1", numbers),
    }
    variables = of_evidences(
        BY_PRIOR,
        [[under.evidences[k] for k in found.classes] for under in every],
        [under.posterior for under in every],
        "p(K | data)",
    )
    n_parameters = [found.models[k].n_parameters for k in found.classes]
    return xr.Dataset(
        variables
        | {"n_parameters": variable(("n_classes",), "Free parameters", "1", n_parameters)}
        | _scores(found)
        | dict(own)
        | labels
        | of_runs([run for *_, run in runs]),
        coords={
            "prior": [under.prior.name for under in every],
            "n_classes": list(found.classes),
            **coordinates,
        },
        attrs=attributes(found, "Numbers of latent classes of a table"),
    )


def by_classes(
    found: "Selection", long_name: str, units: str, value: Callable[[Any], Any], *dimensions: str, empty: Any = np.nan
) -> xr.Variable:
    """What the fit of each number of classes says, ``empty`` where there is none; of further dimensions."""
    fits = [found.fits.get(k) for k in found.classes]
    values = [empty if fit is None else value(fit) for fit in fits]
    return variable(("n_classes", *dimensions), long_name, units, values)


def _scores(found: "Selection") -> dict[str, xr.Variable]:
    """Scores under the first prior."""
    made = {}
    fits = [found.fits.get(k) for k in found.classes]
    for name, about in found.estimates.items():
        values = [np.nan if fit is None else fit.scores[name].log_evidence for fit in fits]
        made[name] = variable(("n_classes",), about.long_name, "nats", values)
        doubts = np.array([0 if fit is None else int(fit.scores[name].doubt) for fit in fits], dtype=np.uint8)
        made[f"{name}_doubt"] = variable(("n_classes",), f"Why {about.long_name} is not to be trusted", "1", doubts)
        made[f"{name}_doubt"].attrs |= Doubt.attributes()
    return made
