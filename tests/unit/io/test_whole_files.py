"""A file is either as it was or complete, and tells when it was changed: each claim against the folder's content."""

import hashlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ockham.errors import StoreError
from ockham.io.whole_files import SEAL_LENGTH, check_seal, replacing_file, seal


def write(path, content="new"):
    with replacing_file(path) as temporary:
        temporary.write_text(content)


def test_a_file_takes_its_name_when_it_is_complete(tmp_path):
    path = tmp_path / "folder/file.txt"
    with replacing_file(path) as temporary:
        temporary.write_text("half")
        assert not path.exists()
        assert temporary.parent == path.parent  # a rename across disks would copy
    assert path.read_text() == "half"
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_write_leaves_what_was_there(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(TypeError), replacing_file(path) as temporary:
        temporary.write_text(1)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "old"


def test_what_cannot_be_written_is_an_error_that_says_so():
    with pytest.raises(StoreError, match=r"/dev/full/file: cannot be written .*; make room, or choose"):
        write("/dev/full/file")


def test_the_remains_of_a_killed_writer_are_removed_and_nothing_else(tmp_path):
    others = {".other.nc.node-123.tmp", "file.nc.node-123.tmp", ".file.nc.123", ".file_nc.node-123.tmp"}
    for name in {".file.nc.node-123.tmp", ".file.nc.a.b-4.tmp"} | others:
        (tmp_path / name).write_text("half")
    write(tmp_path / "file.nc")
    assert {path.name for path in tmp_path.iterdir()} == {"file.nc"} | others


@pytest.fixture
def sealed(tmp_path):
    """A file of more than one part of those that are read at once, and its content before it was sealed."""
    path, content = tmp_path / "file", bytes(range(256)) * 5000
    path.write_bytes(content)
    seal(path)
    return path, content


@pytest.mark.parametrize("content", [b"", b"one", bytes(2**20), bytes(2**20 + 1)])
def test_a_seal_is_the_digest_of_what_is_before_it(content, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    seal(path)
    assert path.read_bytes() == content + b"\nsha256 " + hashlib.sha256(content).hexdigest().encode() + b"\n"
    check_seal(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(position=st.floats(0, 1, exclude_max=True), change=st.integers(1, 255))
def test_a_change_of_any_byte_breaks_the_seal(position, change, sealed):
    path, content = sealed
    whole = path.read_bytes()
    size = len(content) if position < 0.5 else SEAL_LENGTH  # half of the changes are in the seal
    index = int(2 * position % 1 * size) + (0 if position < 0.5 else len(content))
    path.write_bytes(whole[:index] + bytes([whole[index] ^ change]) + whole[index + 1 :])
    with pytest.raises(ValueError, match=r"damaged: the digest|no digest at its end"):
        check_seal(path)
    path.write_bytes(whole)
    check_seal(path)


@pytest.mark.parametrize(
    "change", [lambda x: x[1:], lambda x: x[:-1], lambda x: x + b"\n", lambda x: x[:50], lambda x: b""]
)
def test_what_is_cut_or_longer_has_no_sound_seal(change, sealed):
    path, _ = sealed
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=r"damaged: the digest|no digest at its end"):
        check_seal(path)
