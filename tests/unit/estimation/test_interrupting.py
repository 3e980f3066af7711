"""Claim: Ctrl-C ends the wait for work at once, and then the work; results and errors of work are the caller's.

Truth: work that would wait for ever. ``test_certifying`` has the same of deadlines.
"""

import signal
import threading
import time

import pytest

from ockham.estimation.interrupting import interruptible


def test_ctrl_c_is_raised_while_the_work_is_deaf_to_it():
    begun, stop = threading.Event(), threading.Event()

    def work():
        begun.set()
        stop.wait()  # as a kernel does

    def press():
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    assert not stop.is_set()
    stop.set()


def test_the_work_ends_when_nobody_waits_for_it():
    begun, ended = threading.Event(), threading.Event()

    def work():
        try:
            while True:
                begun.set()
                time.sleep(0.001)
        finally:
            ended.set()

    def look():
        begun.wait()
        raise TimeoutError

    with pytest.raises(TimeoutError):
        interruptible(work, look)
    assert ended.wait(60)


def test_results_and_errors_are_the_callers():
    assert interruptible(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
