"""The relabellings of hidden variables and their values that leave the posterior of a discrete network as it is."""

from dataclasses import dataclass

import numpy as np

from ockham.errors import ModelError
from ockham.networks.discrete_network import DiscreteNetwork, joint_states

__all__ = ["MAX_CLASSES", "Relabellings", "exchangeable_values", "relabellings"]

MAX_CLASSES = 20
"""Classes whose permutations are averaged over; the work doubles with each."""


@dataclass(frozen=True)
class Relabellings:
    """The relabellings that leave the posterior as it is: listed ones, times the permutations of some classes.

    Attributes
    ----------
    aliases : ndarray of int64, shape (n_aliases, n_entries)
        Where each listed relabelling takes the entries from.
    classes : ndarray of int32, shape (n_classes, n_class_entries)
        The entries of each class, such as those under one value of a hidden variable, in one order; one class with
        every entry where nothing is permuted.
    shared : ndarray of int32
        The entries of no class.
    """

    aliases: np.ndarray
    classes: np.ndarray
    shared: np.ndarray

    @classmethod
    def none(cls, network: DiscreteNetwork, aliases: np.ndarray | None = None) -> "Relabellings":
        """No permutation of classes."""
        entries = np.arange(network.n_entries)
        listed = entries[None] if aliases is None else aliases
        return cls(listed, entries[None].astype(np.int32), np.empty(0, dtype=np.int32))


def relabellings(network: DiscreteNetwork, most_listed: int = 1) -> Relabellings:
    """Those of one hidden variable by its values, where the prior treats them alike; otherwise all of them, listed.

    Listed are also those of one hidden variable with at most so many values: few are faster in a list.

    Raises
    ------
    ModelError
        When there are too many to list, or more than ``MAX_CLASSES`` values.
    """
    if len(network.hidden) != 1 or network.hidden != network.relevant_hidden:
        return Relabellings.none(network, network.aliases)
    classes = exchangeable_values(network, network.hidden[0])
    if classes is None or len(classes) <= most_listed:
        return Relabellings.none(network, network.aliases)
    if len(classes) > MAX_CLASSES:
        raise ModelError(
            f"a hidden variable of {len(classes)} values has too many relabellings; {MAX_CLASSES} are allowed"
        )
    shared = np.setdiff1d(np.arange(network.n_entries), classes)
    return Relabellings(np.arange(network.n_entries)[None], classes.astype(np.int32), shared.astype(np.int32))


def exchangeable_values(network: DiscreteNetwork, variable: int) -> np.ndarray | None:
    """The entries of every family that has the variable, by its value; shape (n_values, n_entries_each).

    None where the prior tells the values apart.
    """
    first, step = [], []
    for i in range(network.n_variables):
        if network.strides[i, variable]:
            others = [v for v in (i, *network.parents[i]) if v != variable]
            states = joint_states(network.cardinalities[v] for v in others)
            first.append(network.offsets[i] + states @ network.strides[i, others])
            step.append(np.full(len(states), network.strides[i, variable]))
    values = np.arange(network.cardinalities[variable])[:, None]
    entries = np.concatenate(first) + values * np.concatenate(step)
    return entries if (network.prior[entries] == network.prior[entries[0]]).all() else None
