"""Our work on the same problems, in a process like those of the peers: through the public interface where it has it."""

import ockham
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference import fit
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import em, variational_em
from ockham.orders import arcs as arcs_of_tables
from ockham.orders.family import FAMILY
from ockham.orders.inference import best_graph
from ockham.orders.inference.exact_structures import exact_graphs
from ockham.orders.space import PRIORS
from ockham.streams import Stream
from peers import problems

__all__ = [
    "arcs",
    "bounds",
    "cheeseman_stutz",
    "evidence",
    "heights",
    "highest_graph",
    "machine",
    "map_heights",
    "sampled_arcs",
]

FITS = {"tolerance": 1e-8, "max_iterations": 10_000}


def heights(given, **settings):
    """The highest log likelihood, from the starts of ``em_ml``."""
    network, rows = problems.network_of(given), given["states"]

    def work():
        return ockham.score(network, rows, "em_ml", progress=False, **settings)

    return work, lambda found: found["maximum_likelihood"].log_evidence


def map_heights(given, n_starts):
    """The highest log likelihood plus the prior's term in the softmax basis, each start followed to its end."""
    network = problems.network_of(given)
    settings = em.Search(n_starts=1, **FITS)

    def work():
        rows = UniqueRows.of(given["states"], given["cardinalities"])
        return max(em.search(network, rows, Stream(1, i), settings).objective for i in range(n_starts))

    return work, float


def bounds(given, tolerance, max_iterations=10_000):
    """The highest variational bound from given starts."""
    network = problems.network_of(given)

    def work():
        rows = UniqueRows.of(given["states"], given["cardinalities"])
        return max(
            variational_em.run(network, rows, start, max_iterations=max_iterations, tolerance=tolerance).bound
            for start in given["starts"]
        )

    return work, float


def cheeseman_stutz(given, runs):
    """The highest Cheeseman-Stutz score, each start followed to its end."""
    network = problems.network_of(given)

    def work():
        return ockham.score(network, given["states"], "em", runs=runs, n_starts=1, progress=False)

    return work, lambda found: found["cheeseman_stutz"].log_evidence


def evidence(given, scorer="bridge", **settings):
    """One estimate of the log evidence, with an error of at most .1 nat."""
    network, rows = problems.network_of(given), given["states"]

    def work():
        (found,) = ockham.score(network, rows, scorer, runs=1, progress=False, **settings).values()
        return found

    return work, lambda found: found.log_evidence


def highest_graph(given):
    """Parents of every node in the graph with the highest score, scores included."""

    def work():
        return best_graph.best_of_all(problems.family_scores(given))

    return work, lambda found: [int(mask) for mask in found]


def arcs(given):
    """Probabilities of all arcs, scores included."""

    def work():
        return exact_graphs(problems.family_scores(given), max_seconds=1000)

    return work, lambda found: found.arcs.tolist()


def sampled_arcs(given):
    """The same from annealed graphs, with the defaults of ``ockham arcs`` where sums are not exact."""
    states = given["states"]
    space = ockham.OrderSpace(states.shape[1], int(given["max_indegree"]))

    def work():
        return arcs_of_tables.estimate(FAMILY.read(space, states), space, exact=False, max_seconds=300.0)

    return work, lambda found: found.arcs[PRIORS.index("graphs")].tolist()


def machine(given, **settings):
    """The highest of fits of a machine by maximum likelihood."""
    model = ockham.RestrictedBoltzmann(given["rows"].shape[1], int(given["n_hidden"]))

    def work():
        rows = BinaryRows.of(given["rows"])
        return fit.search(model, rows, fit.Fitting(**settings), Stream(1), with_prior=False).theta

    return work, lambda found: found.tolist()
