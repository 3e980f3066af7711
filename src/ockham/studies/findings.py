"""What a verification of results found."""

from typing import NamedTuple

import numpy as np

__all__ = ["Finding", "same_bits"]


class Finding(NamedTuple):
    """A line of a verification: what was looked at, and whether something is wrong with it."""

    wrong: bool
    text: str


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are of one type and shape and hold the same bits, those of NaN too."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
