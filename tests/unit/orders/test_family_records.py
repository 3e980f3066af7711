"""Family scores survive a file, and a file that is damaged or of other data is refused."""

import numpy as np
import pytest
import xarray as xr
from reference.stored_studies import edited

from ockham.errors import StoreError
from ockham.orders.data.structure_data import StructureData
from ockham.orders.family_records import read_family_scores, write_family_scores
from ockham.orders.inference.family_scores import bdeu_scores

DATA = StructureData(
    ("a", "b", "c"), (("no", "yes"), ("0", "1", "2"), ("x", "y")), np.array([[0, 1, 1], [1, 2, 0], [1, 1, 1]], np.int16)
)
SCORES = bdeu_scores(DATA, 2, 1.5)
SPECIFICATION = "data, settings and code"


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "family_scores.nc"
    write_family_scores(path, SCORES, SPECIFICATION, 1.5)
    return path


def test_what_is_read_is_what_was_written(store):
    found = read_family_scores(store, SPECIFICATION)
    assert (found.names, found.cardinalities, found.max_indegree) == (DATA.names, DATA.cardinalities, 2)
    assert found.log_scores.tobytes() == SCORES.log_scores.tobytes()


def test_xarray_reads_it_with_labels_and_units(store):
    with xr.open_dataset(store) as found:
        assert found.log_score.sel(node="b", parent_set=0b10) == SCORES.log_scores[1, 2]
        assert found.log_score.units == "nats"
        assert found.attrs["equivalent_sample_size"] == 1.5
        assert found.attrs["ockham_version"]


def test_a_file_of_other_data_is_refused(store):
    with pytest.raises(StoreError, match=r"family_scores\.nc: attribute specification: .* compute it again"):
        read_family_scores(store, "other data, settings or code")


@pytest.mark.parametrize("damage", ["truncated", "foreign", "absent"])
def test_a_damaged_file_is_refused(store, damage):
    if damage == "truncated":
        store.write_bytes(store.read_bytes()[:2000])
    elif damage == "foreign":
        store.write_text("a,b\n1,2\n")
    else:
        store.unlink()
    with pytest.raises(StoreError, match="not a readable netCDF file"):
        read_family_scores(store, SPECIFICATION)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("log_score", np.nan, "NaN"),
        ("parent_set", 9, "in another order"),
    ],
)
def test_other_content_is_refused(store, variable, value, message):
    with edited(store) as file:
        file[variable][..., 1] = value
    with pytest.raises(StoreError, match=message):
        read_family_scores(store, SPECIFICATION)
