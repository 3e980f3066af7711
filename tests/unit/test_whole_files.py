"""A file is either as it was or complete: the claims of ``ockham.whole_files``, each against the folder's content."""

import pytest

from ockham.errors import StoreError
from ockham.whole_files import replacing_file


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
