"""How often intervals of what graphs say hold, on tables of few columns whose graphs are enumerated; what they cost.

``python benchmarks/graphs.py [tables]``. Tables have five columns, of a random network or of coin flips. A hundred
graphs are drawn from the exact posterior, or annealed until there are a hundred effective samples, in short schedules
so that weights differ. An interval holds where it has the exact probability. Negative control: the intervals held
against the exact probabilities under the other prior, where these differ by .1. Errors are over tables. Then CPU
seconds, beside what is predicted, of a thousand draws and of the most probable graph.
"""

import os
import sys
import warnings
from itertools import product
from time import process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import numpy as np

from ockham.errors import OckhamWarning
from ockham.orders import learning
from ockham.orders.arcs import Effort
from ockham.orders.data.random_networks import sample_table
from ockham.orders.estimates import arcs_of
from ockham.orders.family import FAMILY
from ockham.orders.graph_features import ancestors, blankets
from ockham.orders.inference import best_graph, graph_draws
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.linear_extensions import log_counts
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

RANGES = ((0.0, 0.01), (0.01, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 1.0 + 1e-12))
N = 5
OFF = ~np.eye(N, dtype=bool)
PAIRWISE = {"adjacent": "adjacencies", "path": "paths", "in blanket": "markov_blankets"}


def all_graphs():
    """Masks of parents of every acyclic graph."""
    masks = [[mask for mask in range(2**N) if not mask >> v & 1] for v in range(N)]
    graphs = np.array(list(product(*masks)), dtype=np.uint64)
    return graphs[(ancestors(graphs) >> np.arange(N, dtype=np.uint64) & np.uint64(1) == 0).all(axis=1)]


GRAPHS = all_graphs()
LOG_EXTENSIONS = log_counts(GRAPHS)
INDEGREES = np.bitwise_count(GRAPHS).max(axis=1)
RELATED = {
    "adjacent": (arcs_of(GRAPHS) + np.swapaxes(arcs_of(GRAPHS), 1, 2)).astype(np.float32),
    "path": arcs_of(ancestors(GRAPHS)).astype(np.float32),
    "in blanket": arcs_of(blankets(GRAPHS)).astype(np.float32),
}


def problem(seed):
    """A table, its space, and the steps of the first schedule."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.choice([10, 30, 100, 300, 1000]))
    if seed % 5 == 0:
        states = rng.integers(0, 2, (n_rows, N))
    else:
        states = sample_table(N, n_rows, Stream(seed, "calibration")).states.astype(int)
    space = OrderSpace(N, int(rng.integers(1, 4)))
    return FAMILY.read(space, states), space, int(rng.choice([2, 5, 10, 30, 100]))


def truth(data, space, prior):
    """Probabilities of every graph, and of every pair."""
    allowed = space.max_indegree >= INDEGREES
    log_weights = np.full(len(GRAPHS), -np.inf)
    log_weights[allowed] = best_graph.log_scores(data.family_scores(space), GRAPHS[allowed])
    log_weights += LOG_EXTENSIONS if prior == "orders" else 0.0
    probabilities = np.exp(log_weights - np.logaddexp.reduce(log_weights))
    return probabilities, {name: np.tensordot(probabilities, of, axes=1)[OFF] for name, of in RELATED.items()}


def held(of, exact):
    return (of.low[OFF] - 1e-9 <= exact) & (exact <= of.high[OFF] + 1e-9)


def coverage(n_tables):
    rows = {}
    for seed in range(n_tables):
        data, space, n_steps = problem(seed)
        exact = {prior: truth(data, space, prior) for prior in PRIORS}
        for prior, other in (PRIORS, PRIORS[::-1]):
            for source in ("drawn", "annealed"):
                effort = Effort(seed=seed, n_steps=n_steps, exact=source == "drawn")
                found = learning.graph_posterior(data, space, prior, (prior,), effort, 100)
                if found.doubt:
                    continue
                probabilities, pairs = exact[prior]
                for name, attribute in PAIRWISE.items():
                    if (source, name) == ("drawn", "adjacent"):
                        continue  # that is exact
                    of, wrong = getattr(found, attribute), exact[other][1][name]
                    rows.setdefault((source, prior, name), []).append((pairs[name], held(of, pairs[name])))
                    apart = np.abs(pairs[name] - wrong) > 0.1
                    rows.setdefault((source, prior, f"{name}, other"), []).append(
                        (wrong[apart], held(of, wrong)[apart])
                    )
                masks, chosen = blankets(GRAPHS), [found.most_probable_blanket(name) for name in found.names]
                sets = [sum(1 << found.names.index(member) for member in blanket.members) for blanket in chosen]
                shares = np.array([probabilities[masks[:, v] == np.uint64(sets[v])].sum() for v in range(N)])
                low, high = (np.array([getattr(blanket, end) for blanket in chosen]) for end in ("low", "high"))
                hits = (low - 1e-9 <= shares) & (shares <= high + 1e-9)
                rows.setdefault((source, prior, "best blanket"), []).append((shares, hits))
                if source == "annealed":
                    share = probabilities[(found.best.parents == GRAPHS).all(axis=1)]
                    hit = (found.best.low <= share) & (share <= found.best.high)
                    rows.setdefault((source, prior, "best graph"), []).append((share, hit))
    print(f"{n_tables} tables; intervals of 95 % that hold, by exact probability")
    heads = "".join(f"{f'{low:g}-{min(high, 1):g}':>10}" for low, high in RANGES)
    print(f"{'graphs':>8} {'prior':>7} {'':18}{'':>6}{'all':>15}{heads}")
    for (source, prior, name), parts in sorted(rows.items()):
        exact, hits = (np.concatenate(of) for of in zip(*parts, strict=True))
        by_table = [hit.mean() for _, hit in parts if len(hit)]
        error = np.std(by_table, ddof=1) / np.sqrt(len(by_table))
        cells = [hits[(low <= exact) & (exact < high)] for low, high in RANGES]
        line = "".join(f"{part.mean():10.1%}" if len(part) else f"{'':>10}" for part in cells)
        print(f"{source:>8} {prior:>7} {name:18}{len(hits):6d}{hits.mean():8.1%} +-{error:5.1%}{line}", flush=True)


def timed(function, *arguments):
    began = process_time()
    function(*arguments)
    return process_time() - began


def costs():
    print("seconds of 1000 draws and of the most probable graph, beside what is predicted at the most")
    for n, n_rows in ((12, 30), (12, 1000), (16, 30), (16, 1000), (18, 100)):
        space = OrderSpace(n, 3)
        scores = FAMILY.read(space, sample_table(n, n_rows, Stream(n, "costs")).states).family_scores(space)
        line = f"{n} nodes, {n_rows:4d} rows:"
        for prior, total in (("orders", exact_orders), ("graphs", exact_graphs)):
            seconds = timed(graph_draws.draw, prior, scores, total(scores), 1000, np.random.default_rng(1))
            line += f"  {prior} {seconds:6.2f} of {graph_draws.predicted_cost(prior, n, 3, 1000)[0]:6.2f}"
        best = timed(best_graph.best_of_all, scores)
        print(f"{line}  best {best:.3f} of {best_graph.predicted_cost(n, 3)[0]:.3f}", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", OckhamWarning)
    coverage(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    costs()
