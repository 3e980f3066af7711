"""Both sides of the evidence, and bridge sampling between them, come from their own entries; a table compares them.

Source of truth: numbers set by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.networks.summaries.sandwich import sandwich
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.sandwich import sandwich as table

SMC, BRIDGE = "sequential_monte_carlo", "bridge_sampling"


def group(name, values, error, over_runs, from_truth=0, doubt=0):
    """Values by replicate, the first being the published parameters; one size, structure and run."""
    values = np.reshape(values, (-1, 1, 1, 1)).astype(float)
    dims = ("replicate", "n", "structure", "run")
    coords = {"replicate": range(len(values)), "n": [40], "structure": ["b"], "run": [0]}
    about = {"units": "nats", "long_name": name, "bound": "none", "local": 0, "over_runs": over_runs}
    data = xr.Dataset(
        {
            name: (dims, values, about),
            f"{name}_standard_error": (dims, np.full(values.shape, error)),
            f"{name}_doubt": (dims, np.broadcast_to(doubt, values.shape).astype(np.uint8)),
        },
        coords,
    )
    return data.assign_attrs(from_truth=from_truth)


def tree(**groups):
    root = xr.Dataset(attrs={"true_structure": "b"})
    return xr.DataTree.from_dict({"/": root, **groups})


def both(**more):
    return tree(
        smc=group(SMC, [0, -50.0, -60.0], 0.3, "mean"),
        smc_from_truth=group(SMC, [0, -49.0, -59.8], 0.4, "mean", from_truth=1),
        **more,
    )


def test_each_side_is_of_its_own_entry():
    found = sandwich(both(bridge=group(BRIDGE, [0, -49.5, -59.9], 0.1, "median")))
    assert found.replicate.values.tolist() == [1, 2]
    np.testing.assert_allclose(found.log_evidence.sel(side="below", n=40), [-50, -60])
    np.testing.assert_allclose(found.log_evidence.sel(side="above", n=40), [-49, -59.8])
    np.testing.assert_allclose(found.log_evidence.sel(side="between", n=40), [-49.5, -59.9])
    np.testing.assert_allclose(found.standard_error.sel(n=40)[:, 0], [0.3, 0.4, 0.1])


def test_without_both_sides_there_is_none():
    assert not sandwich(tree(smc=group(SMC, [0, -50.0], 0.3, "mean"))).variables


def test_the_table_compares_widths_with_their_errors():
    summaries = xr.DataTree.from_dict(
        {"sandwich": sandwich(both(bridge=group(BRIDGE, [0, -49.5, -61], 0.1, "median")))}
    )
    row = table(summaries, PAPER).iloc[0]
    assert (row["n"], row["draws"], row["bridge trusted"]) == (40, 2, 2)
    assert row["median difference (nats)"] == row["median distance (nats)"] == pytest.approx(0.6)
    assert row["interval has 0 (%)"] == 50  # 1.0 is beyond 1.96 times .5, .2 is not
    assert row["bridge from the middle, median (nats)"] == pytest.approx(0.55)
    assert row["bridge, middle (%)"] == 50
    assert row["bridge, lower (%)"] == 50  # .5 is within 1.96 times .32, 1 is not
    assert row["bridge, upper (%)"] == 50  # .5 is within 1.96 times .41, 1.2 is not
    assert row["doubted (%)"] == 0


@pytest.mark.parametrize(("below", "above", "covered"), [(np.inf, np.inf, 0), (2.0, 2.0, 100), (2.0, np.inf, 0)])
def test_intervals_are_those_of_errors_from_few_passes(below, above, covered):
    """1.1 nats apart with errors of .3 and .4: 2.2 errors.

    Allowed are 2.9 with two degrees of freedom each, and 2.13 with two of the smaller error alone, which make 15.
    """
    groups = {
        "smc": group(SMC, [0, -50.0], 0.3, "mean"), "smc_from_truth": group(SMC, [0, -48.9], 0.4, "mean", from_truth=1)
    }  # fmt: skip
    for name, freedom in zip(groups, (below, above), strict=True):
        groups[name][f"{SMC}_degrees_of_freedom"] = xr.full_like(groups[name][SMC], freedom).drop_attrs()
    row = table(xr.DataTree.from_dict({"sandwich": sandwich(tree(**groups))}), PAPER).iloc[0]
    assert row["interval has 0 (%)"] == covered
    assert np.isnan(row["bridge, middle (%)"])


def test_the_middle_has_half_of_the_error_of_the_sum():
    """Errors of .3 and .4 make .25 of the middle, so a bridge without an error is 2.4 errors from it at .6 nats."""
    row = table(
        xr.DataTree.from_dict({"sandwich": sandwich(both(bridge=group(BRIDGE, [0, -48.9, -59.3], 1e-6, "median")))}),
        PAPER,
    ).iloc[0]
    assert row["bridge from the middle, median (nats)"] == pytest.approx(0.6)
    assert row["bridge, middle (%)"] == 0


def test_a_side_that_is_doubted_is_not_held_to_its_error():
    bridge = group(BRIDGE, [0, -49.5, -61], 0.1, "median")
    above = group(SMC, [0, -49.0, -59.8], 0.4, "mean", from_truth=1, doubt=np.array([0, 1, 0]).reshape(3, 1, 1, 1))
    groups = {"smc": group(SMC, [0, -50.0, -60.0], 0.3, "mean"), "smc_from_truth": above, "bridge": bridge}
    row = table(xr.DataTree.from_dict({"sandwich": sandwich(tree(**groups))}), PAPER).iloc[0]
    assert row["doubted (%)"] == 50
    assert row["median distance, all (nats)"] == pytest.approx(0.6)
    assert row["median distance (nats)"] == row["95th percentile (nats)"] == pytest.approx(0.2)
    assert row["interval has 0 (%)"] == 100  # of the other draw
    assert row["bridge trusted"] == 1
    assert row["bridge from the middle, median (nats)"] == pytest.approx(1.1)
    assert row["bridge, upper (%)"] == 0
    assert row["bridge, lower (%)"] == 50


def test_doubts_are_counted_and_a_doubted_bridge_is_left_out():
    bridge = group(BRIDGE, [0, -49.5, -59.9], 0.1, "median", doubt=int(Doubt.NOT_MIXED))
    row = table(xr.DataTree.from_dict({"sandwich": sandwich(both(bridge=bridge))}), PAPER).iloc[0]
    assert row["bridge trusted"] == 0
    assert np.isnan(row["bridge, middle (%)"])
