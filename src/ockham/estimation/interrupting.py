"""Work in a thread of its own, so that Ctrl-C and a deadline are heard while a kernel computes."""

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["interruptible"]

POLL = 0.05
"""Seconds between looks."""
Found = TypeVar("Found")


class _Stopped(BaseException):
    """Raised in a thread that nobody waits for any more."""


def interruptible(work: Callable[[], Found], look: Callable[[], None] = lambda: None) -> Found:
    """What ``work`` returns or raises.

    ``look`` is called now and then while it is at work. What that raises, and a KeyboardInterrupt, is raised at once;
    the work is left alone then, and ends where a kernel next returns to Python.
    """
    found: list[Found] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except _Stopped:
            pass
        except BaseException as error:  # whatever it is, it is the caller's
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        thread.join(POLL)
        while thread.is_alive():
            look()
            thread.join(POLL)
    except BaseException:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Stopped))
        raise
    if raised:
        raise raised[0]
    return found[0]
