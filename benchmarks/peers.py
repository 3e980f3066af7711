"""Ockham beside its peers, in one run: seconds, their ratio, the answer, and its error against the truth.

    python benchmarks/peers.py [--continue | --kept] [fits evidence structures machines, or names of peers]

The peers' packages are pinned in ``benchmarks/peers/``, and installed once into environments under ``build/peers``;
AutoClass is a package of Debian. Both sides work on the same arrays, each in a process of its own with one thread, and
what is counted are the CPU seconds of the work, after imports and compiling. A peer that cannot be installed, fails or
takes more than its limit is a row with the reason. Results are kept in ``build/peers``; with ``--continue`` only those
that are not there are made, with ``--kept`` none.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path

from peers import judging, tasks

FOLDER = Path(__file__).parent / "peers"
CACHE = Path(__file__).parents[1] / "build/peers"
PEERS = {"stepmix": "current", "pgmpy": "current", "pyagrum": "current", "bayespy": "current", "blackjax": "current",
         "pymc": "current", "dynesty": "current", "nautilus-sampler": "current", "harmonic": "current",
         "scikit-learn": "current", "particles": "older", "sumu": "older", "autoclass": "debian"}  # fmt: skip
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
              "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}  # fmt: skip
STARTED = 60.0
"""CPU seconds that a process may take beside its work; its wall time may be twenty times of both."""
OUR_LIMIT = 300.0
CONTINUE, KEPT = "--continue", "--kept"


def environments(names=("current", "older")):
    """Interpreters of the peers' environments, made where they are not there yet, and why a peer is not in its own."""
    missing = {} if shutil.which("autoclass") else {"autoclass": "not installed: apt-get install autoclass"}
    for name in names:
        folder, pins = CACHE / name, FOLDER / f"{name}.txt"
        done, text = folder / "installed.json", pins.read_text(encoding="utf-8")
        if not done.exists() or json.loads(done.read_text())["pins"] != text:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            one_by_one = [peer for peer, of in PEERS.items() if of == name] if install(folder, ["-r", pins]) else []
            errors = {peer: install(folder, [peer, "-c", pins]) for peer in one_by_one}
            done.write_text(json.dumps({"pins": text, "missing": {peer: why for peer, why in errors.items() if why}}))
        missing |= json.loads(done.read_text())["missing"]
    return missing


def install(folder, what):
    """The last line of pip's error, or nothing; builds take what they need from ``build.txt``."""
    old = folder.name == "older"
    building = {"PIP_CONSTRAINT": str(FOLDER / "build.txt"), "CYTHON_FORCE_REGEN": "1"} if old else {}
    found = subprocess.run(
        [folder / "bin/python", "-m", "pip", "install", "--quiet", *what],
        env=os.environ | building, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return last_line(found.stderr) if found.returncode else ""


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else "no message"


def run(interpreter, function, options, problem, limit, paths=()):
    """Seconds and answer of a piece of work, or the reason why there is none; a function is named after its module."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [
            interpreter,
            FOLDER / "work.py",
            *function.split("."),
            json.dumps(options),
            problem,
            answer,
            str(limit),
        ]
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | ONE_THREAD
        if paths:
            environment["PYTHONPATH"] = os.pathsep.join(paths)
        try:
            found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False,
                                   timeout=20 * (limit + STARTED))  # fmt: skip
        except subprocess.TimeoutExpired:
            return {"note": f"hung: {limit:g} CPU s were not used up in twenty times that"}
        if answer.exists():
            return json.loads(answer.read_text())
        if found.returncode in (-24, -9):  # SIGXCPU
            return {"seconds": limit, "note": f"not done after {limit:g} CPU s"}
        return {"note": last_line(found.stderr)}


def theirs(task, problem, missing):
    """What a peer returned, or why it did not."""
    if task.peer in missing:
        return {"note": missing[task.peer]}
    where = PEERS[task.peer]
    interpreter = sys.executable if where == "debian" else CACHE / where / "bin/python"
    return run(interpreter, task.theirs[0], task.theirs[1], problem, task.limit)


class Kept:
    """Results by what they depend on, in files: made again once in a run, or only where there is none, or never."""

    def __init__(self, folder, how):
        self.folder, self.how, self.made = folder, how, set()
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, work, table, *names, sources):
        """What work on a table returned, with the load of the machine then; sources are modules that it rests on."""
        texts = [(FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in (*sources, "problems", "likelihood")]
        key = hashlib.sha256(repr((table, *names, *texts)).encode()).hexdigest()[:16]
        path = self.folder / f"{key}.json"
        if self.how == KEPT and not path.exists():
            return {"note": "not run"}
        if not path.exists() or (not self.how and key not in self.made):
            load = os.getloadavg()[0]
            path.write_text(json.dumps(work() | {"load": load}))
        self.made.add(key)
        return json.loads(path.read_text())


@cache
def version_of(peer):
    """As it is pinned, or as Debian has it."""
    if PEERS[peer] == "debian":
        query = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", peer], capture_output=True, text=True, check=False
        )
        return query.stdout.partition("-")[0]
    pins = (FOLDER / f"{PEERS[peer]}.txt").read_text().splitlines()
    return next(line.partition("==")[2] for line in pins if line.startswith(f"{peer}=="))


def main(names, how):
    chosen = [task for task in tasks.tasks() if not names or {task.group, task.peer} & set(names)]
    given, missing, kept = tasks.givens(chosen, CACHE / "problems"), environments(), Kept(CACHE / "results", how)
    too_long, records, loads = set(), {}, []
    for task in sorted(chosen, key=lambda task: task.limit):
        problem, version = given[task.table].path, version_of(task.peer)
        kind = task.name, task.peer, task.how, re.sub("[0-9]", "", task.table)
        work = partial(run, sys.executable, f"ours.{task.ours[0]}", task.ours[1], problem, OUR_LIMIT, sys.path)
        ours = kept.get(work, task.table, task.ours, sources=["ours"])
        if kind in too_long:
            found = {"note": "not run: a smaller table took too long"}
        else:
            about = task.peer, version, task.theirs, task.limit
            found = kept.get(partial(theirs, task, problem, missing), task.table, *about,
                             sources=[task.theirs[0].partition(".")[0]])  # fmt: skip
            loads += [found["load"]] if "load" in found else []
        records[task] = judging.record(task, version, found, ours, given[task.table])
        if judging.was_ended(records[task]):
            too_long.add(kind)
        print(judging.line(records[task]), file=sys.stderr, flush=True)
    load = f"load of the machine {min(loads):.1f} to {max(loads):.1f}"
    print(f"CPU seconds with one thread; {load}, on {os.cpu_count()} cores")
    print(judging.table(judging.judged([records[task] for task in chosen], given)))


if __name__ == "__main__":
    options = [name for name in sys.argv[1:] if name in (CONTINUE, KEPT)]
    main([name for name in sys.argv[1:] if name not in options], "".join(options))
