"""Claim: Ctrl-C ends the wait for work at once, and then the work; results and errors of work are the caller's.

Jobs run as many at a time as there may be, and none is waited for when time is up. Truth: what each was told to do.
"""

import signal
import threading
import time

import pytest

from ockham.estimation.interrupting import Job, interruptible, work


def test_ctrl_c_is_raised_while_the_work_is_deaf_to_it():
    begun, stop = threading.Event(), threading.Event()

    def deaf():
        begun.set()
        stop.wait()  # as a kernel does

    def press():
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(deaf)
    assert not stop.is_set()
    stop.set()


def test_the_work_ends_when_nobody_waits_for_it():
    begun, ended = threading.Event(), threading.Event()

    def endless():
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
        interruptible(endless, look)
    assert ended.wait(60)


def test_work_that_lost_the_first_request_to_stop_ends_by_the_next():
    begun, lost, ended = threading.Event(), threading.Event(), threading.Event()

    def forgetful():
        try:
            while True:
                try:
                    begun.set()
                    time.sleep(0.001)
                except BaseException:
                    if lost.is_set():
                        raise
                    lost.set()
        finally:
            ended.set()

    def look():
        begun.wait()
        raise TimeoutError

    with pytest.raises(TimeoutError):
        interruptible(forgetful, look)
    assert ended.wait(60)
    assert lost.is_set()


def test_results_and_errors_are_the_callers():
    assert interruptible(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


def jobs(functions, ended):
    """What hands out one function after another, and notes how each ended."""
    waiting = list(functions)

    def next_job(left):
        if not waiting:
            return None
        run = waiting.pop(0)
        return Job(run, lambda value, error, seconds: ended.append((value, error)))

    return next_job


@pytest.mark.parametrize("n_threads", [1, 3])
def test_all_are_run_and_told_how_they_ended(n_threads):
    ended, error = [], ValueError("no")

    def fails():
        raise error

    work(jobs([lambda: 1, fails, lambda: 2], ended), 60, n_threads)
    assert sorted(ended, key=str) == sorted([(1, None), (None, error), (2, None)], key=str)


def test_one_thread_keeps_the_order_and_several_overlap():
    ended, meeting = [], threading.Barrier(2, timeout=60)
    work(jobs([lambda k=k: k for k in range(5)], ended), 60)
    assert [value for value, _ in ended] == [0, 1, 2, 3, 4]
    work(jobs([meeting.wait] * 2, ended), 60, 2)  # each waits for the other
    assert all(error is None for _, error in ended)


def test_what_has_not_ended_in_time_is_left_and_ends_by_itself():
    ended, left = [], threading.Event()

    def endless():
        try:
            while True:
                time.sleep(0.001)
        finally:
            left.set()

    with pytest.raises(TimeoutError):
        work(jobs([lambda: 1, endless], ended), 0.2, 2)
    assert ended == [(1, None)]
    assert left.wait(60)


def test_ctrl_c_is_heard_while_jobs_run():
    ended, stop = [], threading.Event()

    def press():
        signal.raise_signal(signal.SIGINT)
        stop.wait()

    with pytest.raises(KeyboardInterrupt):
        work(jobs([press], ended), 3600)
    stop.set()
    assert ended == []


def test_an_error_of_the_caller_is_raised():
    def done(value, error, seconds):
        raise ZeroDivisionError

    given = iter([Job(lambda: 1, done)])
    with pytest.raises(ZeroDivisionError):
        work(lambda left: next(given, None), 60)


def test_the_time_that_is_left_is_told():
    lefts, told = [], []

    def next_job(left):
        lefts.append(left)
        return Job(lambda: None, lambda *_: None) if len(lefts) < 3 else None

    work(next_job, 60, tell=told.append)
    assert lefts == sorted(lefts, reverse=True)
    assert 0 < lefts[-1] <= lefts[0] <= 60
    assert told == sorted(told)
