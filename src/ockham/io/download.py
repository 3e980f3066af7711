"""Files of public archives, downloaded once or read from the folder that ``OCKHAM_DATA`` names."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ockham.errors import DataError
from ockham.io.extras import naming_extras
from ockham.io.whole_files import replacing_file

__all__ = ["MAX_CELL", "UCI", "archive_cells", "archive_file", "remedy"]

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
MAX_CELL = 1000
"""Characters of a cell."""
MAX_BYTES = 10_000_000
"""Of a file of an archive, unpacked."""
DIGESTS = {
    "20news_w100.mat": "6667c5459e22eb544a854bff1443edaaea71735cf1af7b12cc5d986e74af7064",
    "agaricus-lepiota.data": "4abedd46a8fc08886ff34da13084b329196f4bffee50cfe3cf28ff26603b0d9b",
    "alarm.bif": "bc7a79b60519efe381b9063906a0d4ae07ffa1628dcfd61302b1742d758178be",
    "audiology.standardized.data": "11c0434f6afe9d3dc861c4d3b945d1aa4823178868a87d0b6b6975c11cb22b86",
    "audiology.standardized.test": "08994dc4f34ac02401ee39c50f62598fe1ab9ec8fc59a185f47567f5e3914865",
    "lung-cancer.data": "d3da326f2b2e3d7d70ec1097ccd7ac0de47c4d32abe33ee2a8148051d113ed6d",
    "promoters.data": "4924054360b619c7cea893ab1c8b2808041b2b29a7e106a35a6bed94b73dc14d",
    "soybean-small.data": "ae6e8bddb5000238563a66220b86daf476cecb25192e9ebfe194ffd2bfaac1db",
}
"""SHA-256 of the bytes of files; of text, of those that are no white space, in which copies of one archive differ."""


def archive_file(url: str) -> Path:
    """Where a file of an archive is on this machine, unpacked where it ends in .gz; its bytes are those expected.

    Raises
    ------
    DataError
        When it cannot be had, or is another file.
    """
    name = Path(url).name
    folder = os.environ.get("OCKHAM_DATA")
    file = Path(folder, name.removesuffix(".gz")) if folder else _downloaded(url, name)
    content = _content(file, file.open, url)
    kept = content if file.suffix == ".mat" else b"".join(content.split())
    if hashlib.sha256(kept).hexdigest() != DIGESTS.get(file.name, hashlib.sha256(kept).hexdigest()):
        raise DataError(f"{file}: does not hold the expected bytes; {remedy(url)}")
    return file


@naming_extras()
def _downloaded(url: str, name: str) -> Path:
    if not url.startswith("https://"):
        raise DataError(
            f"{url}: only https addresses are fetched; put the file into a folder and set OCKHAM_DATA to it"
        )
    import pooch  # only a download needs it

    try:
        file = Path(pooch.retrieve(url, known_hash=None, path=pooch.os_cache("ockham"), fname=name))
    except Exception as error:
        raise DataError(
            f"{url}: cannot be downloaded ({error}); fetch it where there is a network and name its folder in "
            "OCKHAM_DATA"
        ) from error
    if file.suffix != ".gz":
        return file
    content = _content(file, partial(gzip.open, file), url)
    with replacing_file(file.with_suffix("")) as temporary:
        temporary.write_bytes(content)
    return file.with_suffix("")


def _content(file: Path, opened: Callable[..., Any], url: str) -> bytes:
    """The bytes of a file, no more than are allowed."""
    try:
        with opened("rb") as stream:
            content: bytes = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(
            f"{file}: cannot be read ({getattr(error, 'strerror', None) or error}); put {url} there, or unset "
            "OCKHAM_DATA to have it downloaded"
        ) from error
    if len(content) > MAX_BYTES:
        raise DataError(f"{file}: has more than {MAX_BYTES:,} bytes; {remedy(url)}")
    return content


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
