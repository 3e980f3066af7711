"""Linear extensions counted as section 3.3 of [NiinimakiKoivisto2013] does: in a table of all ideals of the order.

What ``linear_extensions`` finds in fewer sets; here for the comparison.
"""

from math import factorial

import numpy as np

from ockham.errors import ModelError
from ockham.kernels import ideals as kernel
from ockham.orders.graph_features import ancestors, topological_order
from ockham.orders.inference.linear_extensions import WORD
from ockham.orders.parent_sets import MAX_NODES

__all__ = ["count_in_table", "table_bytes"]

SLOTS_PER_IDEAL = 1.5


def count_in_table(parents: np.ndarray, n_ideals: int, max_bytes: float) -> int:
    """The number of linear extensions of one graph.

    Parameters
    ----------
    parents : ndarray of uint64, shape (n_nodes,)
        Masks of the parents of each node, over all nodes.
    n_ideals : int
        Number of ideals of its partial order, as ``linear_extensions.n_ideals`` finds it.
    max_bytes : float
        Memory that the table may take.

    Raises
    ------
    ModelError
        When the graph has a cycle, or the table would take more memory.
    """
    n = len(parents)
    if not 1 <= n <= MAX_NODES:
        raise ModelError(f"{n} nodes: linear extensions are counted for 1 to {MAX_NODES}")
    before = ancestors(parents)
    if any(int(mask) >> v & 1 for v, mask in enumerate(before)):
        raise ModelError("the graph has a cycle, so it has no linear extension; remove an arc")
    if (needed := table_bytes(n, n_ideals)) > max_bytes:
        raise ModelError(
            f"a table of {n_ideals:.3g} ideals takes {needed / 1e9:.3g} GB, {max_bytes / 1e9:g} GB are allowed: allow "
            "more memory, or take graphs with more arcs"
        )
    order = topological_order(parents)
    arcs = (before[order, None] >> np.array(order, dtype=np.uint64)) & np.uint64(1)
    numbered = (arcs << np.arange(n, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    limbs = np.zeros(_n_limbs(n), dtype=np.uint64)
    table = np.zeros((_n_slots(n_ideals), 1 + len(limbs)), dtype=np.uint64)
    if kernel.count(numbered, table, limbs) != n_ideals - 1:
        raise ModelError(f"the order has another number of ideals than {n_ideals}; give that of this graph")
    return sum(int(limb) * WORD**i for i, limb in enumerate(limbs))


def table_bytes(n_nodes: int, n_ideals: int) -> int:
    """What a table of so many ideals takes."""
    return 8 * (1 + _n_limbs(n_nodes)) * _n_slots(n_ideals)


def _n_slots(n_ideals: int) -> int:
    return int(SLOTS_PER_IDEAL * n_ideals)


def _n_limbs(n_nodes: int) -> int:
    """Words of 64 bits that n! takes."""
    return -(-factorial(n_nodes).bit_length() // 64)
