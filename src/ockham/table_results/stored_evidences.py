"""Evidences of models, their posterior and the runs behind them as labelled arrays."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from ockham.contracts import Doubt
from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import ModelPosterior
from ockham.estimation.sources import Run
from ockham.io.netcdf import provenance

if TYPE_CHECKING:
    from ockham.table_results.results import TableResult

__all__ = ["attributes", "of_evidences", "of_runs", "variable"]


def of_evidences(
    dimensions: tuple[str, ...],
    evidences: Sequence[Sequence[Certified]],
    posteriors: Sequence[ModelPosterior],
    probability: str,
) -> dict[str, xr.Variable]:
    """By what the posteriors are of and model, or, under one posterior, by model; nats, NaN where unknown.

    ``probability`` is how that of a model is written.
    """
    shape = (len(evidences), -1)[-len(dimensions) :]

    def of_evidence(name: str, kind: Any = None) -> np.ndarray:
        values = [[getattr(each, name) for each in row] for row in evidences]
        return np.array(values, dtype=kind).reshape(shape)

    def of_posterior(name: str) -> np.ndarray:
        return np.array([getattr(posterior, name) for posterior in posteriors]).reshape(shape)

    about = {
        "log_evidence": ("Log evidence", "nats", of_evidence("log_evidence")),
        "standard_error": ("Standard error of the log evidence; 0: exact", "nats", of_evidence("standard_error")),
        "at_least": ("What the log evidence is above, at 95 %", "nats", of_evidence("at_least")),
        "scorer": ("Scorer that the evidence is from", "", of_evidence("scorer")),
        "checked_by": ("Scorer that agrees with it", "", of_evidence("checked_by")),
        "doubt": ("Why the evidence is unknown", "1", of_evidence("doubt", np.uint8)),
        "probability": (probability, "1", of_posterior("probability")),
        "probability_error": (f"Standard error of {probability}", "1", of_posterior("standard_error")),
        "probability_low": (f"Lower end of the 95 % interval of {probability}, or a bound", "1", of_posterior("low")),
        "probability_high": (f"Upper end of the 95 % interval of {probability}, or a bound", "1", of_posterior("high")),
        "leads": ("Probability that the evidence is the highest", "1", of_posterior("leads")),
        "refused": ("Scorers that could not take the model, and why", "", of_evidence("refused_lines", object)),
    }
    made = {name: variable(dimensions, *each) for name, each in about.items()}
    made["doubt"].attrs |= Doubt.attributes()
    return made


def of_runs(runs: Sequence[Run]) -> dict[str, xr.Variable]:
    """Every run of every scorer that evidences were made from."""
    columns = {
        "run_score": ("Estimator of the run", "", np.array([run.score for run in runs], dtype=object)),
        "run_index": ("Number of the run", "1", np.array([run.index for run in runs], dtype=np.int64)),
        "run_log_evidence": ("Log evidence by the run", "nats", [run.evidence.log_evidence for run in runs]),
        "run_standard_error": ("Its standard error", "nats", [run.evidence.standard_error for run in runs]),
        "run_degrees_of_freedom": (
            "Degrees of freedom of its interval",
            "1",
            [run.evidence.degrees_of_freedom for run in runs],
        ),
        "run_effective_sample_size": (
            "Effective samples of the run",
            "1",
            [run.evidence.effective_sample_size for run in runs],
        ),
        "run_doubt": ("Why it is not to be trusted", "1", np.array([run.evidence.doubt for run in runs], np.uint8)),
        "run_bound": ("What the run proved the log evidence to be above", "nats", [run.bound for run in runs]),
        "run_seconds": ("Wall time of the run", "s", [run.seconds for run in runs]),
    }
    made = {name: variable(("run",), *about) for name, about in columns.items()}
    made["run_doubt"].attrs |= Doubt.attributes()
    return made


def attributes(found: "TableResult", title: str) -> dict[str, Any]:
    """Of the whole: what was done with which data, and by what."""
    return {
        "title": title,
        "methods": found.methods,
        "remarks": "\n".join(found.remarks),
        "columns": "\n".join(f"{note.column}: {note.text}" for note in found.notes),
        "n_rows": found.data.n,
        "data": found.data.digest,
        "root_seed": str(found.seed),
        "error": found.error,
        "seconds": found.seconds,
        "interrupted": int(found.interrupted),
        **provenance(),
    }


def variable(dimensions: tuple[str, ...], long_name: str, units: str, values: Any) -> xr.Variable:
    """With its attributes; text as objects, which need no unit."""
    array = np.asarray(values)
    if array.dtype.kind in "US":
        return xr.Variable(dimensions, array.astype(object), {"long_name": long_name})
    return xr.Variable(dimensions, array, {"long_name": long_name, "units": units})
