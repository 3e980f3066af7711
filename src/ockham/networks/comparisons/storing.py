"""A comparison as labelled arrays, for a file that has everything but the data."""

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from ockham.table_results.stored_evidences import attributes, of_evidences, of_runs, variable

if TYPE_CHECKING:
    from ockham.networks.comparisons.comparison import Comparison

__all__ = ["to_xarray"]

BY_MODEL = ("model",)


def to_xarray(found: "Comparison") -> xr.Dataset:
    """By model; log evidences and Bayes factors in nats, NaN where unknown."""
    factors, models = list(found.bayes_factors.values()), list(found.models.values())
    runs = [(name, run) for name, certified in found.evidences.items() for run in certified.runs]
    factor = f"log Bayes factor against {next(iter(found.models))}"
    digests = [model.digest for model in models]
    own = {
        "log_bayes_factor": (f"The {factor}", "nats", [f.log_factor for f in factors]),
        "log_bayes_factor_error": (f"Standard error of the {factor}", "nats", [f.standard_error for f in factors]),
        "log_bayes_factor_low": (f"Lower end of the 95 % interval of the {factor}", "nats", [f.low for f in factors]),
        "log_bayes_factor_high": (f"Upper end of the 95 % interval of the {factor}", "nats", [f.high for f in factors]),
        "n_parameters": ("Free parameters", "1", [model.n_parameters for model in models]),
        "network": ("Digest of graph, cardinalities, hidden variables and prior", "", digests),
    }
    return xr.Dataset(
        of_evidences(BY_MODEL, [list(found.evidences.values())], [found.posterior], "p(model | data)")
        | {name: variable(BY_MODEL, *about) for name, about in own.items()}
        | {"run_model": variable(("run",), "Model of the run", "", np.array([name for name, _ in runs], object))}
        | of_runs([run for _, run in runs]),
        coords={"model": list(found.models)},
        attrs=attributes(found, "Networks compared on a table"),
    )
