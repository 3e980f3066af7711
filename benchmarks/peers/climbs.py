"""Hill climbing by pgmpy from several graphs, whose scores of families are computed once: the best that it ends in."""

import numpy as np
import structures

__all__ = ["pgmpy"]


def pgmpy(given, n_starts, **settings):
    """Climbs from no arc and from random graphs, with up to as many parents of a node as it may have."""
    import pandas as pd
    from pgmpy.base import DAG
    from pgmpy.causal_discovery import HillClimbSearch
    from pgmpy.structure_score import BDeu

    rows, rng = pd.DataFrame(given["states"]), np.random.default_rng(0)

    def random_graph():
        graph, order = DAG(), rng.permutation(rows.shape[1]).tolist()
        graph.add_nodes_from(order)
        for k, node in enumerate(order):
            parents = rng.choice(order[:k], min(k, rng.integers(settings["max_indegree"] + 1)), replace=False)
            graph.add_edges_from((parent, node) for parent in parents.tolist())
        return graph

    starts = [None, *(random_graph() for _ in range(1, n_starts))]

    def work():
        score = BDeu(rows, equivalent_sample_size=1)
        alike = {"scoring_method": score, "return_type": "dag", "show_progress": False} | settings
        found = [HillClimbSearch(start_dag=start, **alike).fit(rows).causal_graph_ for start in starts]
        return max(found, key=score.score).edges()

    _, read = structures.pgmpy(given)
    return work, read
