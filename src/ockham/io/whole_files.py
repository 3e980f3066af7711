"""Files written whole: under a temporary name, onto the disk, and then renamed, so none is ever seen half-written.

And sealed: a digest at a file's end tells whether it still holds what was written.
"""

import hashlib
import mmap
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ockham.errors import StoreError

__all__ = ["check_seal", "mentions", "replacing_file", "seal"]

SEAL = "\nsha256 {}\n"
SEAL_LENGTH = len(SEAL.format("0" * 64))


@contextmanager
def replacing_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside a file, for its new content, which takes the file's name when it is complete.

    What a writer of the same file left is removed if it was a process of this host, and is gone.

    Raises
    ------
    StoreError
        When the file cannot be written, such as on a full disk; what was there before stays.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{platform.node()}-{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_remains(path)
        temporary.touch()  # says what is wrong more truly than the libraries that write to it
        yield temporary
        with open(temporary, "r+b") as file:  # Windows does not sync what is open for reading alone
            os.fsync(file.fileno())  # else a crash of the machine may leave the new name with nothing in it
        os.replace(temporary, path)
    except (OSError, RuntimeError) as error:  # the netCDF library raises both
        raise StoreError(f"{path}: cannot be written ({error}); make room, or choose another place") from error
    finally:
        with suppress(OSError):  # on a read-only disk even the removal of nothing fails
            temporary.unlink(missing_ok=True)


def seal(path: str | Path) -> None:
    """Add a digest of a file to its end, where the netCDF library does not look."""
    with open(path, "r+b") as file:
        file.write(_seal(file, os.fstat(file.fileno()).st_size))


def check_seal(path: str | Path) -> None:
    """Read a file and compare it with its seal.

    Raises
    ------
    ValueError
        When the file has no seal, or one that does not match its content.
    OSError
        When it cannot be read.
    """
    with open(path, "rb") as file:
        expected = _seal(file, max(os.fstat(file.fileno()).st_size - SEAL_LENGTH, 0))
        found = file.read()
    if not re.fullmatch(SEAL.format("[0-9a-f]{64}").encode(), found):
        raise ValueError("no digest at its end")
    if found != expected:
        raise ValueError("damaged: the digest at its end does not match its content")


def mentions(path: Path, specification: str) -> bool:
    """Whether a specification stands in a file's bytes, as it does in every store of it, for attributes are not packed.

    It is asked of every store whenever the workflow is read, so it must be fast, and end whatever the file is.
    """
    if not path.stat().st_size:
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(specification.encode()) >= 0


def _seal(file: BinaryIO, size: int) -> bytes:
    """The seal of the next bytes of a file, so many, which are read."""
    digest = hashlib.sha256()
    while part := file.read(min(size, 2**20)):
        digest.update(part)
        size -= len(part)
    return SEAL.format(digest.hexdigest()).encode()


def _remove_remains(path: Path) -> None:
    left = re.compile(rf"\.{re.escape(path.name)}\.{re.escape(platform.node())}-(\d+)\.tmp")
    for file in path.parent.iterdir():
        if (found := left.fullmatch(file.name)) and not _is_alive(int(found[1])):
            file.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    """Whether there is a process of this number on this host, whoever's it is, as far as the system tells."""
    if os.name != "posix":
        return True  # there the signal 0 is that of Ctrl-C
    try:
        os.kill(process, 0)  # only asks
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # another user's
    with suppress(OSError):  # on Linux: one that has ended stays until its parent notices
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True
