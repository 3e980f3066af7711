"""The 20 Newsgroups data set with 100 words, from its archive or from the folder that ``OCKHAM_DATA`` names."""

import hashlib

import numpy as np

from ockham.errors import DataError
from ockham.io.download import archive_file, remedy
from ockham.io.extras import check_importable

__all__ = ["N_DOCUMENTS", "N_WORDS", "read"]

URL = "https://cs.nyu.edu/~roweis/data/20news_w100.mat"
N_DOCUMENTS, N_WORDS = 16_242, 100
DIGEST = "04479c3285c31df43ef55ece2e3517883569c955332a4abf854e169abe1cbbba"
"""SHA-256 of the parsed content, not of the bytes."""


def read(n_words: int) -> np.ndarray:
    """Whether each document has each of the most frequent words, most frequent first; uint8, (n_documents, n_words).

    Raises
    ------
    DataError
        When the file cannot be had or does not hold what it should.
    ConfigError
        Without SciPy, which reads it.
    """
    check_importable("scipy")
    file = archive_file(URL)
    from scipy.io import loadmat  # of an extra, and slow to import

    try:
        documents = np.ascontiguousarray(loadmat(file, spmatrix=False)["documents"].toarray().T, dtype=np.uint8)
    except Exception as error:  # a damaged file raises whatever its first wrong byte leads to
        raise DataError(f"{file}: not a MATLAB file of documents ({error}); {remedy(URL)}") from error
    if hashlib.sha256(np.array(documents.shape, "<i8").tobytes() + documents.tobytes()).hexdigest() != DIGEST:
        raise DataError(f"{file}: does not hold the expected values; {remedy(URL)}")
    most_frequent = np.argsort(-documents.sum(axis=0, dtype=np.int64), kind="stable")
    return documents[:, most_frequent[:n_words]]
