"""A selection as labelled arrays, for a file that has everything but the data."""

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from ockham.contracts import Doubt
from ockham.networks.classes.fits import ESTIMATES, ClassFit
from ockham.networks.stored_evidences import attributes, of_evidences, of_runs, variable

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = ["BY_PRIOR", "to_xarray"]

BY_PRIOR = ("prior", "n_classes")


def to_xarray(found: "Selection") -> xr.Dataset:
    """By prior and number of classes; log evidences and scores in nats, NaN where unknown or where there is none."""
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
    return xr.Dataset(
        variables | _of_fits(found) | labels | of_runs([run for *_, run in runs]),
        coords={
            "prior": [under.prior.name for under in every],
            "n_classes": list(found.classes),
            "item": list(found.labels),
            "other_item": list(found.labels),
        },
        attrs=attributes(found, "Numbers of latent classes of a table"),
    )


def _of_fits(found: "Selection") -> dict[str, xr.Variable]:
    """Scores, statistics and MAP parameters under the first prior."""
    fits = [found.fits.get(k) for k in found.classes]
    made = {
        "n_parameters": variable(
            ("n_classes",), "Free parameters", "1", [found.models[k].n_parameters for k in found.classes]
        )
    }

    def add(name: str, long_name: str, units: str, value: Any) -> None:
        made[name] = variable(("n_classes",), long_name, units, [np.nan if f is None else value(f) for f in fits])

    for name, about in ESTIMATES.items():
        add(name, about.long_name, "nats", lambda fit, name=name: fit.scores[name].log_evidence)
        doubts = np.array([0 if fit is None else int(fit.scores[name].doubt) for fit in fits], dtype=np.uint8)
        made[f"{name}_doubt"] = variable(("n_classes",), f"Why {about.long_name} is not to be trusted", "1", doubts)
        made[f"{name}_doubt"].attrs |= Doubt.attributes()
    add("g2", "Likelihood-ratio statistic G2 of the complete rows at the MAP fit", "1", lambda fit: fit.statistics.g2)
    add("g2_degrees_of_freedom", "Degrees of freedom of G2", "1", lambda fit: fit.statistics.degrees_of_freedom)
    add("g2_p_value", "p-value of G2; none where the table is sparse", "1", lambda fit: fit.statistics.p_value)
    add("entropy", "Relative entropy of classification at the MAP fit", "1", lambda fit: fit.statistics.entropy)
    n_items = len(found.labels)
    residuals = [np.full((n_items, n_items), np.nan) if fit is None else fit.statistics.residuals for fit in fits]
    made["bivariate_residual"] = variable(
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
        "map_class_size": variable(("n_classes", "class"), "Class sizes of the MAP fit", "1", sizes),
        "map_profile": variable(("n_classes", "class", "item", "state"), "Profiles of the MAP fit", "1", profiles),
        "state_label": variable(("item", "state"), "Label of the state", "", labels),
    }
