"""How often a search over structures finds the graph that data are from, beside naive Bayes and hill climbing.

Data are from random graphs of 8 to 12 columns with as many hidden variables as the last argument says, whose values
differ much in what they make of each child; with 0 of them it is a negative control. Beside the graph of the highest
evidence that the search finds stand the true one, naive Bayes with the number of classes that Cheeseman-Stutz is
highest for, as AutoClass chooses it, and the best graph that hill climbing from as many starts finds without hidden
variables. They are compared by their evidence, and by the log likelihood of new rows at the MAP fit.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # like a job of the workflow

import sys
import warnings
from itertools import combinations
from time import perf_counter, process_time

import numpy as np

import ockham
from ockham.networks.classes.priors import Prior
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.family import Networks
from ockham.networks.inference import em
from ockham.networks.searches.expected_counts import CompletedRows
from ockham.networks.searches.fits import Fitter
from ockham.networks.searches.graphs import Graph
from ockham.networks.searches.starts import graph_of
from ockham.streams import Stream

N_NEW = 20_000
DIFFERENCE = 0.35
"""Total variation by which the distributions of a child differ, at the least, between any two values of a parent."""
MOST_CLASSES = 8
ERROR, SECONDS, CLIMBS, JUDGED = 0.3, 1200.0, 10, 2


def true_graph(rng, n_hidden):
    """Each hidden variable has children of its own, some with an arc between them; two hidden ones have one, too."""
    n = int(rng.integers(8, 13))
    cardinalities = tuple(rng.integers(2, 4, n).tolist())
    graph = Graph.without_arcs(cardinalities)
    order = rng.permutation(n)
    for children in np.array_split(order[: n - 2 + 2 * (n_hidden == 0)], max(n_hidden, 1)):
        if n_hidden:
            graph = graph.with_hidden(int(rng.integers(2, 4)), frozenset(children.tolist()), 3)
    changed = {}
    if n_hidden == 2:
        changed[n + 1] = frozenset([n])
    for place in range(1, n):
        v = int(order[place])
        more = int(rng.integers(0, 2)) if not n_hidden else int(place >= n - 2 or rng.random() < 0.15)
        parents = rng.choice(order[:place], min(more + (not n_hidden), place, 2), replace=False)
        changed[v] = graph.parents[v] | frozenset(parents.tolist())
    return graph.with_parents(changed)


def strong_parameters(network, rng):
    """Random rows, drawn again until those of a variable differ between any two configurations of its parents."""
    tables = []
    for q, r in zip(network.n_configurations, network.cardinalities, strict=True):
        while True:
            table = rng.dirichlet(np.full(r, 0.8), q)
            apart = [np.abs(table[i] - table[j]).sum() / 2 for i, j in combinations(range(q), 2)]
            least = DIFFERENCE / (1 if q <= 3 else 4)
            if table.min() > 0.02 and min(apart, default=1.0) > least:
                break
        tables.append(table.ravel())
    return np.concatenate(tables)


def problem(seed, n_hidden, n):
    """A fitter of the table, the true graph, and new rows."""
    rng = np.random.default_rng([seed, n_hidden])
    graph = true_graph(rng, n_hidden)
    network = Fitter(blank(graph), Prior(1.0), "cheeseman_stutz", Stream(0)).network(graph)
    rows = draw(network, strong_parameters(network, rng), n + N_NEW, rng)[:, list(network.observed)]
    table = ockham.CategoricalTable(names(graph), labels(graph), rows[:n].copy())
    new = UniqueRows.of(rows[n:], graph.cardinalities[: graph.n_observed])
    return table, graph, new


def names(graph):
    return tuple(f"x{v}" for v in range(graph.n_observed))


def labels(graph):
    return tuple(tuple(map(str, range(r))) for r in graph.cardinalities[: graph.n_observed])


def blank(graph):
    return ockham.CategoricalTable(names(graph), labels(graph), np.zeros((1, graph.n_observed), dtype=np.int64))


def held_out(fitter, network, new):
    """Mean log likelihood of new rows, nats a row."""
    fit = em.search(network, fitter.data, Stream(1, "held out"), em.Search())
    return em.init(network, new, fit.log_parameters, network.prior).log_likelihood / new.n


def one(seed, n_hidden, n):
    """A row of the table of results."""
    start = process_time()
    table, truth, new = problem(seed, n_hidden, n)
    given = {"progress": False, "error": ERROR, "seconds": SECONDS, "seed": seed}
    found = ockham.search(table, climbs=CLIMBS, judged=JUDGED, **given)
    seconds = process_time() - start
    fitter = Fitter(table, Prior(1.0), "cheeseman_stutz", Stream(seed))
    columns = Graph.without_arcs(table.cardinalities)
    every = [columns, *(columns.with_hidden(k, frozenset(range(columns.n_variables)), 1)
                        for k in range(2, MOST_CLASSES + 1))]  # fmt: skip
    mixture = max((fitter.anew(graph) for graph in every), key=lambda fitted: fitted.score).graph
    hill = ockham.search(table, climbs=CLIMBS, judged=1, max_hidden=0, **given)
    networks = {
        "found": next(iter(found.models.values())), "true": fitter.network(truth),
        "classes": fitter.network(mixture), "hill climbing": next(iter(hill.models.values())),
    }  # fmt: skip
    compared = ockham.compare(networks, table, **given)
    classes = [graph_of(model, table.names).equivalence_class for model in found.models.values()]
    scores = {name: held_out(fitter, network, new) for name, network in networks.items()}
    return {
        "truth": truth, "is_found": classes[0] == truth.equivalence_class, "among": truth.equivalence_class in classes,
        "hidden": [networks["found"].cardinalities[i] for i in networks["found"].hidden],
        "evidences": compared.evidences, "new": scores, "seconds": seconds, "n_graphs": found.n_graphs,
    }  # fmt: skip


def less_true(row, name):
    """Log evidence less that of the true graph, and its error; NaN where one is unknown."""
    own, true = row["evidences"][name], row["evidences"]["true"]
    return own.log_evidence - true.log_evidence, np.hypot(own.standard_error, true.standard_error)


def seconds_per_count(n_rows=100_000):
    """Of one completed row, for the score of a family of four variables."""
    rng = np.random.default_rng(1)
    completed = CompletedRows(rng.integers(0, 3, (20, n_rows)), np.ones(n_rows), (3,) * 20)
    begun = perf_counter()
    for v in range(4, 14):
        completed.score(v, frozenset([0, 1, 2]), Prior(1.0))
    return (perf_counter() - begun) / 10 / n_rows


def main():
    n_tables, n, n_hidden = (int(argument) for argument in sys.argv[1:])
    warnings.simplefilter("ignore", ockham.OckhamWarning)
    Networks.plan = Networks.plan._replace(samplers=Networks.plan.samplers[:1])  # bridge sampling, without a check
    begun = process_time()
    print(
        f"{n} rows; log evidence and log likelihood of a new row, both less those of the true graph, nats; CPU seconds"
    )
    heads = f"{'found':>17}{'classes':>9}{'hill':>9}"
    print(f"{'columns':>7}{'hidden':>8}{'found':>8}{'is true':>9}{'graphs':>8}{'s':>6}{heads}{heads}")
    rows = []
    for seed in range(n_tables):
        row = one(seed, n_hidden, n)
        rows.append(row)
        differences = [less_true(row, name)[0] for name in ("found", "classes", "hill climbing")]
        new = [row["new"][name] - row["new"]["true"] for name in ("found", "classes", "hill climbing")]
        sizes = [str([row["truth"].cardinalities[v] for v in row["truth"].hidden]), str(row["hidden"])]
        is_true = "yes" if row["is_found"] else "judged" if row["among"] else "no"
        print(
            f"{row['truth'].n_observed:7d}{sizes[0]:>8}{sizes[1]:>8}{is_true:>9}{row['n_graphs']:8d}"
            f"{row['seconds']:6.1f}{differences[0]:17.2f}{differences[1]:9.1f}{differences[2]:9.1f}"
            f"{new[0]:17.4f}{new[1]:9.4f}{new[2]:9.4f}",
            flush=True,
        )
    summary(n_hidden, rows)
    print(f"{seconds_per_count():.1e} s a completed row and family; {process_time() - begun:.0f} CPU seconds in all")


def summary(n_hidden, rows):
    differences = [less_true(row, "found") for row in rows]
    reached = sum(difference > -3 * error - 1e-9 for difference, error in differences)
    unknown = sum(np.isnan(difference) for difference, _ in differences)
    as_many = sum(len(row["hidden"]) == n_hidden for row in rows)
    print(
        f"{n_hidden} hidden: true graph found in {sum(row['is_found'] for row in rows)} of {len(rows)}, its evidence "
        f"reached or beaten in {reached} ({unknown} unknown), as many hidden variables in {as_many}"
    )


if __name__ == "__main__":
    main()
