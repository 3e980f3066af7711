"""Two files are the same only if everything that the library shows of them is, to the bit.

Source of truth: two files written alike, one of them changed in one place. ``test_forgeries`` has the common changes.
"""

import struct

import netCDF4
import numpy as np
import pytest
from reference.stored_studies import edited

from ockham.errors import UnreadableError
from ockham.io.comparing import differences
from ockham.io.netcdf import replacing


def written(path, size=3, kind="f8"):
    with replacing(path) as file:
        file.study = "tiny"
        file.platform = "here"
        file.createDimension("x", size)
        file.createVariable("values", kind, ("x",), fill_value=False)[:] = [1.0, np.nan, -0.0]
        file.createVariable("name", str, ())[...] = "a"
        below = file.createGroup("below")
        below.createVariable("seconds", "f8", ("x",), fill_value=False)[:] = 1.0
        below["seconds"].units = "s"
    return path


@pytest.fixture
def pair(tmp_path):
    return written(tmp_path / "one.nc"), written(tmp_path / "other.nc")


def test_files_written_alike_are_the_same(pair):
    assert [*differences(*pair)] == []


@pytest.mark.parametrize(
    ("change", "place", "how"),
    [
        (lambda file: file.setncattr("study", "tinx"), "attribute study", "is 'tinx', not 'tiny'"),
        (lambda file: file.delncattr("study"), "attribute study", "is missing"),
        (lambda file: file.createDimension("y", None), "dimension y", "should not be there"),
        (lambda file: file.createVLType("i4", "list"), "type list", "is no store's"),
        (lambda file: file["values"].setncattr("scale_factor", 1.0), "variable values, attribute scale_factor", ""),
        (lambda file: _put(file["values"], 2, 0.0), "variable values", "at (2,) is 0.0, not -0.0; 1 of 3 differ"),
        (lambda file: _put(file["values"], 1, 2.0), "variable values", "at (1,) is 2.0, not nan; 1 of 3 differ"),
        (
            lambda file: _put(file["values"], 1, struct.unpack("<d", b"\1" + b"\0" * 5 + b"\xf8\x7f")[0]),
            "variable values", "at (1,) is nan, not nan; 1 of 3 differ",
        ),
        (lambda file: _put(file["name"], ..., "b"), "variable name", "at () is 'b', not 'a'; 1 of 1 differ"),
        (lambda file: _put(file["below/seconds"], 0, 2.0), "group below, variable seconds", "at (0,) is 2.0, not 1.0"),
        (lambda file: file["below"].setncattr("platform", ""), "group below, attribute platform", "should not be"),
    ],
)  # fmt: skip
def test_one_change_is_named(change, place, how, pair):
    with edited(pair[0]) as file:
        change(file)
    ((found, text),) = differences(*pair)
    assert found == place
    assert text.startswith(how)


def _put(variable, index, value):
    variable[index] = value


def test_size_and_type_are_compared(tmp_path, pair):
    found = dict(differences(written(tmp_path / "short.nc", kind="f4"), pair[1]))
    assert found["variable values"].startswith("is ('float32'")
    found = dict(differences(written(tmp_path / "unlimited.nc", size=None), pair[1]))
    assert found == {"dimension x": "is 3 and unlimited, not 3"}


def test_what_is_exempt_is_not_compared(pair):
    """Attributes of the root alone, and values of times, but not what says that they are times."""
    with edited(pair[0]) as file:
        file.platform = "there"
        file["below/seconds"][0] = 2.0
    assert [*differences(*pair, ("platform",), times=False)] == []
    with edited(pair[0]) as file:
        file["below/seconds"].units = "ms"
    assert [place for place, _ in differences(*pair, ("platform",), times=False)] == [
        "group below, variable seconds, attribute units"
    ]


def test_a_file_that_is_no_store_is_refused(tmp_path, pair):
    path = tmp_path / "foreign.nc"
    netCDF4.Dataset(path, "w").close()
    with pytest.raises(UnreadableError):
        [*differences(path, pair[1])]
