"""A selection as labelled arrays, for a file that has everything but the data."""

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from ockham.contracts import Doubt
from ockham.io.netcdf import provenance
from ockham.networks.classes.fits import ESTIMATES, ClassFit

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = ["to_xarray"]

BY_PRIOR = ("prior", "n_classes")


def to_xarray(found: "Selection") -> xr.Dataset:
    """By prior and number of classes; log evidences and scores in nats, NaN where unknown or where there is none."""
    every = (found.main, *found.others)

    def of_evidence(name: str) -> list[list[Any]]:
        return [[getattr(under.evidences[k], name) for k in found.classes] for under in every]

    def of_posterior(name: str) -> list[np.ndarray]:
        return [getattr(under.posterior, name) for under in every]

    evidence = {
        "log_evidence": ("Log evidence", "nats", of_evidence("log_evidence")),
        "standard_error": ("Standard error of the log evidence; 0: exact", "nats", of_evidence("standard_error")),
        "at_least": ("What the log evidence is above, at 95 %", "nats", of_evidence("at_least")),
        "scorer": ("Scorer that the evidence is from", "", of_evidence("scorer")),
        "checked_by": ("Scorer that agrees with it", "", of_evidence("checked_by")),
        "doubt": ("Why the evidence is unknown", "1", np.array(of_evidence("doubt"), dtype=np.uint8)),
        "probability": ("p(K | data)", "1", of_posterior("probability")),
        "probability_low": ("Lower end of the 95 % interval of p(K | data), or a bound", "1", of_posterior("low")),
        "probability_high": ("Upper end of the 95 % interval of p(K | data), or a bound", "1", of_posterior("high")),
        "leads": ("Probability that the evidence is the highest", "1", of_posterior("leads")),
    }
    variables = {name: _variable(BY_PRIOR, *about) for name, about in evidence.items()}
    variables["doubt"].attrs |= Doubt.attributes()
    return xr.Dataset(
        variables | _of_fits(found) | _of_runs(found),
        coords={
            "prior": [under.prior.name for under in every],
            "n_classes": list(found.classes),
            "item": list(found.labels),
            "other_item": list(found.labels),
        },
        attrs={
            "title": "Numbers of latent classes of a table",
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
        },
    )


def _variable(dimensions: tuple[str, ...], long_name: str, units: str, values: Any) -> xr.Variable:
    array = np.asarray(values)
    if array.dtype.kind in "US":
        return xr.Variable(dimensions, array.astype(object), {"long_name": long_name})
    return xr.Variable(dimensions, array, {"long_name": long_name, "units": units})


def _of_fits(found: "Selection") -> dict[str, xr.Variable]:
    """Scores, statistics and MAP parameters under the first prior."""
    fits = [found.fits.get(k) for k in found.classes]
    made = {
        "n_parameters": _variable(
            ("n_classes",), "Free parameters", "1", [found.models[k].n_parameters for k in found.classes]
        )
    }

    def add(name: str, long_name: str, units: str, value: Any) -> None:
        made[name] = _variable(("n_classes",), long_name, units, [np.nan if f is None else value(f) for f in fits])

    for name, about in ESTIMATES.items():
        add(name, about.long_name, "nats", lambda fit, name=name: fit.scores[name].log_evidence)
        doubts = np.array([0 if fit is None else int(fit.scores[name].doubt) for fit in fits], dtype=np.uint8)
        made[f"{name}_doubt"] = _variable(("n_classes",), f"Why {about.long_name} is not to be trusted", "1", doubts)
        made[f"{name}_doubt"].attrs |= Doubt.attributes()
    add("g2", "Likelihood-ratio statistic G2 of the complete rows at the MAP fit", "1", lambda fit: fit.statistics.g2)
    add("g2_degrees_of_freedom", "Degrees of freedom of G2", "1", lambda fit: fit.statistics.degrees_of_freedom)
    add("g2_p_value", "p-value of G2; none where the table is sparse", "1", lambda fit: fit.statistics.p_value)
    add("entropy", "Relative entropy of classification at the MAP fit", "1", lambda fit: fit.statistics.entropy)
    n_items = len(found.labels)
    residuals = [np.full((n_items, n_items), np.nan) if fit is None else fit.statistics.residuals for fit in fits]
    made["bivariate_residual"] = _variable(
        ("n_classes", "item", "other_item"), "Bivariate residual at the MAP fit", "1", residuals
    )
    return made | _parameters(found, fits)


def _parameters(found: "Selection", fits: list[ClassFit | None]) -> dict[str, xr.Variable]:
    """Class sizes and profiles of the MAP fits; NaN beyond the classes of a model and the states of an item."""
    most, items = max(found.classes), list(found.labels.values())
    n_states = max(map(len, items))
    sizes = np.full((len(fits), most), np.nan)
    profiles = np.full((len(fits), most, len(items), n_states), np.nan)
    for f, (k, fit) in enumerate(zip(found.classes, fits, strict=True)):
        if fit is None:
            continue
        network = found.models[k]
        sizes[f, :k] = network.family(network.hidden[0], fit.parameters)[0] if network.hidden else 1.0
        for j, i in enumerate(network.observed):
            profiles[f, :k, j, : network.cardinalities[i]] = network.family(i, fit.parameters)
    labels = np.array([[*states, *[""] * (n_states - len(states))] for states in items])
    return {
        "map_class_size": _variable(("n_classes", "class"), "Class sizes of the MAP fit", "1", sizes),
        "map_profile": _variable(("n_classes", "class", "item", "state"), "Profiles of the MAP fit", "1", profiles),
        "state_label": _variable(("item", "state"), "Label of the state", "", labels),
    }


def _of_runs(found: "Selection") -> dict[str, xr.Variable]:
    """Every run of every scorer that evidences were made from."""
    runs = [
        (under.prior.name, k, run)
        for under in (found.main, *found.others)
        for k, certified in under.evidences.items()
        for run in certified.runs
    ]
    columns = {
        "run_prior": ("Prior of the run", "", np.array([prior for prior, _, _ in runs], dtype=object)),
        "run_n_classes": ("Number of classes of the run", "1", np.array([k for _, k, _ in runs], dtype=np.int64)),
        "run_score": ("Estimator of the run", "", np.array([run.score for _, _, run in runs], dtype=object)),
        "run_index": ("Number of the run", "1", np.array([run.index for _, _, run in runs], dtype=np.int64)),
        "run_log_evidence": ("Log evidence by the run", "nats", [run.evidence.log_evidence for _, _, run in runs]),
        "run_standard_error": ("Its standard error", "nats", [run.evidence.standard_error for _, _, run in runs]),
        "run_doubt": ("Why it is not to be trusted", "1", np.array([run.evidence.doubt for *_, run in runs], np.uint8)),
        "run_seconds": ("Wall time of the run", "s", [run.seconds for _, _, run in runs]),
    }  # fmt: skip
    made = {name: _variable(("run",), *about) for name, about in columns.items()}
    made["run_doubt"].attrs |= Doubt.attributes()
    return made
