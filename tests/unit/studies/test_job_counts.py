"""Claim: what the job that computed cells cost stays known when a later job finds them all computed.

Truth: benchmark files written by hand, and clocks that stand still.
"""

import os
from types import SimpleNamespace

import pytest

from ockham.studies import job_counts
from ockham.studies.costs import job_cost
from ockham.studies.job_counts import write_count

ENDED = 1_000_000.0


@pytest.fixture
def clock(monkeypatch):
    """CPU seconds in user and system mode, of this process and of those that it started, and wall time."""
    times = []
    monkeypatch.setattr(job_counts, "os", SimpleNamespace(times=lambda: tuple(times)))
    return times


@pytest.fixture
def benchmark(tmp_path, clock):
    return tmp_path / "replicate-001.tsv"


def run(benchmark, clock, seconds, n_computed):
    """One job as the workflow runs it: the count is written by the job, the benchmark when it has ended.

    Snakemake has not seen all of its CPU time.
    """
    clock[:] = [seconds / 2, seconds / 4, seconds / 8, seconds / 8, 10**6]
    write_count(benchmark.with_suffix(".cells"), n_computed)
    benchmark.write_text(f"s\tmax_rss\tcpu_time\n{seconds}\t70.5\t{seconds / 3}\n")
    os.utime(benchmark, (ENDED + seconds, ENDED + seconds))


def told(benchmark):
    cost = job_cost(benchmark)
    return cost["computed"], cost["cpu_time"], cost["ended"] - ENDED


def test_the_last_job_that_computed_cells_tells(benchmark, clock):
    run(benchmark, clock, 30.0, 8)
    assert told(benchmark) == (8, 30.0, 30.0)
    for _ in range(2):
        run(benchmark, clock, 1.0, 0)
        assert told(benchmark) == (8, 30.0, 30.0)
    run(benchmark, clock, 12.0, 3)
    assert told(benchmark) == (3, 12.0, 12.0)
    run(benchmark, clock, 1.0, 0)
    assert told(benchmark) == (3, 12.0, 12.0)


def test_a_job_that_was_killed_before_its_benchmark_leaves_no_cost_of_another(benchmark, clock):
    """Its cells are there, and the next job computes none: what they cost is not known, and not what the first did."""
    run(benchmark, clock, 30.0, 100)
    write_count(benchmark.with_suffix(".cells"), 20)
    run(benchmark, clock, 1.0, 0)
    assert told(benchmark) == (0, 1.0, 1.0)


def test_a_job_that_never_computed_a_cell_tells_of_itself(benchmark, clock):
    run(benchmark, clock, 1.0, 0)
    run(benchmark, clock, 2.0, 0)
    assert told(benchmark) == (0, 2.0, 2.0)
