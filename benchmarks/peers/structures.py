"""Graphs of complete tables by the peers: masks of parents of the best one, or the probabilities of all arcs."""

from functools import partial

import numpy as np

__all__ = ["pgmpy", "sumu_exact", "sumu_gadget"]


def pgmpy(given, **settings):
    """Hill climbing by the BDeu score of the problem."""
    import pandas as pd
    from pgmpy.causal_discovery import HillClimbSearch
    from pgmpy.structure_score import BDeu

    rows = pd.DataFrame(given["states"])

    def work():
        score = BDeu(rows, equivalent_sample_size=1)
        climb = HillClimbSearch(scoring_method=score, return_type="dag", show_progress=False, **settings)
        return climb.fit(rows).causal_graph_.edges()

    def read(found):
        masks = [0] * rows.shape[1]
        for parent, child in found:
            masks[child] |= 1 << parent
        return masks

    return work, read


def sumu_exact(given):
    """The weights of all parent sets summed over all graphs."""
    import sumu
    from sumu.gadget import LocalScore

    n, most = given["states"].shape[1], int(given["max_indegree"])
    others = np.array([[u for u in range(n) if u != v] for v in range(n)], dtype=np.int32)

    def work():
        rows = sumu.Data(given["states"].astype(np.int32))
        scores = LocalScore(rows, scoref="bdeu", prior="uniform", maxid=most, ess=1)
        return sumu.aps(scores.all_candidate_restricted_scores(others))

    def read(weights):
        arcs, sets = np.zeros((n, n)), np.arange(2 ** (n - 1))
        for v, row in enumerate(weights):
            shares = np.exp(row - np.logaddexp.reduce(row))
            for i, u in enumerate(others[v]):
                arcs[u, v] = shares[sets >> i & 1 == 1].sum()
        return arcs.tolist()

    return work, read


def sumu_gadget(given, **settings):
    """Graphs sampled from partitions; its prior, which is fixed in its code, is exchanged for the problem's."""
    import sumu
    from sumu import gadget

    n, most = given["states"].shape[1], int(given["max_indegree"])
    gadget.LocalScore = partial(gadget.LocalScore, prior="uniform")

    def work():
        np.random.seed(0)  # noqa: NPY002, the peer draws from it
        rows = sumu.Data(given["states"].astype(np.int32))
        return sumu.Gadget(data=rows, scoref="bdeu", ess=1, d=most, tolerance=2**-32, **settings).sample()

    def read(found):
        graphs = found[0]
        arcs = np.zeros((n, n))
        for graph in graphs:
            for child, *parents in graph:
                arcs[list(parents[0]) if parents else [], child] += 1 / len(graphs)
        return arcs.tolist()

    return work, read
