"""Summaries of a small store with every score that figures show."""

import json

import numpy as np
import pytest
import xarray as xr

from ockham.networks.summaries import summarise

STRUCTURES = [f"s{i}" for i in range(12)]
N = [10, 160, 640, 10240]
AIS = "annealed_importance_sampling"
REFERENCES = {"exact": "known", "bridge_sampling": "estimated", AIS: "substitute"}
ONLY_TRUE = xr.DataArray([name == "s5" for name in STRUCTURES], coords={"structure": STRUCTURES})


def group(rng, scores, replicates, n, runs):
    shape = len(replicates), len(n), len(STRUCTURES), runs
    dims = "replicate", "n", "structure", "run"
    variables = {
        name: (dims, -50 + rng.normal(size=shape), {"units": "nats", "long_name": name, "bound": "none", "local": ln_s})
        for name, ln_s in scores.items()
    }
    for name in REFERENCES.keys() & variables.keys():
        variables[name][2]["reference"] = REFERENCES[name]
    variables["n_evaluations"] = dims, np.ones(shape), {"units": "1"}
    return xr.Dataset(variables, {"replicate": replicates, "n": n, "structure": STRUCTURES, "run": range(runs)})


def ais(data, from_truth=0, role="", **settings):
    """A group of annealed importance sampling, with its acceptance rates, role and settings."""
    rates = (data[AIS] * 0 + 0.4).drop_attrs()
    data = data.assign(acceptance=rates, **{f"acceptance_quarter_{q}": rates / q for q in range(1, 5)})
    settings = {"n_steps": 16384, "strength": 2000.0, "strength_per_datum": 0.0} | settings
    return data.assign_attrs(scorer="ais", role=role, scorer_settings=json.dumps(settings), from_truth=from_truth)


def of_length(data, n_steps, from_truth=0):
    """A group of the true structure alone, for one length of the schedule."""
    return ais(data.where(ONLY_TRUE), from_truth=from_truth, role="schedule_length", n_steps=n_steps)


def summarised(truth):
    """Of all groups, with bridge sampling or without."""
    rng = np.random.default_rng(7)
    root = xr.Dataset(
        {"n_parameters": ("structure", np.arange(18, 66, 4)), "log_aliases": ("structure", rng.random(12))},
        {"structure": STRUCTURES},
        attrs={"study": "small", "condition": "", "true_structure": "s5"},
    )
    groups = {
        "em": group(rng, {"map": 0, "bic": 1, "bicp": 1, "cheeseman_stutz": 1}, range(6), N, 2),
        "vb": group(rng, {"variational_bayes": 1}, range(6), N, 2),
        "exact": group(rng, {"exact": 0}, [0], [10], 1),
        "ais": ais(group(rng, {AIS: 0}, [0], N, 6)),
        "ais_scaled": ais(group(rng, {AIS: 0}, [0], N[2:], 5), role="scaled_proposal", strength=200.0),
        "ais_length_64": of_length(group(rng, {AIS: 0}, [0], [640], 3), n_steps=64),
        "ais_length_256": of_length(group(rng, {AIS: 0}, [0], [640], 3), n_steps=256),
        "ais_truth_64": of_length(group(rng, {AIS: 0}, [0], [640], 1), n_steps=64, from_truth=1),
        "ais_truth_256": of_length(group(rng, {AIS: 0}, [0], [640], 1), n_steps=256, from_truth=1),
    }
    if truth:
        groups["bridge"] = group(rng, {"bridge_sampling": 0}, range(6), N, 1)
    schedules = xr.Dataset(
        {"temperature": (("curvature", "fraction"), np.linspace(0, 1, 10).reshape(2, 5))},
        {"curvature": [0.2, 1.0], "fraction": np.linspace(0, 1, 5)},
    )
    return summarise({"small": xr.DataTree.from_dict({"/": root, **groups})}, {"schedules": schedules})


@pytest.fixture(scope="session")
def summaries():
    return summarised(truth=False)


@pytest.fixture(scope="session")
def with_truth():
    return summarised(truth=True)
