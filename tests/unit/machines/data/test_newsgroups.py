"""Documents of 20 Newsgroups: what is parsed and what is refused. A small file stands in for that of the archive."""

import hashlib

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from ockham.errors import DataError
from ockham.io import download
from ockham.machines.data import newsgroups

DOCUMENTS = np.array([[0, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0]], dtype=np.uint8)


def write(folder, documents):
    content = {"documents": scipy.sparse.csc_matrix(documents.T)}
    scipy.io.savemat(folder / "20news_w100.mat", content)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write(tmp_path, DOCUMENTS)
    content = np.array(DOCUMENTS.shape, dtype="<i8").tobytes() + DOCUMENTS.tobytes()
    monkeypatch.setattr(download, "DIGESTS", {})
    monkeypatch.setattr(newsgroups, "DIGEST", hashlib.sha256(content).hexdigest())
    monkeypatch.setenv("OCKHAM_DATA", str(tmp_path))
    return tmp_path


def test_words_come_most_frequent_first_and_ties_in_their_order(folder):
    np.testing.assert_array_equal(newsgroups.read(3), DOCUMENTS[:, [1, 0, 2]])
    np.testing.assert_array_equal(newsgroups.read(1), DOCUMENTS[:, [1]])


def test_other_content_is_refused(folder):
    write(folder, 1 - DOCUMENTS)
    with pytest.raises(DataError, match=r"20news_w100\.mat: does not hold the expected values.*fetch https"):
        newsgroups.read(3)


@pytest.mark.parametrize("content", [b"", b"no MATLAB file", b"\x00" * 200])
def test_a_damaged_file_is_refused(folder, content):
    (folder / "20news_w100.mat").write_bytes(content)
    with pytest.raises(DataError, match=r"20news_w100\.mat: not a MATLAB file"):
        newsgroups.read(3)


def test_a_file_without_documents_is_refused(folder):
    scipy.io.savemat(folder / "20news_w100.mat", {"words": np.ones(3)})
    with pytest.raises(DataError, match="not a MATLAB file of documents"):
        newsgroups.read(3)


def test_other_bytes_are_refused_before_any_library_reads_them(folder, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setenv("OCKHAM_DATA", str(folder))
    monkeypatch.setattr(scipy.io, "loadmat", lambda *_, **__: pytest.fail("read"))
    for content, problem in (
        (b"\n", "does not hold the expected bytes"),
        (bytes(10**7 + 1), "more than 10,000,000 bytes"),
    ):
        (folder / "20news_w100.mat").write_bytes(content)
        with pytest.raises(DataError, match=rf"20news_w100\.mat: (has )?{problem}; remove it"):
            newsgroups.read(3)


def test_an_absent_file_is_refused(folder):
    (folder / "20news_w100.mat").unlink()
    with pytest.raises(
        DataError, match=r"20news_w100\.mat: cannot be read \(No such file.*; put https.*unset OCKHAM_DATA"
    ):
        newsgroups.read(3)
