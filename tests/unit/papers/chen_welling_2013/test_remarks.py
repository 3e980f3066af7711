"""What the paper's text remarks on is in tables: given steps, draws' worth, stopped fits, and ln Z.

Source of truth: values by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.contracts import Doubt
from ockham.papers.chen_welling_2013 import PAPER
from ockham.papers.chen_welling_2013.cells import STANDARD
from ockham.papers.chen_welling_2013.remarks import annealed_partition, draws_worth, given_steps, single_fits
from ockham.papers.claims.stored import read_stored

OVER = ("score", "replicate", "n", "structure")
DRAWN = ("harmonic_1", "harmonic_4", "bridge_geometric", "bridge_optimal", "dic")


def tree(about, **variables):
    """One condition of machines with three units, ten rows and two instances; ``about`` has estimate, entry, role."""
    estimates, entries, roles = zip(*about, strict=True)
    shape = (len(about), 2, 1, 1)
    filled = {name: (OVER, np.broadcast_to(np.reshape(v, (len(v), -1, 1, 1)), shape)) for name, v in variables.items()}
    data = xr.Dataset(
        {"doubt": (OVER, np.zeros(shape, np.uint8))} | filled,
        {
            "score": [STANDARD if e == STANDARD else f"{e}_{label}" for e, label, _ in about],
            "estimate": ("score", list(estimates)), "entry": ("score", list(entries)), "role": ("score", list(roles)),
            "replicate": [1, 2], "n": [10], "structure": ["hidden-03"], "n_hidden": ("structure", [3]),
        },
    )  # fmt: skip
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": "one"}), "one": data})


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


@pytest.fixture
def chains():
    """AIS of -20, exact Laplace of -21, and scores of two steps."""
    about = [(STANDARD, "ais", ""), ("laplace", "laplace_exact", "exact_fit")]
    about += [(name, entry, "given_step") for entry in ("step_04", "step_08") for name in DRAWN]
    doubt = np.zeros(12, np.uint8)
    doubt[2] = Doubt.NOT_MIXED
    return tree(
        about,
        log_evidence=[-20.0, -21.0, *(-19.0 - k for k in range(10))],
        doubt=doubt,
        scale_reduction=[np.nan, np.nan, *[1.5] * 5, *[1.04] * 5],
        effective_sample_size=np.arange(12) + 0.25,
    )


def test_given_steps(chains):
    table = given_steps(chains, PAPER)
    assert set(table.columns) == declared("given_steps")
    assert table.values.tolist() == [
        ["one", 1, 10, 3, "step_04", 1.5, "1.00 ?", "0.00", "-1.00", "-2.00", "-3.00", "-1.00"],
        ["one", 1, 10, 3, "step_08", 1.04, "-4.00", "-5.00", "-6.00", "-7.00", "-8.00", "-1.00"],
    ]


def test_draws_worth(chains):
    table = draws_worth(chains, PAPER)
    assert set(table.columns) == declared("draws_worth")
    assert table[["Harmonic-1", "Bridge-Geo", "Bridge-Opt"]].values.tolist() == [
        [2.25, 4.25, 5.25],
        [7.25, 9.25, 10.25],
    ]


def test_only_fits_that_were_stopped_count_as_such():
    about = [("map", "fits", "single_fit"), ("laplace", "fits", "single_fit"), ("map", "more", "single_fit")]
    doubt = [[Doubt.NOT_CONVERGED, Doubt.NOT_CONVERGED | Doubt.NOT_A_MODE], [255, 255], [0, Doubt.NOT_CONVERGED]]
    evidence = [[-1.0, -1.0], [-1.0, -1.0], [-1.0, np.nan]]
    degenerate, doubt = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 1.0]]), np.array(doubt, np.uint8)
    table = single_fits(tree(about, doubt=doubt, log_evidence=np.array(evidence), degenerate=degenerate), PAPER)
    assert set(table.columns) == declared("single_fits")
    assert table.values.tolist() == [["one", 10, 3, 3, 66.7, 66.7, 33.3]]


def test_ln_z_is_what_the_log_likelihood_lacks_for_each_row():
    about = [("map", "exact", "exact_fit"), ("map", "temperatures_100", "annealed_partition")]
    table = annealed_partition(tree(about, log_evidence=[-30.0, -30.5]), PAPER)
    assert set(table.columns) == declared("annealed_partition")
    assert table.values.tolist() == [["one", 1, 10, 3, "temperatures_100", 0.05, -0.5]]
