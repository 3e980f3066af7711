"""Work in threads of its own, so that Ctrl-C and a deadline are heard while a kernel computes."""

import ctypes
import threading
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any, NamedTuple, TypeVar

__all__ = ["Job", "JobLeft", "interruptible", "work"]

POLL = 0.05
"""Seconds between looks at the clock."""
AGAIN = 1.0
"""Seconds after which a thread that goes on is asked to stop once more."""
Found = TypeVar("Found")


class Job(NamedTuple):
    """What to run, and what to do with it.

    Attributes
    ----------
    run : callable
        In a thread of its own.
    done : callable
        Takes what it returned, what it raised, if anything, and the seconds that it took; in the caller's thread.
    limit : float
        Seconds after which it is left alone, which ``done`` is told by a ``JobLeft``.
    """

    run: Callable[[], Any]
    done: Callable[[Any, BaseException | None, float], None]
    limit: float = inf


class JobLeft(Exception):
    """In place of what a job would have returned, which took longer than it may."""


class _Stopped(BaseException):
    """Raised in a thread that nobody waits for any more."""


def work(
    next_job: Callable[[float], Job | None],
    seconds: float,
    n_threads: int = 1,
    tell: Callable[[float], None] = lambda elapsed: None,
) -> None:
    """Run one job after another, as many at a time as there are threads, until there is none, or time is up.

    Parameters
    ----------
    next_job : callable
        Takes the seconds that are left, and returns a job, or None where there is nothing to begin now. It is asked
        again when a job has ended.
    seconds : float
        Of wall time; jobs that have not ended by then are left alone, and end when Python next has a say in them.
    n_threads : int
    tell : callable
        Is told the seconds so far.

    Raises
    ------
    TimeoutError, KeyboardInterrupt
        When jobs had to be left.
    """
    begun, running = monotonic(), list[_Running]()
    try:
        while True:
            while len(running) < n_threads and (job := next_job(begun + seconds - monotonic())) is not None:
                running.append(_Running(job))
            if not running:
                return
            tell(min(monotonic() - begun, seconds))
            running[0].thread.join(POLL)
            ended = [each for each in running if not each.thread.is_alive()]
            running = [each for each in running if each not in ended]
            for each in ended:
                each.job.done(*each.outcome)
            for each in [each for each in running if each.seconds > each.job.limit]:
                running.remove(each)
                each.leave()
                each.job.done(None, JobLeft(), each.seconds)
            if running and monotonic() - begun > seconds:
                raise TimeoutError
    except BaseException:
        for each in running:
            each.leave()
        raise


def interruptible(run: Callable[[], Found], look: Callable[[], None] = lambda: None) -> Found:
    """What a function returns or raises.

    ``look`` is called now and then while it is at work. What that raises, and a KeyboardInterrupt, is raised at once;
    the function is left alone then, and ends where a kernel next returns to Python.
    """
    found: list[Found] = []

    def done(value: Found, error: BaseException | None, seconds: float) -> None:
        if error is not None:
            raise error
        found.append(value)

    jobs = iter([Job(run, done)])
    work(lambda left: next(jobs, None), inf, tell=lambda elapsed: look())
    return found[0]


class _Running:
    """A job in its thread."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.outcome: tuple[Any, BaseException | None, float] = None, None, 0.0
        self.begun = monotonic()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        begun = monotonic()
        try:
            self.outcome = self.job.run(), None, monotonic() - begun
        except _Stopped:
            pass
        except BaseException as error:  # whatever it is, it is the caller's
            self.outcome = None, error, monotonic() - begun

    @property
    def seconds(self) -> float:
        """Since it began."""
        return monotonic() - self.begun

    def leave(self) -> None:
        """Have the thread end, without waiting for it."""
        threading.Thread(target=self._stop, daemon=True).start()

    def _stop(self) -> None:
        # Asked again until it has ended: what is raised in a destructor or a callback of the garbage collector is lost.
        while self.thread.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.thread.ident or 0), ctypes.py_object(_Stopped)
            )
            self.thread.join(AGAIN)
