"""Long runs stand for the evidence where they agree, and an estimate is not judged by itself.

Source of truth: values set by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.errors import StoreError
from ockham.networks.summaries import summarise
from ockham.networks.summaries.calibration import truth_of

DIMENSIONS = ("replicate", "n", "structure", "run")
N = 4


def run_of(values, errors, doubt=0):
    doubts = np.broadcast_to(np.uint8(doubt), N)
    variables = {"log_evidence": values, "standard_error": errors, "doubt": doubts}
    return xr.Dataset(
        {name: ("replicate", np.broadcast_to(array, N)) for name, array in variables.items()},
        {"replicate": np.arange(1, N + 1)},
    )


@pytest.mark.parametrize(
    ("of", "truth", "error"),
    [
        ("", (-10.0 * 4 + -9.95) / 5, (1 / 0.02**2 + 1 / 0.04**2) ** -0.5),
        ("bridge", -9.95, 0.04),
        ("smc", -10.0, 0.02),
    ],
)
def test_long_runs_that_agree_are_the_truth_without_that_of_the_same_scorer(of, truth, error):
    runs = {"bridge": run_of(-10.0, 0.02), "smc": run_of(-9.95, 0.04)}
    value, standard_error = truth_of(runs, of, np.arange(1, N + 1))
    np.testing.assert_allclose(value, truth, rtol=1e-12)
    np.testing.assert_allclose(standard_error, error, rtol=1e-12)


@pytest.mark.parametrize(
    "runs",
    [
        {"bridge": run_of(-10.0, 0.02), "smc": run_of(-9.8, 0.02)},
        {"bridge": run_of(-10.0, 0.02), "smc": run_of(-10.0, 0.2)},
        {"bridge": run_of(-10.0, 0.02), "smc": run_of(-10.0, 0.02, Doubt.NOT_MIXED)},
        {"bridge": run_of(-10.0, 0.02), "smc": run_of(-10.0, 0.02), "tempered_smc": run_of(-9.7, 0.02)},
        {"bridge": run_of(-10.0, 0.02)},
        {},
    ],
)
def test_long_runs_that_do_not_agree_leave_it_unknown(runs):
    for found in truth_of(runs, "", np.arange(1, N + 1)):
        assert found.isnull().all()


def group(name, values, scorer, *, error=None, role="", **about):
    about = {"units": "nats", "long_name": name, "bound": "none", "local": 0, "over_runs": "median"} | about
    values = np.asarray(values, dtype=float)[:, None, None, None]
    variables = {name: (DIMENSIONS, values, about), "key": (DIMENSIONS, np.isfinite(values).astype(np.int64))}
    if error is not None:
        variables[f"{name}_standard_error"] = (DIMENSIONS, np.full(values.shape, error))
        variables[f"{name}_doubt"] = (DIMENSIONS, np.zeros(values.shape, np.uint8))
    coordinates = {"replicate": np.arange(1, N + 1), "n": [12], "structure": ["random"], "run": [0]}
    return xr.Dataset(variables, coordinates, {"scorer": scorer, "role": role, "from_truth": 0})


def store(condition, groups):
    along = np.arange(1, N + 1)
    root = xr.Dataset(
        {"n_rows": ("replicate", along), "hyperparameter": ("replicate", np.ones(N))}, {"replicate": along},
        {"study": f"by_hand/{condition}", "condition": condition, "true_structure": ""},
    )  # fmt: skip
    return xr.DataTree.from_dict({"/": root} | groups)


def test_every_score_of_an_entry_is_an_estimate():
    several = group("map", [-1.0] * N, "em").merge(group("bic", [-2.0] * N, "em").drop_vars("key"))
    exact = group("exact", [-1, -2, -3, -4], "exact", reference="known")
    found = summarise({"whole": store("", {"exact": exact, "em": several})}, {})["calibration"].to_dataset()
    assert found.estimate.values.tolist() == ["em_map", "em_bic"]
    assert found.log_evidence.sel(estimate="em_bic").values.tolist() == [-2.0] * N
    long = several.assign_attrs(role="long_run")
    with pytest.raises(StoreError, match=r"em: scores\.nc: a long run has one score, not map, bic; give it no role"):
        summarise({"whole": store("", {"exact": exact, "em": long})}, {})


def test_every_estimate_stands_beside_the_truth_of_its_network():
    few = {
        "exact": group("exact", [-1, -2, -3, -4], "exact", reference="known"),
        "candidate": group("candidate", [-1.5, -2.5, np.nan, np.nan], "candidate", error=0.5),
    }
    more = {
        "bridge": group("bridge_sampling", [-5.0] * N, "bridge", error=0.1),
        "long_bridge": group("bridge_sampling", [-5.2] * N, "bridge", error=0.02, role="long_run"),
        "long_smc": group("sequential_monte_carlo", [-5.15, -5.0, -5.2, -5.2], "smc", error=0.03, role="long_run"),
    }
    certified = xr.Dataset(
        {
            "log_evidence": ("replicate", [-1.0, np.nan, -3.0]), "standard_error": ("replicate", [0.1, np.nan, 0.2]),
            "degrees_of_freedom": ("replicate", [4.0, np.nan, 5.0]),
            "doubt": ("replicate", np.array([0, 8, 0], np.uint8)),
            "checked": ("replicate", np.array([1, 0, 0], np.uint8)),
            "seconds": ("replicate", [1.0, 2.0, 1.0]), "at_least": ("replicate", [-9.0, -9.0, -9.0]),
        },
        {"replicate": [1, 2, 3]}, {"study": "by_hand/graphs"},
    )  # fmt: skip
    found = summarise({"graphs": store("graphs", few), "surveys": store("surveys", more)}, {"certified": certified})
    assert found.attrs["conditions"] == "graphs surveys"
    small, larger = (found[kind]["calibration"].to_dataset() for kind in ("graphs", "surveys"))
    assert small.estimate.values.tolist() == ["candidate", "evidence", "evidence_unchecked"]
    assert small.computed.values.tolist() == [[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 0]]
    assert small.doubt.values[:2].tolist() == [[0, 0, 0, 0], [0, 8, 0, 0]]
    assert (small.truth == [-1, -2, -3, -4]).all()
    assert (small.truth_error == 0).all()
    assert small.degrees_of_freedom.sel(estimate="evidence", replicate=1) == 4
    np.testing.assert_array_equal(small.seconds, [1.0, 2.0, 1.0, np.nan])
    assert larger.estimate.values.tolist() == ["bridge"]
    assert "seconds" not in larger
    np.testing.assert_allclose(larger.truth.values[0], [-5.15, np.nan, -5.2, -5.2])
    np.testing.assert_allclose(larger.truth_error.values[0], [0.03, np.nan, 0.03, 0.03])
    assert set(found.children) == {"graphs", "surveys", "certified"}
