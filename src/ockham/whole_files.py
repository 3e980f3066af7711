"""Files written whole: under a temporary name, onto the disk, and then renamed, so none is ever seen half-written."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ockham.errors import StoreError

__all__ = ["replacing_file"]


@contextmanager
def replacing_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside a file, for its new content, which takes the file's name when it is complete.

    What a killed writer of the same file left is removed.

    Raises
    ------
    StoreError
        When the file cannot be written, such as on a full disk; what was there before stays.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.uname().nodename}-{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_remains(path)
        temporary.touch()  # says what is wrong more truly than the libraries that write to it
        yield temporary
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())  # else a crash of the machine may leave the new name with nothing in it
        os.replace(temporary, path)
    except (OSError, RuntimeError) as error:  # the netCDF library raises both
        raise StoreError(f"{path}: cannot be written ({error}); make room, or choose a place that can") from error
    finally:
        with suppress(OSError):  # on a read-only disk even the removal of nothing fails
            temporary.unlink(missing_ok=True)


def _remove_remains(path: Path) -> None:
    left = re.compile(rf"\.{re.escape(path.name)}\..+-\d+\.tmp")
    for file in path.parent.iterdir():
        if left.fullmatch(file.name):
            file.unlink(missing_ok=True)
