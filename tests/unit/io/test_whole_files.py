"""A file is either as it was or complete, and tells when it was changed: each claim against the folder's content."""

import fcntl
import hashlib
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ockham.errors import StoreError
from ockham.io.whole_files import SEAL_LENGTH, _is_alive, check_seal, replacing_file, seal


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


def test_a_file_is_written_where_the_system_has_no_uname_and_syncs_only_what_may_be_written(tmp_path, monkeypatch):
    """As on Windows."""
    modes = []
    monkeypatch.delattr(os, "uname")
    monkeypatch.setattr(os, "fsync", lambda number: modes.append(fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE))
    write(tmp_path / "file.txt")
    assert (tmp_path / "file.txt").read_text() == "new"
    assert modes == [os.O_RDWR]


@pytest.fixture
def gone():
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_no_process_is_asked_whether_it_is_alive_where_that_would_end_it(monkeypatch, gone):
    with monkeypatch.context() as patch:
        patch.setattr(os, "kill", None)
        patch.setattr(os, "name", "nt")
        alive = _is_alive(gone)
    assert alive
    assert not _is_alive(gone)


def test_the_remains_of_a_writer_that_is_gone_are_removed_and_nothing_else(tmp_path, gone):
    host = os.uname().nodename
    others = {
        f".other.nc.{host}-{gone}.tmp",
        f"file.nc.{host}-{gone}.tmp",
        ".file.nc.123",
        f".file_nc.{host}-{gone}.tmp",
    }
    live = {f".file.nc.{host}-{os.getppid()}.tmp", f".file.nc.{host}-1.tmp"}
    elsewhere = {f".file.nc.other-{gone}.tmp", f".file.nc.{host}x-{gone}.tmp", f".file.nc.x{host}-{gone}.tmp"}
    for name in {f".file.nc.{host}-{gone}.tmp", f".file.nc.{host}-{'9' * 30}.tmp"} | others | live | elsewhere:
        (tmp_path / name).write_text("half")
    write(tmp_path / "file.nc")
    assert {path.name for path in tmp_path.iterdir()} == {"file.nc"} | others | live | elsewhere


def test_a_writer_that_ended_and_whose_parent_has_not_noticed_is_gone(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        (tmp_path / f".file.nc.{os.uname().nodename}-{process.pid}.tmp").touch()
        write(tmp_path / "file.nc")
    assert [path.name for path in tmp_path.iterdir()] == ["file.nc"]


def test_two_processes_that_write_one_file_leave_each_other_alone(tmp_path):
    """One is stopped in the middle of its writing while this one writes the same file, and completes it after that."""
    path = tmp_path / "file.nc"
    code = """if True:
        import sys
        from ockham.io.whole_files import replacing_file
        with replacing_file(sys.argv[1]) as temporary:
            temporary.write_text("theirs")
            print("writing", flush=True)
            sys.stdin.readline()
    """
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "writing\n"
        write(path, "ours")
        assert path.read_text() == "ours"
        other.communicate("go on\n")
    assert other.returncode == 0
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


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


@settings(max_examples=200)
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
