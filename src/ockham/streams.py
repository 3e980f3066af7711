"""Named independent random streams from one root seed.

Every draw in Ockham has a name, a path of words and integers such as ``("data", "beal_ghahramani_2006", 17)``, and its
stream depends on that name and the root seed alone. So it does not matter what else is computed, in which order, or on
how many cores, and a stream is never shared or continued.
"""

import hashlib
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random.bit_generator import ISeedSequence

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

__all__ = ["Stream", "cell_stream"]


class Stream:
    """The place in the tree of names where streams are taken from.

    Parameters
    ----------
    root : int
        The study's root seed, non-negative.
    *name : str or int
        The name so far.
    """

    __slots__ = ("name", "root")

    def __init__(self, root: int, *name: str | int) -> None:
        self.root = root
        self.name = name

    def child(self, *name: str | int) -> "Stream":
        """The stream of a longer name."""
        return Stream(self.root, *self.name, *name)

    def generator(self) -> np.random.Generator:
        """A fresh generator at the start of this stream; the same one at every call.

        State and increment of the PCG64 generator are the SHA-256 of the root seed and the name, in which a word and a
        number cannot be confused.
        """
        name = [part if isinstance(part, str) else index(part) for part in (self.root, *self.name)]
        if not all(isinstance(part, str) or part >= 0 for part in name):
            raise ValueError(f"stream names hold words and non-negative integers, got {name}")
        # NumPy takes any ISeedSequence, but its types name SeedSequence alone.
        seed: Any = _Digest(hashlib.sha256(repr(name).encode()).digest())
        return np.random.Generator(np.random.PCG64(seed))


class _Digest(ISeedSequence):
    """A seed that is a digest already: NumPy's own mixing would cost ten times as much and add nothing."""

    __slots__ = ("words",)

    def __init__(self, digest: bytes) -> None:
        self.words = np.frombuffer(digest, dtype="<u8")

    def generate_state(self, n_words: int, dtype: "DTypeLike" = np.uint32) -> np.ndarray:
        """The four words that PCG64 asks for."""
        if n_words != len(self.words) or dtype != np.uint64:
            raise ValueError(f"a digest seeds four 64-bit words, not {n_words} of {dtype}")
        return self.words


def cell_stream(root: int, study: str, replicate: int, n: int, structure: str, run: int) -> Stream:
    """The stream of one cell: scorers share it, and take from it by the name of what they draw."""
    return Stream(root, "cell", study, replicate, n, structure, run)
