"""Networks in BIF are read as the format's definition says, and bit for bit as pyAgrum 3.3 reads them.

Sources of truth: tables written down by hand; the digest of ALARM's tables as pyAgrum read them.
"""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from bad_input.support import BIF_FORMS, BIF_HEAD

from ockham.io.bif import read_bif

OF_C = np.array([[0.0, 1.0], [0.125, 0.875], [0.25, 0.75], [0.375, 0.625], [0.5, 0.5], [0.75, 0.25]])
"""By the states of b, slowest, and a."""


@pytest.mark.parametrize("form", BIF_FORMS)
def test_what_a_file_means(form, tmp_path):
    path = tmp_path / "small.bif"
    path.write_text(BIF_HEAD + "probability ( c | a, b ) {" + BIF_FORMS[form] + "}")
    network = read_bif(path)
    assert network.names == ("a", "b", "c")
    assert network.values == (("<5", ">=5"), ("x/y", "z z", "12+"), ("no", "yes"))
    assert network.parents == ((), (), (1, 0))
    for table, expected in zip(network.tables, ([[0.25, 0.75]], [[0.5, 0.25, 0.25]], OF_C), strict=True):
        np.testing.assert_array_equal(table, expected)


@pytest.mark.skipif("OCKHAM_DATA" not in os.environ, reason="OCKHAM_DATA does not name a folder of the archives' files")
def test_the_tables_of_alarm_are_those_that_pyagrum_reads():
    tables = read_bif(Path(os.environ["OCKHAM_DATA"], "alarm.bif")).tables
    entries = np.concatenate([table.ravel() for table in tables]).astype("<f8")
    assert hashlib.sha256(entries.tobytes()).hexdigest() == (
        "387ecb35129394947165bb2ade82b00c0fb987cedbcdacf0c1048ac3d618bbe8"
    )
