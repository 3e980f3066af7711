"""A packed file of an archive is unpacked as far as is allowed, or refused; the source of truth is gzip."""

import gzip

import pytest

from ockham.errors import DataError
from ockham.io import download

URL = "https://example.org/net.bif.gz"


@pytest.fixture
def fetched(tmp_path, monkeypatch):
    monkeypatch.delenv("OCKHAM_DATA", raising=False)
    monkeypatch.setattr("pooch.retrieve", lambda url, **_: str(tmp_path / url.rpartition("/")[2]))
    return tmp_path / "net.bif.gz"


def test_what_is_packed_is_unpacked(fetched):
    fetched.write_bytes(gzip.compress(b"network", mtime=0))
    assert download.archive_file(URL).read_bytes() == b"network"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (gzip.compress(bytes(10**7 + 1), mtime=0), "has more than 10,000,000 bytes"),
        (b"network", "cannot be read .Not a gzipped file"),
        (gzip.compress(b"network" * 100, mtime=0)[:-20], "cannot be read .Compressed file ended"),
        (gzip.compress(b"network" * 100, mtime=0)[:20] + bytes(50), "cannot be read"),
    ],
)
def test_what_cannot_be_unpacked_is_refused(fetched, content, problem):
    fetched.write_bytes(content)
    with pytest.raises(DataError, match=rf"net\.bif\.gz: {problem}.*https://example.org/net.bif.gz"):
        download.archive_file(URL)
    assert not fetched.with_suffix("").exists()


def test_bytes_are_compared_but_for_the_white_space_of_text(fetched, monkeypatch):
    fetched.write_bytes(gzip.compress(b"a b\r\n", mtime=0))
    digest = "fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603"  # of b"ab"
    monkeypatch.setattr(download, "DIGESTS", {"net.bif": digest})
    assert download.archive_file(URL).name == "net.bif"
    fetched.write_bytes(gzip.compress(b"a,b\n", mtime=0))
    with pytest.raises(DataError, match=r"net\.bif: does not hold the expected bytes"):
        download.archive_file(URL)
