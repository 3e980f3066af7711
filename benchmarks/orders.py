"""One step of annealed importance sampling of node orders, against a straightforward evaluation of eq. (1).

    python benchmarks/orders.py

The step is that of a run over the whole schedule, on the data sets of the study. A swap changes (n + 4) / 3 nodes on
average, so that is what a step is divided by. The straightforward evaluation (bare_order.c, compiled here by `cc -O3`)
sums over every parent set of a node, at the predecessors in the last orders of such runs. The floor of a step with a
table is that many reads of it at random places. On promoters, the counting of linear extensions of graphs drawn at the
ends of runs, one at a time; and a step of annealing graphs on all three. All are CPU times, taken in turn in one
process.
"""

import ctypes
import subprocess
import tempfile
import timeit
from functools import partial
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np

from ockham.estimation.schedules import linear_schedule
from ockham.kernels import VECTOR
from ockham.orders.inference import annealing, graph_annealing
from ockham.orders.inference.graph_sums import order_sums
from ockham.orders.inference.linear_extensions import log_counts
from ockham.orders.parent_sets import over_all_nodes, parent_sets
from ockham.studies.cells import draw_replicate
from ockham.studies.loading import load

CONFIG = Path(__file__).parents[1] / "config/niinimaki_koivisto_2013.yaml"
STEPS, PLACES, ENDS = 100_000, 500, 200


def compiled(folder):
    """The straightforward evaluation as a function."""
    library = Path(folder, "bare_order.so")
    source = Path(__file__).with_name("bare_order.c")
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library)).bare_sums


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def seconds(call):
    return timeit.timeit(call, timer=process_time, number=1)


def places(orders):
    """Nodes and the masks of their predecessors, drawn at random from orders."""
    rng = np.random.default_rng(2)
    nodes, before = np.empty(PLACES, dtype=np.int32), np.empty(PLACES, dtype=np.uint64)
    for i in range(PLACES):
        order = orders[rng.integers(len(orders))].tolist()
        p = int(rng.integers(len(order)))
        nodes[i], before[i] = order[p], sum(1 << v for v in order[:p])
    return nodes, before


def scores_of(condition):
    study = load(f"{CONFIG}:{condition}")
    (space,) = study.models.values()
    return study.family.prepare(study, draw_replicate(study, 1), study.sizes[-1]).family_scores(space)


def compare(bare, condition):
    scores = scores_of(condition)
    n, n_sets = scores.log_scores.shape
    began = process_time()
    sums = order_sums(scores)
    setup = process_time() - began
    temperatures = linear_schedule(STEPS)
    ends = [annealing.run(sums, temperatures, np.random.default_rng(seed)).order for seed in range(3)]
    nodes, before = places(ends)
    masks = np.stack([over_all_nodes(v, parent_sets(n, scores.max_indegree)) for v in range(n)])
    found = np.empty(PLACES)
    arrays = map(pointer, (masks, scores.log_scores, nodes, before, found))
    call = partial(bare, ctypes.c_long(PLACES), ctypes.c_long(n_sets), *arrays)
    pairs = [
        (seconds(lambda: annealing.run(sums, temperatures, np.random.default_rng(7))) / STEPS,
         seconds(call) / PLACES)
        for _ in range(5)
    ]  # fmt: skip
    step, straight = (1e6 * min(times) for times in zip(*pairs, strict=True))
    changed = (n + 4) / 3
    floor = float("nan")
    if sums.method == "table":
        cells = np.random.default_rng(3).integers(0, sums.table.size, 1_000_000)
        flat = sums.table.ravel()
        floor = 1e6 * min(seconds(lambda: flat.take(cells)) for _ in range(3)) / len(cells) * changed
    lists = np.diff(sums.starts).mean()
    row = f"{condition:>11s} {n:3d} {n_sets:6d} {sums.method:>6s} {lists:7.0f} {setup:8.2f} {sums.memory / 1e6:7.0f} "
    print(row + f"{step:8.2f} {floor:6.2f} {step / changed:9.3f} {straight:9.2f} {straight / (step / changed):6.1f}")


def graph_steps(condition):
    """Of annealing orders with their graphs, beside what it is predicted to take."""
    sums, rng = order_sums(scores_of(condition)), np.random.default_rng(1)
    order = annealing.run(sums, linear_schedule(STEPS // 10), rng).order
    parents = sums.sample_graphs(order, 1, rng)[0]
    powers = graph_annealing.powers(STEPS // 10, graph_annealing.flat_power(sums, [order]))
    call = partial(graph_annealing.run, sums, order, parents, *powers, rng)
    found = 1e6 * min(seconds(call) for _ in range(3)) / sum(map(len, powers))
    predicted = graph_annealing.seconds_per_step(sums)
    print(f"graphs, {condition}: {sums.method}, {found:.2f} microseconds a step, predicted {1e6 * predicted:.2f}")


def linear_extensions(condition):
    """Of a graph from the end of each of many runs, so as likely as those that a study counts."""
    sums, temperatures = order_sums(scores_of(condition)), linear_schedule(STEPS)
    times, arcs = np.empty(ENDS), np.empty(ENDS)
    for seed in range(ENDS):
        rng = np.random.default_rng(seed)
        graph = sums.sample_graphs(annealing.run(sums, temperatures, rng).order, 1, rng)
        times[seed], arcs[seed] = 1e6 * seconds(partial(log_counts, graph)), np.bitwise_count(graph).sum()
    low, middle, high, most = np.quantile(times, [0.05, 0.5, 0.95, 1.0])
    print(f"linear extensions, {condition}: {ENDS} graphs of {arcs.mean():.0f} arcs, microseconds a graph: "
          f"median {middle:.0f}, 90 % from {low:.0f} to {high:.0f}, largest {most:.0f}")  # fmt: skip


def main():
    print(f"vectors: {VECTOR}; CPU microseconds of a step, its floor, a changed node, and the straightforward one")
    print("       data   n   sets method  listed set-up s      MB     step  floor per node  straight  ratio")
    with tempfile.TemporaryDirectory() as folder:
        bare = compiled(folder)
        for condition in ("mushroom", "alarm", "promoters"):
            compare(bare, condition)
    for condition in ("mushroom", "alarm", "promoters"):
        graph_steps(condition)
    linear_extensions("promoters")
    print(f"largest memory of the process: {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
