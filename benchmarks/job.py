"""What one scoring job costs, and how much of it is inside kernels.

    python benchmarks/job.py [config] [block]

Runs `ockham draw` and `ockham score` for one block of each iterative scorer as the workflow does, as processes of their
own, and then once more inside this process with a clock of CPU time around every kernel call. A job without a cell to
compute is what its start, its files and the keys of its cells take. What a fit by EM would spare if the runs of a cell
shared one call: all but one of their calls without an iteration, which still have an E step each. Last, where the time
of Python's part of the cells goes, by modules, from a profile, which makes short calls dearer than they are.
"""

import cProfile
import os
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ockham import kernels
from ockham.networks.dirichlet import sample_start
from ockham.networks.inference import em
from ockham.streams import Stream
from ockham.studies.cells import complete_block, draw_replicate
from ockham.studies.grids import Study
from ockham.studies.loading import load
from ockham.studies.records import empty_block

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class Clock:
    """CPU seconds spent inside the kernels' functions; kernels use one thread."""

    def __init__(self):
        self.seconds = 0.0

    def wrap(self, function):
        def timed(*arguments, **options):
            began = time.process_time()
            result = function(*arguments, **options)
            self.seconds += time.process_time() - began
            return result

        return timed


def process(*command):
    """CPU and wall seconds of a process."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **ONE_THREAD})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - began


def seconds_without_iteration(study: Study) -> float:
    """The shortest of many calls of EM that only check, lay out and do one E step, at the largest size."""
    network = study.models[study.true_label]
    data = study.family.prepare(study, draw_replicate(study, study.measured_replicate), study.sizes[-1])
    start, shortest = sample_start(network, Stream(1)), float("inf")
    for _ in range(1000):
        began = time.process_time()
        em.init(network, data, start, network.prior)
        shortest = min(shortest, time.process_time() - began)
    return shortest


def shares(profile: cProfile.Profile, most: int = 9) -> list[tuple[str, float]]:
    """Modules with most of a profile's own time, and their shares of it; functions without a file go by their names.

    Kernels are no functions to a profile: their time is that of the clock that calls them.
    """
    seconds: dict[str, float] = {}
    for (file, _, function), (_, _, own, _, _) in pstats.Stats(profile).stats.items():
        name = function if file == "~" else "kernels" if file == __file__ else "/".join(Path(file).parts[-2:])
        seconds[name] = seconds.get(name, 0.0) + own
    total = sum(seconds.values())
    first = sorted(seconds, key=seconds.__getitem__, reverse=True)[:most]
    return [(name, seconds[name] / total) for name in first]


def main(config="config/beal_ghahramani_2006.yaml", name="replicate-004"):
    study = load(config)
    clock = Clock()
    for module, function in (
        (kernels.em, "run"),
        (kernels.variational_em, "run"),
        (kernels.dirichlet, "sample_log"),
        (kernels.complete_data, "log_evidence"),
        (kernels.complete_data, "log_joint"),
        (kernels.complete_data, "log_beta"),
    ):
        setattr(module, function, clock.wrap(getattr(module, function)))
    call, n_runs = seconds_without_iteration(study), study.scorers["em"].runs
    with tempfile.TemporaryDirectory() as folder:
        data = {r: Path(folder, f"replicate-{r}.nc") for r in study.blocks("em")[name].replicates}
        for r, path in data.items():
            cost = process("ockham", "draw", config, "--replicate", str(r), "--output", path)[0]
            print(f"draw replicate {r}: {cost:.2f} s CPU")
        for scorer in ("em", "vb"):
            output = Path(folder, f"{scorer}.nc")
            cpu, wall = process("ockham", "score", config, scorer, name, "--output", output, *data.values())
            block = study.blocks(scorer)[name]
            draws = {replicate: draw_replicate(study, replicate) for replicate in block.replicates}
            values = empty_block(study, block)
            clock.seconds, began = 0.0, time.process_time()
            n_cells = complete_block(study, block, draws, values)
            inside = time.process_time() - began
            print(
                f"{scorer}: {n_cells} cells, {wall:.2f} s wall, {cpu:.2f} s CPU; in one process {inside:.2f} s CPU, "
                f"kernels {clock.seconds:.2f} s, {100 * clock.seconds / cpu:.0f} % of the job's CPU time"
            )
            again, _ = process("ockham", "score", config, scorer, name, "--output", output, *data.values())
            print(f"{scorer}: the job once more, with nothing to compute: {again:.2f} s CPU")
            if scorer == "em":
                spared = (n_runs - 1) / n_runs * call * n_cells / cpu
                print(
                    f"em: a call without an iteration {1e6 * call:.1f} us; one call a cell: at most {spared:.1%} less"
                )
            with cProfile.Profile() as profile:
                complete_block(study, block, draws, empty_block(study, block))
            for module, share in shares(profile):
                print(f"{scorer}: {share:6.1%} in {module}")


if __name__ == "__main__":
    main(*sys.argv[1:])
