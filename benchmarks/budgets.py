"""What every configuration costs: the time of its jobs, and how long they take on 2 cores and on 64.

    python benchmarks/budgets.py                  prints and stores the table, ``benchmarks/budgets.md``
    python benchmarks/budgets.py unknown          the entries of whose time nothing tells
    python benchmarks/budgets.py measure N ENTRY [SETTINGS/PART]
                                                  times N cells of an entry; kept in ``benchmarks/budgets.json``

Where an entry was run and published as it is, in as many jobs, it takes what the committed manifest says: the CPU time
that its jobs told, or their wall time where they did not (the share of which is ``by wall time``); else what N
of its cells take, which stand evenly spaced among all of them, sizes and structures in order, for each cell of it.
Settings that the time grows with can be divided for the measurement, ``n_burn_in,interval/100``: then the cells are
timed at this part of them and at half of it, after a first run at a quarter, and the line through both says what all
takes. Wall times are those of ``cores.py``, of draws and scores on one machine.
"""

import json
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # like a job of the workflow
import yaml
from cores import OTHERS, REPOSITORY, Costs, Job, start_of, timed_themselves, wall

from ockham.studies.cells import draw_replicate, score_cell
from ockham.studies.loading import load

CONFIG = REPOSITORY / "config"
SAMPLES = REPOSITORY / "benchmarks/budgets.json"
TABLE = REPOSITORY / "benchmarks/budgets.md"
CORES = (2, 64)


def configurations():
    """What ``load`` takes, of every study of the repository, by the name of its file."""
    found = {}
    for file in sorted(CONFIG.glob("*.yaml")):
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        if "study" in content:
            found[file.stem] = [f"{file}:{condition}" for condition in content.get("conditions", ())] or [str(file)]
    return found


def samples():
    return json.loads(SAMPLES.read_text(encoding="utf-8")) if SAMPLES.is_file() else {}


def measure(n_cells, place, divided):
    """CPU seconds of some cells of an entry, ``study/entry`` or ``study:condition/entry``."""
    name, entry = place.split("/")
    file, _, condition = name.partition(":")
    study = load(f"{CONFIG / file}.yaml{condition and ':' + condition}")
    names, _, part = divided.partition("/")
    if not part:
        n_cells, seconds = timed(study, entry, n_cells)
        return {"cells": n_cells, "cpu_seconds": seconds, "divided": ""}
    settings, at = study.scorer_settings[entry], []
    least = 4 * int(part)
    for setting in names.split(","):
        given = getattr(settings, setting, None)
        if not isinstance(given, int) or given % least:
            sys.exit(f"{place}: {setting} is {given!r}: name a setting that the entry gives, a multiple of {least}")
    for parts in (4 * int(part), 2 * int(part), int(part)):  # the first fills what the others find made
        smaller = {setting: getattr(settings, setting) // parts for setting in names.split(",")}
        study.scorer_settings[entry] = type(settings)(**settings.model_dump() | smaller)
        n_cells, seconds = timed(study, entry, n_cells)
        at.append(seconds)
    _, half, whole = at
    if whole <= half:
        sys.exit(f"{place}: {whole:.2f} s, and {half:.2f} s of half of it: divide by less, or time more cells")
    return {"cells": n_cells, "cpu_seconds": whole + 2 * (whole - half) * (int(part) - 1), "divided": divided}


def timed(study, entry, n_cells):
    """How many cells of an entry were scored, and their CPU seconds."""
    whole = study.entry(entry)
    cells = [
        (replicate, n, structure, run)
        for n in whole.sizes for structure in whole.structures for replicate in whole.replicates for run in whole.runs
    ]  # fmt: skip
    n_cells = min(n_cells, len(cells))
    seconds, draws = 0.0, {}
    for k in range(n_cells):
        cell = cells[int((k + 0.5) * len(cells) / n_cells)]
        if cell[0] not in draws:
            draws[cell[0]] = draw_replicate(study, cell[0])
        data = study.family.prepare(study, draws[cell[0]], cell[1])
        began = time.process_time()
        score_cell(study, entry, data, draws[cell[0]], cell)
        seconds += time.process_time() - began
    return n_cells, seconds


def jobs_of(places):
    """The draws and scores of a study, the seconds sampled, those by wall time, and entries nothing is known of."""
    costs, kept, jobs, sampled, by_wall, unknown = Costs(REPOSITORY, None), samples(), [], 0.0, 0.0, []
    for place in places:
        study = load(place)
        jobs += [Job("draw", OTHERS["draw"], frozenset())] * len(study.replicates.indices())
        for entry in study.scorers:
            sample, blocks = kept.get(f"{study.name.replace('/', ':')}/{entry}"), study.blocks(entry)
            for name, block in blocks.items():
                seconds = costs.seconds(study.name, entry, name)
                cost = costs.scoring[study.name].get(entry, {})
                if cost.get("jobs") != len(blocks):
                    seconds = None  # the entry has grown since
                elif not timed_themselves(cost):
                    by_wall += seconds
                if seconds is None and sample:
                    seconds = block.n_cells * sample["cpu_seconds"] / sample["cells"]
                    sampled += seconds
                if seconds is None:
                    unknown.append(f"{study.name.replace('/', ':')}/{entry}")
                    break
                jobs.append(Job("score", seconds, frozenset()))
    return jobs, sampled, by_wall, unknown


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def table():
    """Markdown, a row for each configuration."""
    heads = " | ".join(f"{cores} cores" for cores in CORES)
    lines = [
        f"| study | jobs | their time | by wall time | sampled | longest job | {heads} |",
        "|---" * (6 + len(CORES)) + "|",
    ]
    for name, places in configurations().items():
        jobs, sampled, by_wall, unknown = jobs_of(places)
        total, longest = sum(job.seconds for job in jobs), max(job.seconds for job in jobs)
        if unknown:
            lines.append(f"| {name} | | unknown: {len(unknown)} entries have not been run or timed |" + " |" * 5)
            continue
        times = " | ".join(duration(wall(jobs, cores, start_of(jobs))) for cores in CORES)
        cost = f"{duration(total)} | {by_wall / total:.0%} | {sampled / total:.0%} | {duration(longest)}"
        lines.append(f"| {name} | {len(jobs)} | {cost} | {times} |")
    return "\n".join([*lines, ""])


def main(what="table", n_cells="1", *arguments):
    if what == "table":
        TABLE.write_text(table(), encoding="utf-8")
        print(TABLE.read_text(encoding="utf-8"), end="")
    elif what == "unknown":
        print(*(entry for places in configurations().values() for entry in jobs_of(places)[-1]), sep="\n")
    else:
        place, divided = arguments if len(arguments) == 2 else (*arguments, "")
        found = measure(int(n_cells), place, divided)
        SAMPLES.write_text(json.dumps(samples() | {place: found}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{place}: {found['cpu_seconds'] / found['cells']:.2f} CPU s a cell")


if __name__ == "__main__":
    if sys.argv[1:2] not in ([], ["unknown"], ["measure"]):
        sys.exit(__doc__)
    main(*sys.argv[1:])
