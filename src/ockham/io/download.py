"""Files of public archives, downloaded once or read from the folder that ``OCKHAM_DATA`` names."""

import os
from pathlib import Path

from ockham.errors import DataError

__all__ = ["MAX_CELL", "UCI", "archive_cells", "archive_file", "remedy"]

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"


MAX_CELL = 1000
"""Characters of a cell; an array of text takes as many for each."""


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
    if not url.startswith("https://"):
        raise DataError(
            f"{url}: only https addresses are fetched; put the file into a folder and set OCKHAM_DATA to it"
        )
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

    There is a row, and all are equally long.

    Raises
    ------
    DataError
        When a file cannot be had or read, or is no such table.
    """
    rows = []
    for url in urls:
        file = archive_file(url)
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise DataError(
                f"{file}: cannot be read ({error.strerror}); put {url} there, or unset OCKHAM_DATA to have it "
                "downloaded"
            ) from error
        except UnicodeDecodeError as error:
            raise DataError(f"{file}: not text in UTF-8 ({error}); {remedy(url)}") from error
        rows += [[cell.strip() for cell in line.split(",")] for line in lines if line.strip()]
    if len({len(row) for row in rows}) != 1:
        raise DataError(f"{file}: has no rows, or rows differ in length; {remedy(*urls)}")
    if max(len(cell) for row in rows for cell in row) > MAX_CELL:
        raise DataError(f"{file}: has a cell of more than {MAX_CELL} characters; {remedy(*urls)}")
    return rows


def remedy(*urls: str) -> str:
    """What to do about files whose content is wrong."""
    return f"remove it from {os.environ.get('OCKHAM_DATA', 'the cache')} and fetch {', '.join(urls)} again"
