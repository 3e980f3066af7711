"""How long studies take on more cores and on Slurm, and how many jobs a Slurm job should take.

    python benchmarks/cores.py table [study ...]            the table of docs/cluster.md, ``benchmarks/cores.md``
    python benchmarks/cores.py groups [--write] [study ...] ``group-components`` for the profiles; writes it into both

The studies are by default those of ``config/workflow.yaml``. The jobs and what each waits for are Snakemake's own
graph. A score takes what its benchmark file says, or, where the study has not run here, its entry's share of what the
committed manifest says: the CPU time that jobs told, or their wall time where they did not, for Snakemake's samples of
CPU time leave out up to thirty seconds of a job; other jobs take the seconds of ``OTHERS``. In the simulation a job
begins as soon as a core is free, what it reads is there, and Snakemake, which starts one after another, has come to
it; times are means over several orders of the jobs. ``lost`` is the share of the cores' time in which no job runs.
Cores that are slower beside each other are not in it. ``benchmarks/sleeping.py`` holds it against Snakemake with jobs
that sleep.
"""

import heapq
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import yaml

from ockham.studies.costs import job_cost
from ockham.studies.loading import load

REPOSITORY = Path(__file__).parents[1]
PROFILES = [REPOSITORY / "workflow/profiles" / name / "config.yaml" for name in ("slurm", "cluster")]
WORKFLOW = REPOSITORY / "config/workflow.yaml"
TABLE = REPOSITORY / "benchmarks/cores.md"
OTHERS = {"draw": 1.1, "measure": 34.6, "collect": 2.5, "summarise": 13.7, "plot": 5.4}
"""Mean seconds of the jobs that are no scores (``rules.py``; results.txt)."""
OTHER = 3.0
"""Of those that are not there."""
START, START_PER_JOB = 0.007, 4e-6
"""Seconds of Snakemake's thread for a job, and more for each job of the graph (``snakemake_overhead.py``)."""
POLL, LONGER, LONGEST = 20.0, 10.0, 180.0
"""Seconds between two looks at Slurm jobs (the profile); how much longer after one that found none ended; at most."""
IN_SLURM = 1.5
"""CPU seconds of a Snakemake within a Slurm job, which has one, and one for each of its jobs, beside other work."""
QUEUE = 10.0
"""Seconds that a Slurm job waits before it begins; an assumption."""
CORES = (1, 2, 8, 16, 32, 64)
SLURM_CORES = 64
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24)
"""Of groups; a Slurm job asks for the time that all of its jobs ask for, and one that asks for more waits longer."""
ORDERS = 5
SLACK = 1.1
"""How much longer than the shortest a run may take for fewer Slurm jobs."""


@dataclass(frozen=True)
class Job:
    """A job, or several one after another in a Slurm job, and the numbers of those that it waits for."""

    rule: str
    seconds: float
    after: frozenset[int]
    output: str = ""  # of draws and scores


def graph_of(studies: Sequence[str], folder: Path = REPOSITORY) -> list[tuple[str, dict[str, str], set[int]]]:
    """Rule, wildcards and what it waits for, by position, of every job of some studies, as Snakemake draws them."""
    command = (sys.executable, "-m", "snakemake", "--cores", "1", "--forceall", "--dag", "dot", "--", *studies)
    drawn = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    found, position = [], {}
    for number, label in re.findall(r'^\s*(\d+)\[label = "([^"]*)"', drawn, re.MULTILINE):
        rule, *wildcards = label.split(r"\n")
        if rule not in (*studies, "all"):
            position[number] = len(found)
            found.append((rule, dict(line.split(": ", 1) for line in wildcards), set()))
    for before, after in re.findall(r"^\s*(\d+) -> (\d+)", drawn, re.MULTILINE):
        if after in position:
            found[position[after]][2].add(position[before])
    return found


def jobs_of(
    studies: Sequence[str], folder: Path = REPOSITORY, benchmarks: str = "results/benchmarks"
) -> tuple[list[Job], int]:
    """The jobs of some studies, and of how many scores nothing tells the time; these take as long as the mean."""
    graph, costs, jobs, unknown = graph_of(studies, folder), Costs(folder, benchmarks), [], []
    for rule, of, after in graph:
        seconds, output = OTHERS.get(rule, OTHER), ""
        if rule == "draw":
            output = f"{of['study']}/data/replicate-{of['replicate']}.nc"
        if rule == "score":  # of the study of its data
            (study,) = {graph[i][1]["study"] for i in after}
            seconds = costs.seconds(study, of["scorer"], of["block"])
            output = f"{study}/scores/{of['scorer']}/{of['block']}.nc"
            if seconds is None:
                unknown.append(len(jobs))
        jobs.append(Job(rule, seconds, frozenset(after), output))
    known = [job.seconds for job in jobs if job.rule == "score" and job.seconds is not None]
    if not known:
        sys.exit(f"{folder}: no score of {', '.join(studies)} has run here, and no manifest tells; run some first")
    for i in unknown:
        jobs[i] = replace(jobs[i], seconds=sum(known) / len(known))
    return reordered(jobs, sorted(range(len(jobs)), key=lambda i: (jobs[i].rule, jobs[i].output))), len(unknown)


def reordered(jobs: Sequence[Job], order: Sequence[int]) -> list[Job]:
    """Jobs in another order; those that are left out nobody waits for."""
    position = {i: k for k, i in enumerate(order)}
    return [
        replace(jobs[i], after=frozenset(position[before] for before in jobs[i].after if before in position))
        for i in order
    ]


class Costs:
    """Seconds of the scores of studies, from their benchmark files, if these are to count, and manifests."""

    def __init__(self, folder: Path, benchmarks: str | None):
        self.folder, self.benchmarks = folder, benchmarks and folder / benchmarks
        self.blocks, self.scoring = {}, {}

    def seconds(self, study: str, entry: str, block: str) -> float | None:
        """Of a job; where it has not run here, what its entry took elsewhere, evenly, but for its longest job."""
        name, _, condition = study.partition("/")
        if study not in self.blocks:
            loaded = load(f"{self.folder}/config/{name}.yaml{condition and ':' + condition}")
            self.blocks[study] = {scorer: loaded.blocks(scorer) for scorer in loaded.scorers}
            self.scoring[study] = self._manifest(name, study)
        own = self.benchmarks and self.benchmarks / study / entry / f"{block}.tsv"
        if own and own.exists() and (row := job_cost(own))["computed"] == self.blocks[study][entry][block].n_cells:
            return float(row["cpu_time" if row["timed_itself"] else "s"])
        if entry not in self.scoring[study]:
            return None
        cost, n_jobs = self.scoring[study][entry], len(self.blocks[study][entry])
        total = cost["cpu_seconds" if timed_themselves(cost) else "wall_seconds"]
        longest = total * min(1.0, cost["longest_job_seconds"] / cost["wall_seconds"])
        if n_jobs == 1 or n_jobs != cost["jobs"]:  # it was cut into other jobs
            return total / n_jobs
        is_first = block == next(iter(self.blocks[study][entry]))
        return longest if is_first else (total - longest) / (n_jobs - 1)

    def _manifest(self, name: str, study: str) -> dict[str, dict[str, float]]:
        file = self.folder / "figures" / name / "manifest.json"
        content = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
        parts = content if isinstance(content, list) else [content]
        return next((part["scoring"] for part in parts if part["study"] == study), {})


def timed_themselves(cost: Mapping[str, float]) -> bool:
    """Whether all jobs of an entry told their CPU time, by what a manifest says of it."""
    return cost.get("jobs_that_timed_themselves") == cost["jobs"]


def wall(jobs: Sequence[Job], cores: int, start: float = 0.0, looks: bool = False) -> float:
    """Seconds until Snakemake knows that the last job has ended.

    Parameters
    ----------
    jobs : sequence of Job
    cores : int
        How many can run at once.
    start : float
        Seconds of Snakemake's thread for each.
    looks : bool
        Whether Snakemake only looks now and then at what has ended, as at Slurm jobs.
    """
    left, readers = [len(job.after) for job in jobs], [[] for _ in jobs]
    for i, job in enumerate(jobs):
        for before in job.after:
            readers[before].append(i)
    ready = [i for i, n in enumerate(left) if n == 0]
    running, now, free, interval = [], 0.0, 0.0, POLL
    while ready or running:
        while ready and len(running) < cores:
            i = heapq.heappop(ready)
            free = max(free, now) + start
            heapq.heappush(running, (free + jobs[i].seconds, i))
        now = now + interval if looks else running[0][0]
        ended = []
        while running and running[0][0] <= now:
            ended.append(heapq.heappop(running)[1])
        interval = POLL if ended else min(interval + LONGER, LONGEST)
        for reader in (reader for i in ended for reader in readers[i]):
            left[reader] -= 1
            if left[reader] == 0:
                heapq.heappush(ready, reader)
    if any(left):
        raise ValueError("some jobs wait for each other")
    return now


def in_any_order(seconds: Callable[[Sequence[Job]], float], jobs: Sequence[Job]) -> float:
    """The mean over orders of the jobs, for Snakemake starts them, and puts them into groups, in any."""
    orders = [random.Random(seed).sample(range(len(jobs)), len(jobs)) for seed in range(ORDERS)]
    return sum(seconds(reordered(jobs, order)) for order in orders) / ORDERS


def start_of(jobs: Sequence[Job]) -> float:
    """Seconds of Snakemake's thread for each of some jobs."""
    return START + START_PER_JOB * len(jobs)


def grouped(jobs: Sequence[Job], groups: dict[str, str], components: dict[str, int]) -> list[Job]:
    """Slurm jobs: those of a group by so many as they come, all of the last group together, others each alone."""
    lots: list[list[int]] = []
    for group in dict.fromkeys(groups.values()):
        members = [i for i, job in enumerate(jobs) if groups.get(job.rule) == group]
        size = components.get(group, max(1, len(members)))
        lots += [members[k : k + size] for k in range(0, len(members), size)]
    lots += [[i] for i, job in enumerate(jobs) if job.rule not in groups]
    lot_of = {i: k for k, lot in enumerate(lots) for i in lot}
    return [
        Job(
            "lot",
            QUEUE + IN_SLURM + sum(jobs[i].seconds + IN_SLURM for i in lot),
            frozenset(lot_of[before] for i in lot for before in jobs[i].after) - {k},
        )
        for k, lot in enumerate(lots)
    ]


def of_slurm(
    jobs: Sequence[Job], groups: dict[str, str], components: dict[str, int], at_once: int
) -> tuple[float, int]:
    """Seconds through Slurm, and how many Slurm jobs that takes."""
    seconds = in_any_order(lambda some: wall(grouped(some, groups, components), at_once, looks=True), jobs)
    return seconds, len(grouped(jobs, groups, components))


def best_components(jobs: Sequence[Job], groups: dict[str, str], at_once: int) -> dict[str, int]:
    """How many draws and scores a Slurm job takes: the fewest Slurm jobs that are not much slower than the fastest."""
    trials = []
    for data, scores in product(SIZES, SIZES):
        components = {"data": data, "scores": scores}
        trials.append((*of_slurm(jobs, groups, components, at_once), components))
    longest = SLACK * min(seconds for seconds, _, _ in trials)
    return min((trial for trial in trials if trial[0] <= longest), key=lambda trial: (trial[1], trial[0]))[2]


def profile() -> dict:
    return yaml.safe_load(PROFILES[0].read_text(encoding="utf-8"))


def write_components(file: Path, components: dict[str, int]) -> None:
    """Give a profile these sizes of groups, and leave all else of it as it is."""
    text = file.read_text(encoding="utf-8")
    lines = "".join(f"  {group}: {size}\n" for group, size in components.items())
    new, n = re.subn(r"(?m)^group-components:.*\n(?:  .*\n)*", f"group-components:\n{lines}", text)
    if n != 1:
        sys.exit(f"{file}: has no group-components")
    file.write_text(new, encoding="utf-8")


def on_cores(jobs: Sequence[Job]) -> dict[int, float]:
    """Seconds on one machine, by its cores."""
    start = start_of(jobs)
    return {cores: in_any_order(lambda some, cores=cores: wall(some, cores, start), jobs) for cores in CORES}


def on_slurm(jobs: Sequence[Job], cores: int) -> list[tuple[str, float, int]]:
    """How scores are submitted, the seconds and the number of Slurm jobs, on so many cores of Slurm."""
    groups = profile()["groups"]
    rest = {rule: group for rule, group in groups.items() if group == "rest"}
    ours, best = profile()["group-components"], best_components(jobs, groups, cores)
    ways = {
        "an array": (rest, {}),
        f"the profiles' groups, {_sizes(ours)}": (groups, ours),
        f"its own groups, {_sizes(best)}": (groups, best),
    }
    return [(way, *of_slurm(jobs, *how, cores)) for way, how in ways.items()]


def _sizes(components: Mapping[str, int]) -> str:
    return f"of {components['scores']} scores, {components['data']} draws"


def table_of(studies: Sequence[str]) -> str:
    """Markdown: wall times and shares of lost time on one machine and on Slurm, of each study and of all together."""
    rows, slurm = [], []
    for name, of in {**{study: [study] for study in studies}, "all together": studies}.items():
        jobs, unknown = jobs_of(of)
        total = sum(job.seconds for job in jobs)
        about = f"{len(jobs)} | {total:.0f} | {max(job.seconds for job in jobs):.0f}"
        times = " | ".join(f"{s:.0f} s, {1 - total / (cores * s):.0%}" for cores, s in on_cores(jobs).items())
        rows.append(f"| {name}{f' ({unknown} unknown)' if unknown else ''} | {about} | {times} |")
        for way, seconds, n_jobs in on_slurm(jobs, SLURM_CORES):
            slurm.append(f"| {name} | {way} | {n_jobs} | {seconds:.0f} | {1 - total / (SLURM_CORES * seconds):.0%} |")
    heads = " | ".join(f"{cores} core{'s' * (cores > 1)}" for cores in CORES)
    return "\n".join([
        f"| study | jobs | their time, s | longest job, s | {heads} |", "|---" * (4 + len(CORES)) + "|", *rows, "",
        f"| study | scores on Slurm, {SLURM_CORES} cores | Slurm jobs | wall time, s | lost |", "|---|---|---|---|---|",
        *slurm, "",
    ])  # fmt: skip


def main(what: str, *arguments: str) -> None:
    """Print a table or the sizes of groups; ``table`` is also stored."""
    studies = [word for word in arguments if word != "--write"] or yaml.safe_load(WORKFLOW.read_text())["studies"]
    if what == "table":
        text = table_of(studies)
        TABLE.write_text(text, encoding="utf-8")
        print(text)
    else:
        components = best_components(jobs_of(studies)[0], profile()["groups"], profile()["jobs"])
        print(yaml.safe_dump({"group-components": components}), end="")
        for file in PROFILES if "--write" in arguments else ():
            write_components(file, components)


if __name__ == "__main__":
    if sys.argv[1:2] not in (["table"], ["groups"]):
        sys.exit(__doc__)
    main(*sys.argv[1:])
