"""Summaries of a small store with every score that figures show."""

import numpy as np
import pytest
import xarray as xr

from ockham.summaries import summarise

STRUCTURES = [f"s{i}" for i in range(12)]
N = [10, 160, 640, 10240]


def group(rng, scores, replicates, n, runs):
    shape = len(replicates), len(n), len(STRUCTURES), runs
    dims = "replicate", "n", "structure", "run"
    variables = {
        name: (dims, -50 + rng.normal(size=shape), {"units": "nats", "long_name": name, "bound": "none", "local": ln_s})
        for name, ln_s in scores.items()
    }
    return xr.Dataset(variables, {"replicate": replicates, "n": n, "structure": STRUCTURES, "run": range(runs)})


@pytest.fixture(scope="session")
def summaries():
    rng = np.random.default_rng(7)
    root = xr.Dataset(
        {"n_parameters": ("structure", np.arange(18, 66, 4)), "log_aliases": ("structure", rng.random(12))},
        {"structure": STRUCTURES},
        attrs={"study": "small", "true_structure": "s5"},
    )
    groups = {
        "em": group(rng, {"map": 0, "bic": 1, "bicp": 1, "cheeseman_stutz": 1}, range(6), N, 2),
        "vb": group(rng, {"variational_bayes": 1}, range(6), N, 2),
        "exact": group(rng, {"exact": 0}, [0], [10], 1),
        "ais": group(rng, {"ais": 0}, [0], [10, 640], 1),
    }
    return summarise(xr.DataTree.from_dict({"/": root, **groups}))
