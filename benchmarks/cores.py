"""How long a study takes on more cores, and how many of its scores a Slurm job should take.

    python benchmarks/cores.py <study> [folder]

From the times of its own jobs in the folder where Snakemake ran it: CPU time where there is a benchmark file, else the
seconds that Snakemake recorded. In the simulation jobs begin in the order of their names, each as soon as a core is
free, what it reads is there, and Snakemake, which starts one after another, has come to it. ``lost`` is the share of
the cores' time in which no job runs. A Slurm job is a number of scores one after another on one core; what follows
the scores is one Slurm job, as in the profile.
"""

import heapq
import json
import sys
from base64 import b64decode
from pathlib import Path
from typing import NamedTuple

import pandas as pd

START = 0.009
"""Seconds of Snakemake's thread for a job (``snakemake_overhead.py``)."""
QUEUE = 10.0
"""Seconds that a Slurm job waits before it begins; an assumption."""
IN_GROUP = 2.2
"""CPU seconds of the Snakemake that runs each job within a Slurm job (docs/cluster.md)."""


class Job(NamedTuple):
    name: str
    rule: str
    seconds: float
    after: frozenset  # of names


def jobs_of(study, folder):
    """The jobs of a study that have run, by name."""
    records, makers = {}, {}
    for file in Path(folder, ".snakemake/metadata").rglob("*"):
        record = json.loads(file.read_text()) if file.is_file() else {}
        if f"/{study}/" in (log := "".join(record.get("log") or [])) and record.get("endtime"):
            records[log] = record
            makers[b64decode("".join(file.relative_to(Path(folder, ".snakemake/metadata")).parts)).decode()] = log
    return [
        Job(
            log,
            record["rule"],
            _seconds(record, log, folder),
            frozenset(makers[x] for x in record["input"] if x in makers),
        )
        for log, record in sorted(records.items())
    ]


def _seconds(record, log, folder):
    benchmark = Path(folder, log.replace("/logs/", "/benchmarks/").replace("/score/", "/")).with_suffix(".tsv")
    if benchmark.exists():
        return float(pd.read_csv(benchmark, sep="\t")["cpu_time"].iloc[0])
    return record["endtime"] - record["starttime"]


def wall(jobs, cores, start=START):
    """Seconds until the last of some jobs has ended."""
    waiting = {job.name: set(job.after) for job in jobs}
    readers = {job.name: [] for job in jobs}
    for job in jobs:
        for name in job.after:
            readers[name].append(job.name)
    seconds = {job.name: job.seconds for job in jobs}
    ready = sorted(name for name, after in waiting.items() if not after)
    heapq.heapify(ready)
    running, now, dispatched = [], 0.0, 0.0
    while ready or running:
        while ready and len(running) < cores:
            name = heapq.heappop(ready)
            dispatched = max(dispatched, now) + start
            heapq.heappush(running, (dispatched + seconds[name], name))
        now, name = heapq.heappop(running)
        for reader in readers[name]:
            waiting[reader].discard(name)
            if not waiting[reader]:
                heapq.heappush(ready, reader)
    return now


def grouped(jobs, size):
    """Slurm jobs: so many of the scores each, the draws each alone, and one of all that follows."""
    scores = [job for job in jobs if job.rule == "score"]
    lots = [scores[i : i + size] for i in range(0, len(scores), size)]
    lots += [[job] for job in jobs if job.rule in ("draw", "measure")]
    lots.append([job for job in jobs if job.rule not in ("score", "draw", "measure")])
    lot_of = {job.name: f"{i:05d}" for i, lot in enumerate(lots) for job in lot}
    return [
        Job(f"{i:05d}", "lot", QUEUE + sum(job.seconds + IN_GROUP for job in lot),
            frozenset(lot_of[name] for job in lot for name in job.after) - {f"{i:05d}"})
        for i, lot in enumerate(lots) if lot
    ]  # fmt: skip


def main(study, folder="."):
    jobs = jobs_of(study, folder)
    if not jobs:
        sys.exit(f"{folder}: no job of {study} has run here; first: snakemake --cores 2 {study}")
    total = sum(job.seconds for job in jobs)
    print(f"{study}: {len(jobs)} jobs, {total:.0f} s; the longest takes {max(job.seconds for job in jobs):.0f} s")
    print("   cores  wall s   lost")
    for cores in (1, 2, 4, 8, 16, 32, 64):
        seconds = wall(jobs, cores)
        print(f"{cores:8d} {seconds:7.0f} {1 - total / (cores * seconds):6.0%}")
    print("  Slurm: cores  scores a job  wall s   lost")
    for cores in (64, 1000):
        trials = [(wall(grouped(jobs, size), cores, start=0.0), size) for size in (1, 2, 4, 8, 12, 16, 32, 64)]
        shortest = min(trials)[0]
        seconds, size = max((trial for trial in trials if trial[0] <= 1.1 * shortest), key=lambda trial: trial[1])
        print(f"{cores:14d} {size:13d} {seconds:7.0f} {1 - total / (cores * seconds):6.0%}")
    print("The largest group within a tenth of the shortest time: --group-components scores=<scores a job>.")


if __name__ == "__main__":
    main(*sys.argv[1:])
