"""The clock of benchmarks/job.py counts CPU time of what it wraps, whatever else the machine does.

Source of truth: clocks that go on by hand.
"""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[3] / "benchmarks/job.py"


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
