"""The lock of the environment: which versions it names, by what digest it is known, and what differs from it."""

import hashlib
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

from ockham.errors import StoreError

__all__ = ["differences", "digests", "locked_versions"]

LINE = re.compile(r"^([\w.-]+==[^\\\n]+?) ?\\?$", re.MULTILINE)


def digests(files: Iterable[str | Path]) -> dict[str, str]:
    """SHA-256 of each file of a lock."""
    try:
        return {Path(file).name: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files}
    except OSError as error:
        raise StoreError(f"{error.filename}: cannot be read ({error.strerror}); take it from the repository") from error


def locked_versions(files: Iterable[str | Path]) -> dict[str, str]:
    """The version that a lock names for each distribution, on this platform and Python."""
    found = {}
    for file in files:
        for line in LINE.findall(Path(file).read_text(encoding="utf-8")):
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate():
                found[requirement.name] = str(requirement.specifier).removeprefix("==")
    return found


def differences(files: Iterable[str | Path]) -> dict[str, str]:
    """The installed version of every distribution that a lock names, where it is another one."""
    found = {}
    for name, locked in locked_versions(files).items():
        try:
            if (installed := version(name)) != locked:
                found[name] = installed
        except PackageNotFoundError:
            continue  # not used here, such as what only tests need
    return found
