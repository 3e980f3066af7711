"""Which peer does what beside us, with which settings: its documented defaults, and its best."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ockham.orders.inference.exact_structures import exact_graphs
from peers import problems

__all__ = ["Problem", "Task", "givens", "tasks"]

SURVEYS = {f"{k} classes": k for k in (2, 3, 4, 5, 6)}
PAPER = {"n = 480": 480, "n = 10240": 10_240}
GRAPHS = {f"{n} nodes": n for n in range(17, 23)}
SUMMED = 20
"""Nodes up to which the probabilities of arcs are judged: the exact ones take three times as long for each more."""
MACHINE = "10 + 5 units"
N_RESTARTS = 20
N_CLIMBS = 10
WASTE_FREE = {"1000 x 10, the default length": {"n_particles": 1000, "len_chain": 10},
              "100 x 100": {"n_particles": 100, "len_chain": 100}}  # fmt: skip
HAMILTONIAN = {"n_particles": 1000, "n_steps": 10, "n_leapfrog": 8, "step_size": 0.25}
CHAINS = {"cp_algo": "greedy-lite", "mc3_chains": 16, "burn_in": 10_000, "iterations": 10_000, "thinning": 10}
README_CHAINS = CHAINS | {"K": 15, "max_id": -1}
FEW_CHAINS = CHAINS | {"mc3_chains": 4, "burn_in": 1000, "iterations": 4000}
SAMPLING = 600.0
"""CPU seconds that samplers of graphs may take."""


@dataclass(frozen=True, eq=False)
class Task:
    """What a peer does beside us.

    Attributes
    ----------
    group, name, table : str
        Of what kind, what is sought, and in which data.
    judge : str
        What an answer is: a key of ``judging.EQUAL``.
    peer, how : str
        Who does it, and with what settings.
    theirs, ours : tuple of str, dict
        The function that does it, after its module, with its options; ours is in ``ours``.
    limit : float
        CPU seconds of the work.
    """

    group: str
    name: str
    table: str
    judge: str
    peer: str
    how: str
    theirs: tuple[str, dict]
    ours: tuple[str, dict]
    limit: float = 60.0


def tasks():
    """All of them, in the order of the table."""
    return [*_fits(), *_evidences(), *_structures(), *_machines()]


def _fits():
    n_rows = problems.N_ROWS
    followed = {"runs": N_RESTARTS, "n_starts": 1}
    for table in SURVEYS:
        ml = "fits", "maximum likelihood", table, "height"
        alike = followed | {"max_iterations": 1000, "tolerance": 1e-10 * n_rows}
        yield Task(*ml, "stepmix", "defaults", ("fits.stepmix", {}), ("heights", {}))
        yield Task(*ml, "stepmix", "20 restarts", ("fits.stepmix", {"n_init": N_RESTARTS}), ("heights", alike))
    for table in (*PAPER, *SURVEYS):
        ml = "fits", "maximum likelihood", table, "height"
        yield Task(*ml, "pgmpy", "defaults", ("fits.pgmpy", {}), ("heights", {}))
        longer = {"max_iter": 1000, "batch_size": 20_000}
        yield Task(*ml, "pgmpy", "1000 iterations, 1 batch", ("fits.pgmpy", longer), ("heights", {}))
    for table in (*PAPER, "2 classes"):
        name, ours = "MAP, softmax basis", ("map_heights", {"n_starts": N_RESTARTS})
        for how, options in (("1e-3, 20 starts", {"epsilon": 1e-3}), ("1e-8, 20 starts", {"epsilon": 1e-8})):
            theirs = "fits.pyagrum", options | {"n_starts": N_RESTARTS, "smoothing": 1.0}
            yield Task("fits", name, table, "height", "pyagrum", how, theirs, ours)
    for table in SURVEYS:
        for how, tolerance in (("1e-5, 10 starts", 1e-5), ("1e-12, 10 starts", 1e-12)):
            theirs = "fits.bayespy", {"tolerance": tolerance}
            ours = "bounds", {"tolerance": 1e-8}
            yield Task("fits", "variational bound", table, "height", "bayespy", how, theirs, ours)
    for table in SURVEYS:
        ours = "cheeseman_stutz", {"runs": N_RESTARTS}
        for how, tries in (("20 tries at once", {"n_tries": 20}), ("10 tries, 10 s", {"n_tries": 1, "n_more": 9})):
            yield Task("fits", "Cheeseman-Stutz", table, "own", "autoclass", how, ("fits.autoclass", tries), ours)


def _evidences():
    ours = "evidence", {}
    for table in (*PAPER, *SURVEYS):
        work = "evidence", "log evidence", table, "evidence"
        for how, options in WASTE_FREE.items():
            yield Task(*work, "particles", how, ("evidences.particles", options), ours)
        yield Task(*work, "blackjax", "1000 x 10 HMC of 8", ("evidences.blackjax", HAMILTONIAN), ours)
    for table in (*PAPER, "2 classes"):
        work = "evidence", "log evidence", table, "evidence"
        yield Task(*work, "pymc", "defaults, one chain", ("evidences.pymc", {"kernel": "IMH"}), ours)
        yield Task(*work, "pymc", "random walks, one chain", ("evidences.pymc", {"kernel": "MH"}), ours)
    for table in (*PAPER, *SURVEYS):
        work = "evidence", "log evidence", table, "evidence"
        real, spline = {"model": "RealNVPModel"}, {"model": "RQSplineModel", "standardize": True}
        yield Task(*work, "harmonic", "defaults, our draws", ("evidences.harmonic", real), ours)
        yield Task(*work, "harmonic", "spline flow, our draws", ("evidences.harmonic", spline), ours)
    work = "evidence", "log evidence", "n = 480", "evidence"
    yield Task(*work, "dynesty", "defaults", ("evidences.dynesty", {}), ours)
    yield Task(*work, "dynesty", "random walk", ("evidences.dynesty", {"sample": "rwalk"}), ours)
    yield Task(*work, "nautilus-sampler", "defaults", ("evidences.nautilus", {}), ours)
    fewer = {"n_live": 1000, "n_networks": 1}
    yield Task(*work, "nautilus-sampler", "1000 points, 1 network", ("evidences.nautilus", fewer), ours)


def _structures():
    for table in GRAPHS:
        most, ours = {"max_indegree": problems.MAX_INDEGREE}, ("highest_graph", {})
        climbs = {"hill climbing": ("structures.pgmpy", most),
                  f"hill climbing, {N_CLIMBS} starts": ("climbs.pgmpy", most | {"n_starts": N_CLIMBS})}  # fmt: skip
        for how, theirs in climbs.items():
            yield Task("structures", "best graph", table, "graph", "pgmpy", how, theirs, ours)
    for table in (table for table, n in GRAPHS.items() if n <= SUMMED):
        exact = "structures", "arcs", table, "arcs", "sumu"
        yield Task(*exact, "exact (APS)", ("structures.sumu_exact", {}), ("arcs", {}))
        all_others = {"K": GRAPHS[table] - 1, "max_id": problems.MAX_INDEGREE}
        gadgets = {"Gadget, as in its README": README_CHAINS, "Gadget, 4 chains": FEW_CHAINS | all_others}
        for how, options in gadgets.items():
            theirs = "structures.sumu_gadget", options
            yield Task(*exact, how, theirs, ("arcs", {}), SAMPLING)
            yield Task("structures", "sampled arcs", *exact[2:], how, theirs, ("sampled_arcs", {}), SAMPLING)


def _machines():
    work = "machines", "log likelihood", MACHINE, "machine", "scikit-learn"
    ours = "machine", {"expectations": "exact"}
    yield Task(*work, "defaults", ("machines.sklearn", {}), ours)
    best = {"n_iter": 1000, "batch_size": 100, "learning_rate": 0.05}
    yield Task(*work, "1000 epochs of 100", ("machines.sklearn", best), ours)


class Problem(dict):
    """Arrays by name, and the file that has them."""

    def __init__(self, path):
        with np.load(path) as file:
            super().__init__(file)
        self.path = path


def givens(chosen, folder):
    """The problems of tasks by the names of their tables, with what is true of them where answers are judged by it.

    They are kept in a folder until ``problems`` changes, for a truth can take longer than all that is judged by it.
    """
    version = hashlib.sha256(Path(problems.__file__).read_bytes()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for table in {task.table: None for task in chosen}:
        judged = {task.judge for task in chosen if task.table == table} & {"arcs", "evidence"}
        path = folder / f"{table} {''.join(judged)} {version}.npz"
        if not path.exists():
            np.savez(path, **_given(table, bool(judged)))
        found[table] = Problem(path)
    return found


def _given(table, with_truth):
    if table == MACHINE:
        return problems.machine(10, 5)
    if table in GRAPHS:
        given = problems.graphs(GRAPHS[table])
        return given | ({"arcs": exact_graphs(problems.family_scores(given)).arcs} if with_truth else {})
    given = problems.true_structure(PAPER[table]) if table in PAPER else problems.survey(SURVEYS[table])
    return given | (problems.truth(given) if with_truth else {})
