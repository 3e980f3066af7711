"""BLAS with one thread, as in a job of the workflow: with more it adds in another order, and last bits differ."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import ThreadpoolController

__all__ = ["one_blas_thread"]

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What a BLAS reads when it is loaded."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context in which each BLAS has one thread: those that are loaded, and one that is loaded meanwhile.

    SciPy brings one of its own, which is loaded where it is first needed. After it, that one has as many threads as
    those that were there.
    """
    given = {name: os.environ.get(name) for name in VARIABLES}
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    there = ThreadpoolController().select(user_api="blas")
    limits = there.limit(limits=1)
    try:
        yield
    finally:
        limits.restore_original_limits()
        before = {library.filepath: library.num_threads for library in there.lib_controllers}
        for library in ThreadpoolController().select(user_api="blas").lib_controllers:
            if library.filepath not in before:
                library.set_num_threads(max(before.values(), default=1))
        for name, value in given.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
