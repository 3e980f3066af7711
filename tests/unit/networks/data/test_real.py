"""Real data sets: what is parsed, and what is refused. The files are no part of the project, so small ones stand in."""

import hashlib
import os

import numpy as np
import pytest

from ockham.errors import DataError
from ockham.networks.data import real

TEXT = "1,a,x,?\n0,b,x,q\n 1,a,x,p \n\n"
STATES = [[1, 0, -1], [0, 1, 1], [1, 0, 0]]


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A data set of three cases and four attributes, one of them constant, in the folder that OCKHAM_DATA names."""
    (tmp_path / "small.data").write_text(TEXT)
    states = np.array(STATES, dtype="<i2")
    digest = hashlib.sha256(np.array(states.shape, dtype="<i8").tobytes() + states.tobytes()).hexdigest()
    small = real.DataSet(("folder/small.data",), slice(0, 4), 3, [2, 2, 2], digest)
    monkeypatch.setitem(real.DATA_SETS, "small", small)
    monkeypatch.setenv("OCKHAM_DATA", str(tmp_path))
    return small


def test_values_are_counted_and_constant_attributes_left_out(small):
    assert real.read("small").tolist() == STATES


@pytest.mark.parametrize("text", [TEXT.replace("q", "?"), TEXT.replace("0,b,x,q\n", ""), TEXT.replace("1,a", "0,a", 1)])
def test_other_content_is_refused(small, tmp_path, text):
    (tmp_path / "small.data").write_text(text)
    with pytest.raises(
        DataError, match=r"small: the files do not hold the expected values.*fetch folder/small\.data again"
    ):
        real.read("small")


def test_ragged_and_absent_files_are_refused(small, tmp_path):
    (tmp_path / "small.data").write_text(TEXT + "1,a\n")
    with pytest.raises(DataError, match="rows differ in length"):
        real.read("small")
    (tmp_path / "small.data").unlink()
    with pytest.raises(DataError, match=r"small\.data: cannot be read .*unset OCKHAM_DATA to have it downloaded"):
        real.read("small")


def test_a_failed_download_says_what_to_do(small, monkeypatch):
    monkeypatch.delenv("OCKHAM_DATA")
    monkeypatch.setattr("pooch.retrieve", lambda *_, **__: (_ for _ in ()).throw(OSError("no network")))
    with pytest.raises(DataError, match=r"small\.data: cannot be downloaded \(no network\); .*OCKHAM_DATA"):
        real.read("small")


def test_a_download_is_read_from_the_cache(small, monkeypatch, tmp_path):
    monkeypatch.delenv("OCKHAM_DATA")
    monkeypatch.setattr("pooch.retrieve", lambda url, **_: str(tmp_path / url.rpartition("/")[2]))
    assert real.read("small").tolist() == STATES


@pytest.mark.skipif("OCKHAM_DATA" not in os.environ, reason="OCKHAM_DATA does not name a folder of the archive's files")
@pytest.mark.parametrize("name", real.DATA_SETS)
def test_the_data_sets_are_what_the_archive_has(name):
    data_set = real.DATA_SETS[name]
    states = real.read(name)
    assert states.shape == (data_set.n, len(data_set.cardinalities))
    assert (states.max(axis=0) + 1).tolist() == data_set.cardinalities
    assert (states == -1).sum() == {"small_soybean": 0, "audiology": 317, "lung_cancer": 5}[name]
