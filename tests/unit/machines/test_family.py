"""What the family of machines says of its structures and jobs; test_settings.py has its draws.

Source of truth: numbers set by hand.
"""

from math import log

import numpy as np
import pytest

import ockham
from ockham.contracts import Draw
from ockham.errors import DataError
from ockham.machines.family import FAMILY
from ockham.studies.grids import study_class

STUDY = study_class(FAMILY)(
    study="tiny", root_seed=1, n_hidden=[1, 2], sizes=[2, 4], replicates={"prior_draws": 1},
    data={"source": "simulated", "n_visible": 3, "n_hidden": 2}, scorers={"laplace": {}},
)  # fmt: skip


def test_machines_have_their_parameters_aliases_and_hidden_units():
    """Hidden units can be permuted; turned over, they would have other biases, and so another prior density."""
    found = FAMILY.of_scores(STUDY, STUDY.sizes, [])
    assert found["n_parameters"].values == [3 + 3 + 1, 6 + 3 + 2]
    np.testing.assert_allclose(found["log_aliases"].values, [0, log(2)], atol=1e-15)
    assert found["n_hidden"].values == [1, 2]


def test_a_size_is_the_first_rows_and_errors_name_the_replicate():
    states = np.array([[0, 1, 0], [0, 1, 0], [1, 1, 1], [2, 0, 0]], dtype=np.int16)
    draw = Draw(7, np.empty(0), states)
    first = FAMILY.prepare(STUDY, draw, 2)
    assert (first.rows.astype(int).tolist(), first.counts.tolist()) == ([[0, 1, 0]], [2])
    with pytest.raises(DataError, match="replicate 7: row 3, column 0 holds 2"):
        FAMILY.prepare(STUDY, draw, 4)


@pytest.mark.parametrize("read", [str, ockham.read_table], ids=["path", "table"])
def test_what_is_no_array_of_zeros_and_ones_is_refused_with_what_to_give(read, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n0,1\n1,0\n")
    with pytest.raises(DataError, match=r"the data: .*t.*; give one, such as what pandas.read_csv returns"):
        FAMILY.read(ockham.RestrictedBoltzmann(2, 1), read(path))
