"""Files of public archives, downloaded once or read from the folder that ``OCKHAM_DATA`` names."""

import os
from pathlib import Path

from ockham.errors import DataError

__all__ = ["UCI", "archive_cells", "archive_file", "remedy"]

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"


def archive_file(url: str) -> Path:
    """Where a file of an archive is on this machine, unpacked where it ends in .gz.

    Raises
    ------
    DataError
        When it cannot be had.
    """
    name = Path(url).name
    folder = os.environ.get("OCKHAM_DATA")
    if folder:
        return Path(folder, name.removesuffix(".gz"))
    import pooch  # only a download needs it

    unpack = pooch.Decompress(name=name.removesuffix(".gz")) if name.endswith(".gz") else None
    try:
        return Path(
            pooch.retrieve(url, known_hash=None, path=pooch.os_cache("ockham"), fname=name, processor=unpack)
        )  # the parsed content is checked, not the bytes
    except Exception as error:
        raise DataError(
            f"{url}: cannot be downloaded ({error}); fetch it where there is a network and name its folder in "
            "OCKHAM_DATA"
        ) from error


def archive_cells(*urls: str) -> list[list[str]]:
    """The cells of tables without a head, values between commas; the rows of the files follow each other.

    Raises
    ------
    DataError
        When a file cannot be had or read.
    """
    lines = []
    for url in urls:
        file = archive_file(url)
        try:
            lines += file.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise DataError(
                f"{file}: cannot be read ({error.strerror}); put {url} there, or unset OCKHAM_DATA to have it "
                "downloaded"
            ) from error
    return [[cell.strip() for cell in line.split(",")] for line in lines if line.strip()]


def remedy(*urls: str) -> str:
    """What to do about files whose content is wrong."""
    return f"remove it from {os.environ.get('OCKHAM_DATA', 'the cache')} and fetch {', '.join(urls)} again"
