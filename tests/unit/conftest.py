"""A store of scores that is small enough to summarise by hand: three structures, of which ``b`` is true."""

import numpy as np
import pytest
import xarray as xr

STRUCTURES = ["a", "b", "c"]
REPLICATES = [0, 1, 2, 3, 4]
N = [10, 100]
ESTIMATORS = {
    "map": ("none", 0),
    "bic": ("none", 1),
    "cheeseman_stutz": ("lower", 1),
    "variational_bayes": ("lower", 1),
    "exact": ("none", 0),
    "ais": ("none", 0),
}


def score(name, values, runs=2, replicates=REPLICATES, n=N):
    """One score variable; values broadcast to (replicate, n, structure, run)."""
    bound, local = ESTIMATORS[name]
    shape = (len(replicates), len(n), len(STRUCTURES), runs)
    return xr.DataArray(
        np.array(np.broadcast_to(values, shape), dtype=float),
        dims=("replicate", "n", "structure", "run"),
        coords={"replicate": replicates, "n": n, "structure": STRUCTURES, "run": range(runs)},
        attrs={"units": "nats", "long_name": name, "bound": bound, "local": local},
    )


def fit(**scores):
    """One group of the store: the scores, two variables that are none, and no run at the cap."""
    data = xr.Dataset(scores)
    like = next(iter(scores.values()))
    data["n_iterations"] = xr.full_like(like, 5, dtype=int).assign_attrs(bound="none", units="1")
    data["standard_error"] = xr.zeros_like(like).assign_attrs(units="nats")
    del data["standard_error"].attrs["bound"]
    data["hit_cap"] = xr.zeros_like(like, dtype=np.int8).assign_attrs(units="1")
    return data


@pytest.fixture
def store():
    """Tree of a root (ln S is 2 nats for b, 0 otherwise) and the groups given by name."""

    def build(**groups):
        root = xr.Dataset(
            {"n_parameters": ("structure", [18, 50, 66]), "log_aliases": ("structure", [0.0, 2.0, 0.0])},
            coords={"structure": STRUCTURES},
            attrs={"study": "by_hand", "condition": "", "true_structure": "b"},
        )
        return xr.DataTree.from_dict({"/": root, **groups})

    build.score, build.fit = score, fit
    return build


@pytest.fixture
def scores(store):
    """Every structure scored by EM and VB at all replicates, and exactly at the published parameters with n = 10.

    Cheeseman-Stutz per replicate at n = 10, both restarts, for (a, b, c); at n = 100 structure b leads by 5 nats.
    """
    small = np.array([[-4, -5, -9], [-4, -3, -9], [-4, -5, -9], [-4, -12, -9], [-4, -5, -3]], dtype=float)
    large = np.broadcast_to([-50.0, -45.0, -60.0], (5, 3))
    cs = np.stack([small, large], axis=1)[..., None] - [0.0, 1.0]
    vb = cs + 0.5
    vb[2, 0, 2] = cs[2, 0, 2] - 0.25
    vb[0, 0, 2] = cs[0, 0, 2] - 0.25
    vb[4, 1, 0] = cs[4, 1, 0] - 1e-12
    em = store.fit(
        map=store.score("map", [[[3.0], [2.0], [1.0]]]),
        bic=store.score("bic", [[[-20.0], [-21.0], [-25.0]]]),
        cheeseman_stutz=store.score("cheeseman_stutz", cs),
    )
    vb = store.fit(variational_bayes=store.score("variational_bayes", vb))
    em.hit_cap[0, 0, 0, 0] = 1
    vb.hit_cap[1, 0, 0, :] = 1
    vb.hit_cap[4, 1, 2, 1] = 1
    exact = xr.Dataset({"exact": store.score("exact", [[[-3.0], [-4.0], [-8.0]]], runs=1, replicates=[0], n=[10])})
    return store(em=em, vb=vb, exact=exact)
