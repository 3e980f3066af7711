"""BLAS with one thread, as in a job of the workflow: with more it adds in another order, and last bits differ."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock
from typing import Any

from threadpoolctl import ThreadpoolController

__all__ = ["one_blas_thread"]

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What a BLAS reads when it is loaded."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context in which each BLAS has one thread: those that are loaded, and one that is loaded meanwhile.

    Threads of a process share it: the first to enter sets the limits, and the last to leave lifts them.
    """
    SHARED.enter()
    try:
        yield
    finally:
        SHARED.leave()


class _Shared:
    """The limits of a process, and how many have entered."""

    def __init__(self) -> None:
        self.lock, self.inside, self.limits = Lock(), 0, ExitStack()

    def enter(self) -> None:
        with self.lock:
            if not self.inside:
                self.limits.enter_context(_limited())
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside:
                self.limits.close()


SHARED = _Shared()


@contextmanager
def _limited() -> Iterator[None]:
    """SciPy brings a BLAS of its own, which is loaded where it is first needed.

    After it, that one has as many threads as those that were there.
    """
    given = {name: os.environ.get(name) for name in VARIABLES}
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    before = {library.filepath: library.num_threads for library in _libraries()}
    for library in _libraries():
        _limit(library, 1)
    try:
        yield
    finally:
        most = max(before.values(), default=1)
        for library in _libraries():
            _limit(library, before.get(library.filepath, most))
        for name, value in given.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _limit(library: Any, n_threads: int) -> None:
    """From version 3.8 on threadpoolctl heeds one thread only, the first to ask, until it is told to forget which."""
    forget = getattr(library, "clear_controlling_thread", lambda force: None)
    forget(force=True)
    library.set_num_threads(n_threads)
    forget(force=True)


def _libraries() -> list[Any]:
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)
