"""Whether the model of ``cores.py`` holds: draws and scores of a study that sleep as long as it says they take.

    python benchmarks/sleeping.py <study> <cores>[:<scale>] ...

Sleeping takes no core, so Snakemake runs as many at once as it would on a machine of so many cores, through the
project's own rules. Times are multiplied by the scale, so that few cores need not take hours. From the start of the
first job to the end of the last, in Snakemake's own records.
"""

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import yaml
from cores import in_any_order, jobs_of, reordered, start_of, wall
from snakemake_overhead import REPOSITORY, folder_of

STAND_IN = """#!/bin/sh
for word; do test "$before" = --output && output=$word; before=$word; done
read -r seconds < "$0.seconds/$output"
sleep "$seconds"
: > "$output"
"""


def slept(study, jobs, cores):
    """Seconds from the first start to the last end of jobs that sleep."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        folder_of(yaml.safe_load((REPOSITORY / f"config/{study}.yaml").read_text()), path, STAND_IN)
        for job in jobs:
            file = path / "ockham.seconds/results" / job.output
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{job.seconds}\n")
        command = (sys.executable, "-m", "snakemake", "--cores", str(cores), "--quiet", "all", "--until", "score")
        subprocess.run(command, cwd=path, check=True, capture_output=True)
        records = [json.loads(file.read_text()) for file in path.glob(".snakemake/metadata/**/*") if file.is_file()]
    return max(record["endtime"] for record in records) - min(record["starttime"] for record in records)


def main(study, *sizes):
    jobs, _ = jobs_of([study])
    jobs = reordered(jobs, [i for i, job in enumerate(jobs) if job.output])
    print(f"{study}: {len(jobs)} draws and scores, {sum(job.seconds for job in jobs):.0f} s")
    print("   cores  scale  asleep  model  ratio")
    for size in sizes:
        cores, _, scale = size.partition(":")
        scaled = [replace(job, seconds=job.seconds * float(scale or 1)) for job in jobs]
        asleep, start = slept(study, scaled, int(cores)), start_of(scaled)
        model = in_any_order(lambda some, cores=int(cores), start=start: wall(some, cores, start), scaled)
        print(f"{cores:>8} {scale or 1:>6} {asleep:7.1f} {model:6.1f} {asleep / model:6.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
