"""A comparison as labelled arrays, for a file that has everything but the data."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from ockham.estimation.model_posterior import BayesFactor
from ockham.table_results.stored_evidences import attributes, of_evidences, of_runs, variable

if TYPE_CHECKING:
    from ockham.networks.comparisons.comparison import Comparison

__all__ = ["BY_MODEL", "of_factors", "to_xarray"]

BY_MODEL = ("model",)


def to_xarray(found: "Comparison") -> xr.Dataset:
    """By model; log evidences and Bayes factors in nats, NaN where unknown."""
    models = list(found.models.values())
    runs = [(name, run) for name, certified in found.evidences.items() for run in certified.runs]
    digests = [model.digest for model in models]
    own = {
        "n_parameters": ("Free parameters", "1", [model.n_parameters for model in models]),
        "network": ("Digest of graph, cardinalities, hidden variables and prior", "", digests),
    }
    return xr.Dataset(
        of_evidences(BY_MODEL, [list(found.evidences.values())], [found.posterior], "p(model | data)")
        | of_factors(found.bayes_factors)
        | {name: variable(BY_MODEL, *about) for name, about in own.items()}
        | {"run_model": variable(("run",), "Model of the run", "", np.array([name for name, _ in runs], object))}
        | of_runs([run for _, run in runs]),
        coords={"model": list(found.models)},
        attrs=attributes(found, "Networks compared on a table"),
    )


def of_factors(found: Mapping[str, BayesFactor]) -> dict[str, xr.Variable]:
    """Log Bayes factors against the first model, with their errors and intervals."""
    against, every = f"log Bayes factor against {next(iter(found))}", list(found.values())
    about = {
        "log_bayes_factor": (f"The {against}", [factor.log_factor for factor in every]),
        "log_bayes_factor_error": (f"Standard error of the {against}", [factor.standard_error for factor in every]),
        "log_bayes_factor_low": (f"Lower end of the 95 % interval of the {against}", [f.low for f in every]),
        "log_bayes_factor_high": (f"Upper end of the 95 % interval of the {against}", [f.high for f in every]),
    }
    return {name: variable(BY_MODEL, label, "nats", values) for name, (label, values) in about.items()}
