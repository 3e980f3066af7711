"""What the study of the paper's remarks shows is what its stores hold: longer fits, other chains, empty classes.

Source of truth: summaries made by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.papers.chickering_heckerman_1997 import PAPER
from ockham.papers.chickering_heckerman_1997.chains import chains
from ockham.papers.chickering_heckerman_1997.empty_classes import empty_classes
from ockham.papers.chickering_heckerman_1997.longer_fits import longer_fits
from ockham.papers.chickering_heckerman_1997.selections import SCORES
from ockham.papers.claims.stored import read_stored

CLASSES = [1, 2, 3, 4]
FITS = [score for _, score in SCORES.values()]


def scores(*of):
    """Summaries of one condition, two data sets and one size: an estimate, a role and other values than the default."""
    shape = len(of), 1, 2, 1, len(CLASSES)
    values = {
        "log_evidence": np.full(shape, -100.0), "run_range": np.ones(shape), "n_unused": np.zeros(shape),
        "effective_sample_size": np.full(shape, 300.0), "n_runs": np.full(shape, 4.0),
    }  # fmt: skip
    selected = np.ones(shape[:-1])
    for place, (_, _, other) in enumerate(of):
        for name, value in other.items():
            (selected if name == "selected" else values[name])[place, 0] = value
    dims = ("score", "alias_correction", "replicate", "n")
    estimates, roles = [estimate for estimate, _, _ in of], [role for _, role, _ in of]
    coordinates = {
        "score": [estimate + role for estimate, role, _ in of], "alias_correction": ["log_aliases"],
        "replicate": [1, 2], "n": [50], "structure": [f"classes-{k}" for k in CLASSES],
        "estimate": ("score", estimates), "role": ("score", roles),
    }  # fmt: skip
    stored = {name: ((*dims, "structure"), value) for name, value in values.items() if name == "log_evidence"}
    plain = ("score", "replicate", "n", "structure")
    stored |= {name: (plain, value[:, 0]) for name, value in values.items() if name != "log_evidence"}
    data = xr.Dataset(
        stored | {"selected": (dims, selected), "n_hidden_configurations": ("structure", CLASSES)}, coordinates
    )
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": "other_32"}), "other_32": data})


def declared(name, table):
    about = read_stored(PAPER).tables[name]
    return set(table.columns) == {*about.rows, *about.columns}


def test_longer_fits_are_apart_by_parts_of_a_million_of_the_score():
    """The second data set's Laplace is .01 of 100 nats higher at three classes, and selects three in place of two."""
    higher = np.array([[[0.0, 0, 0, 0]], [[0, 0, 0.01, 0]]]) - 100
    higher[0, 0, 0] = -50.0  # nothing is fitted to one class
    longer = {"log_evidence": higher, "selected": [[1], [2]]}
    of = [(score, "", {}) for score in FITS] + [(score, "longer_fit", {}) for score in FITS[1:]]
    table = longer_fits(scores(*of, ("laplace", "longer_fit", longer)), PAPER)
    assert declared("longer_fits", table)
    assert table[["condition", "n", "data set"]].values.tolist() == [["other_32", 50, 1], ["other_32", 50, 2]]
    assert table[["Laplace", "Laplace classes"]].values.tolist() == [[0, 0], [100, 1]]
    assert table[["BIC ML", "BIC ML classes"]].values.tolist() == [[0, 0], [0, 0]]


def test_the_noise_of_each_chain_and_the_sweeps_that_count():
    """Over models of two and more classes, one in six of which has less with 800; sizes are of four runs."""
    roles = ("", "short_chain", "long_selection", "uniform_start", "map_point")
    ranges = np.array([9.0, 1, 2, 3])
    of = [("candidate", role, {"run_range": ranges * (i + 1)}) for i, role in enumerate(roles)]
    of[2][2]["run_range"] = np.array([[[0.0, 6, 1, 6]], [[0, 6, 6, 6]]])
    of[4][2]["effective_sample_size"] = [400.0, 4, 6, 8]
    table = chains(scores(*of), PAPER)
    assert declared("chains", table)
    assert table.values.tolist() == [["other_32", 50, 2, 4, 6, 8, 10, 16.7, 75, 1.5]]


def test_empty_classes_are_counted_by_how_many_classes_are_too_many():
    """Candidate selects two classes of the first data set and one of the second."""
    unused = np.array([[[0.0, 0, 1, 2]], [[0, 0, 2, 0]]])
    of = [("candidate", "", {"selected": [[1], [0]]}), ("laplace", "", {"n_unused": unused})]
    table = empty_classes(scores(*of), PAPER)
    assert declared("empty_classes", table)
    rows = [["other_32", 50, 1, 2, 50, 0], ["other_32", 50, 2, 2, 100, 100], ["other_32", 50, 3, 1, 0, 0]]
    assert table.values.tolist() == rows


@pytest.mark.parametrize("table", [longer_fits, chains])
def test_other_conditions_have_no_such_rows(table):
    assert len(table(scores(("candidate", "", {})), PAPER)) == 0
