"""Arcs that a graph must not have and arcs that it must have, checked before anything is computed."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from ockham.errors import ModelError
from ockham.io.arguments import sequence, shown

__all__ = ["Arc", "arcs_between", "check", "masks_of"]

Arc = tuple[int, int]
"""A parent and a child, by their numbers."""


def arcs_between(nodes: Sequence[Hashable], pairs: Any, which: str) -> tuple[Arc, ...]:
    """Arcs from pairs of nodes, by their places, ascending and each once.

    Raises
    ------
    ModelError
        For what is no list of pairs of the nodes; ``which`` of the arguments it is.
    """
    place, found = {node: v for v, node in enumerate(nodes)}, set()
    for pair in sequence(pairs, which, ModelError):
        ends = sequence(pair, f"{which}: every arc", ModelError)
        if len(ends) != 2:
            raise ModelError(f"{which}: {shown(pair)} must be a pair, a parent and a child")
        for node in ends:
            if isinstance(node, bool) or not isinstance(node, Hashable) or node not in place:
                raise ModelError(f"{which}: there is no variable {shown(node)}; there are {', '.join(map(str, nodes))}")
        found.add((place[ends[0]], place[ends[1]]))
    return tuple(sorted(found))


def check(names: Sequence[str], max_indegree: int, forbidden: Iterable[Arc], required: Iterable[Arc]) -> None:
    """Raise a ModelError where no graph can have all that is required."""
    forbidden, required = set(forbidden), set(required)
    for u, v in sorted(forbidden | required):
        if u == v:
            raise ModelError(f"{names[u]} -> {names[v]}: an arc has two ends; leave it out")
    for u, v in sorted(forbidden & required):
        raise ModelError(f"{names[u]} -> {names[v]}: is both forbidden and required; leave one out")
    parents = masks_of(len(names), required).tolist()
    for v, mask in enumerate(parents):
        if mask.bit_count() > max_indegree:
            raise ModelError(
                f"{names[v]}: {mask.bit_count()} parents are required, {max_indegree} are allowed: raise the largest "
                "indegree, or require fewer"
            )
    if cycle := _cycle(parents):
        raise ModelError(f"{' -> '.join(names[v] for v in cycle)}: required arcs make a cycle; leave one out")


def masks_of(n_nodes: int, arcs: Iterable[Arc]) -> np.ndarray:
    """Masks over all nodes of the parents of each; uint64, shape (n_nodes,)."""
    masks = np.zeros(n_nodes, dtype=np.uint64)
    for u, v in arcs:
        masks[v] |= np.uint64(1 << u)
    return masks


def _cycle(parents: list[int]) -> list[int]:
    """Nodes of a cycle, the last being the first again; none where there is no cycle."""
    left = (1 << len(parents)) - 1
    while free := [v for v in range(len(parents)) if left >> v & 1 and not parents[v] & left]:
        left ^= sum(1 << v for v in free)
    if not left:
        return []
    walk = [left.bit_length() - 1]  # every node that is left has a parent that is
    while walk[-1] not in walk[:-1]:
        walk.append((parents[walk[-1]] & left).bit_length() - 1)
    return walk[walk.index(walk[-1]) :][::-1]
