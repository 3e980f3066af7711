"""benchmarks/job.py counts CPU time of what it wraps, whatever else the machine does, and says where the rest goes.

Sources of truth: clocks that go on by hand, and a function that does little but call another.
"""

import cProfile
import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[3] / "benchmarks/job.py"
NUMBERS = range(100_000)  # long beside the end of the profile, which Python 3.12 counts as well


@pytest.fixture
def job():
    found = importlib.util.spec_from_file_location("job_command", FILE)
    command = importlib.util.module_from_spec(found)
    found.loader.exec_module(command)
    return command


def test_waiting_is_not_counted(job, monkeypatch):
    now = {"process_time": 5.0, "perf_counter": 70.0}
    for name in now:
        monkeypatch.setattr(job.time, name, lambda name=name: now[name])

    def kernel(seconds):
        now["process_time"] += seconds
        now["perf_counter"] += seconds + 30.0
        return seconds

    clock = job.Clock()
    timed = clock.wrap(kernel)
    assert timed(2.0) == 2.0
    assert timed(seconds=0.5) == 0.5
    assert clock.seconds == 2.5


def test_time_is_told_by_the_module_that_it_is_spent_in(job):
    """Not by the function, and not with what is called from it."""
    profile = cProfile.Profile()
    profile.runcall(outer)
    found = dict(job.shares(profile))
    assert found["benchmarks/test_job.py"] + found["<built-in method builtins.sum>"] == pytest.approx(1, abs=0.01)
    assert found["<built-in method builtins.sum>"] > 0.5
    assert len(job.shares(profile, 1)) == 1


def outer():
    return [inner() for _ in range(20)]


def inner():
    return sum(NUMBERS)
