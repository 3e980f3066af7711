"""What Snakemake itself costs: for the graph of so many jobs, and for every job that it runs.

    python benchmarks/snakemake_overhead.py [jobs ...]
    python benchmarks/snakemake_overhead.py start

Half of the jobs are draws and half are scores, through the project's own rules. The graph is that of a dry run. Up to
5,000 jobs are run too: a shell script that only makes its output stands in for ``ockham``, and the same script under
``xargs`` is the floor. Last, the whole study of Beal & Ghahramani with ten times its prior draws: a dry run, which
prints every job, and the time until the first job is done.

``start`` has one start alone, that of a dry run of one file of the studies that are published, in turns with that of a
workflow of one empty rule, which no workflow can start faster than.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

REPOSITORY = Path(__file__).parents[1]
STUDY = {
    "study": "many",
    "root_seed": 1,
    "structures": {"space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2, 2]},
    "only": ["1-1"],
    "true_structure": "1-1",
    "sizes": [10],
    "scorers": {"em": {}},
}
STAND_IN = """#!/bin/sh
for word; do test "$before" = --output && : > "$word"; before=$word; done
"""
CALL = re.compile(r"""\s+\+ interpreter[^\n]*\n\s+\+ ' -P -m ockham\.cli (.*)""")
"""How the rules call ``ockham``: all but its arguments."""
SNAKEMAKE = (sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "all")
JOBS_ALONE = ("--until", "score")
RUN_AT_MOST = 5000
EMPTY = "rule nothing:\n    output:\n        'file',\n"
TURNS = 7


def folder_of(study, path, script=STAND_IN):
    """Make a folder with the workflow and a study, in which a script stands in for ``ockham``."""
    shutil.copy(REPOSITORY / "Snakefile", path)
    for name in ("workflow", "profiles"):
        shutil.copytree(REPOSITORY / name, path / name)
    settings = yaml.safe_load((REPOSITORY / "config/workflow.yaml").read_text())
    (path / "config").mkdir()
    (path / "config/workflow.yaml").write_text(yaml.safe_dump(settings | {"studies": [study["study"]]}))
    (path / f"config/{study['study']}.yaml").write_text(yaml.safe_dump(study))
    (path / "ockham").write_text(script)
    (path / "ockham").chmod(0o755)
    rules = path / "workflow/rules/common.smk"
    text, n = CALL.subn(rf" + ' {path}/ockham \1", rules.read_text())
    if n != 1:
        sys.exit(f"{rules}: does not call ockham as {CALL.pattern} finds it")
    rules.write_text(text)


def graph(path, *arguments):
    """Wall and CPU seconds, and megabytes, of building the graph."""
    with (path / "graph.log").open("w") as log:
        began = time.perf_counter()
        process = subprocess.Popen((*SNAKEMAKE, "--dry-run", *arguments), cwd=path, stdout=log, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
    if status:
        sys.exit((path / "graph.log").read_text())
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def milliseconds_per_job(path):
    """Wall time of an empty job, from the first that is done to the end, and Snakemake's own CPU time of it."""
    with (path / "run.log").open("w") as log:
        process = subprocess.Popen((*SNAKEMAKE, *JOBS_ALONE), cwd=path, stdout=log, stderr=log)
    began = None
    while (cpu := own_cpu_seconds(process.pid)) is not None:
        if began is None and (before := done(path)):
            began, cpu_before = time.perf_counter(), cpu
        last_cpu = cpu
        time.sleep(0.2)
    if process.wait() or began is None:
        sys.exit((path / "run.log").read_text())
    jobs = done(path) - before
    return 1000 * (time.perf_counter() - began) / jobs, 1000 * (last_cpu - cpu_before) / jobs


def first_job(path):
    """Wall and CPU seconds until the first job is done, and megabytes of the process, which is then killed."""
    with (path / "run.log").open("w") as log:
        began = time.perf_counter()
        process = subprocess.Popen(SNAKEMAKE, cwd=path, stdout=log, stderr=log)
        while not done(path):
            if process.poll() is not None:
                sys.exit((path / "run.log").read_text())
            time.sleep(0.02)
        seconds, cpu_seconds = time.perf_counter() - began, own_cpu_seconds(process.pid)
    process.kill()
    _, _, usage = os.wait4(process.pid, 0)
    return seconds, cpu_seconds, usage.ru_maxrss / 1024


def done(path):
    return sum(1 for pattern in ("data/*.nc", "scores/*/*.nc") for _ in path.glob(f"results/*/{pattern}"))


def own_cpu_seconds(number):
    """CPU seconds of a process without its children; nothing when it has ended."""
    state, *fields = Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2].split()
    return None if state == "Z" else sum(map(int, fields[10:12])) / os.sysconf("SC_CLK_TCK")


def floor(path, jobs=500):
    """Wall milliseconds of the same empty job under xargs, two at a time."""
    words = "\n".join(f"--output {path}/empty" for _ in range(jobs))
    began = time.perf_counter()
    subprocess.run(("xargs", "-L", "1", "-P", "2", path / "ockham"), input=words, text=True, check=True)
    return 1000 * (time.perf_counter() - began) / jobs


def start():
    """CPU seconds of a start beside that of a workflow of one empty rule; the median of turns, and of their ratios."""
    study = yaml.safe_load((REPOSITORY / "config/beal_ghahramani_2006.yaml").read_text())
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as ours:
        Path(empty, "Snakefile").write_text(EMPTY)
        folder_of(study, Path(ours))
        shutil.copytree(REPOSITORY / "config", Path(ours, "config"), dirs_exist_ok=True)
        target = f"results/{study['study']}/data/replicate-007.nc"
        turns = [(graph(Path(empty))[1], graph(Path(ours), "--", target)[1]) for _ in range(TURNS + 1)][1:]
    least, own = (statistics.median(seconds) for seconds in zip(*turns, strict=True))
    ratio = statistics.median(ours / empty for empty, ours in turns)
    print(f"one start: {own:.2f} CPU seconds; of a workflow of one empty rule {least:.2f}, ratio {ratio:.2f}")


def main(sizes):
    print("   jobs  graph: s  CPU s    MB  run: ms/job  CPU ms/job  xargs: ms/job  ratio")
    for jobs in sizes:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name)
            folder_of(STUDY | {"replicates": {"prior_draws": jobs // 2}}, path)
            seconds, cpu_seconds, megabytes = graph(path, *JOBS_ALONE)
            print(f"{jobs:7d} {seconds:9.1f} {cpu_seconds:6.1f} {megabytes:5.0f}", end="", flush=True)
            if jobs <= RUN_AT_MOST:
                wall, cpu = milliseconds_per_job(path)
                bare = floor(path)
                print(f" {wall:12.1f} {cpu:11.1f} {bare:14.2f} {wall / bare:6.1f}", end="")
            print(flush=True)
    study = yaml.safe_load((REPOSITORY / "config/beal_ghahramani_2006.yaml").read_text())
    with tempfile.TemporaryDirectory() as name:
        folder_of(study | {"replicates": {"published": True, "prior_draws": 1060}}, Path(name))
        dry = graph(Path(name))
        first = first_job(Path(name))
    print(f"{study['study']} with 1,060 prior draws: seconds, CPU seconds, megabytes")
    for what, (seconds, cpu_seconds, megabytes) in {"dry run": dry, "until the first job is done": first}.items():
        print(f"{what:>28} {seconds:6.1f} {cpu_seconds:6.1f} {megabytes:6.0f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["start"]:
        start()
    else:
        main([int(word) for word in sys.argv[1:]] or [500, 5000, 50000])
