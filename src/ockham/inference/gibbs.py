"""Gibbs sampling of the hidden states and the parameters of a discrete network in turn ([ChickeringHeckerman1997])."""

from dataclasses import dataclass

import numpy as np

from ockham.datasets.unique_rows import UniqueRows
from ockham.errors import ModelError
from ockham.inference.expectation import layout
from ockham.kernels import gibbs as kernel
from ockham.models.discrete_network import DiscreteNetwork, joint_states

__all__ = ["MAX_CLASSES", "Relabellings", "State", "relabellings", "run"]

MAX_CLASSES = 20
"""Classes whose permutations are averaged over; the work doubles with each."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a chain ended, and what it saw.

    Attributes
    ----------
    log_parameters : ndarray, shape (n_entries,)
        Logs of the last draw of theta.
    best_counts : ndarray, shape (n_entries,)
        Counts of the most probable completion of the data that was visited, by ln p(D_c | m).
    log_density : ndarray, shape (n_sweeps,)
        ln p(phi* | D_c, m) in the softmax basis, averaged over the relabellings of phi*, after each sweep; nats. NaN
        without a point.
    """

    log_parameters: np.ndarray
    best_counts: np.ndarray
    log_density: np.ndarray


def run(
    network: DiscreteNetwork,
    data: UniqueRows,
    log_parameters: np.ndarray,
    rng: np.random.Generator,
    n_sweeps: int,
    log_point: np.ndarray | None = None,
    same: "Relabellings | None" = None,
) -> State:
    """Sweep from given parameters; a sweep draws every hidden state, then every parameter.

    ``log_point``, shape (n_entries,), holds the logs of the point whose posterior density is wanted, averaged over the
    relabellings that leave the posterior the ``same``; ``relabellings(network)`` by default.

    Raises
    ------
    ModelError
        When a point is given, and the network has too many relabellings to average over.
    """
    plan = layout(network, data)
    if log_point is None:
        same = Relabellings.none(network)
    elif same is None:
        same = relabellings(network)
    points = np.empty((0, network.n_entries)) if log_point is None else log_point[same.aliases]
    state = np.array(log_parameters, dtype=np.float64)
    log_completed, log_density = np.empty(n_sweeps), np.full(n_sweeps, np.nan)
    best_counts = np.empty(network.n_entries)
    n_classes = len(same.classes)
    work = np.empty(
        plan.work_size + 6 * network.n_entries + 3 * network.n_rows + 4 + len(points) + n_classes**2 + 2**n_classes
    )
    inputs = network.rows, network.row_starts, network.prior, points, same.classes, same.shared
    kernel.run(rng.bit_generator, plan, *inputs, state, log_completed, log_density, best_counts, work)
    return State(state, best_counts, log_density)


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


def relabellings(network: DiscreteNetwork) -> Relabellings:
    """Those of one hidden variable by its values, where the prior treats them alike; otherwise all of them, listed.

    Raises
    ------
    ModelError
        When there are too many to list, or more than ``MAX_CLASSES`` values.
    """
    if len(network.hidden) != 1 or network.hidden != network.relevant_hidden:
        return Relabellings.none(network, network.aliases)
    classes = _entries_by_value(network, network.hidden[0])
    if not (network.prior[classes] == network.prior[classes[0]]).all():
        return Relabellings.none(network, network.aliases)
    if len(classes) > MAX_CLASSES:
        raise ModelError(
            f"a hidden variable of {len(classes)} values has too many relabellings; {MAX_CLASSES} are allowed"
        )
    shared = np.setdiff1d(np.arange(network.n_entries), classes)
    return Relabellings(np.arange(network.n_entries)[None], classes.astype(np.int32), shared.astype(np.int32))


def _entries_by_value(network: DiscreteNetwork, variable: int) -> np.ndarray:
    """The entries of every family that has the variable, by its value; shape (n_values, n_entries_each)."""
    first, step = [], []
    for i in range(network.n_variables):
        if network.strides[i, variable]:
            others = [v for v in (i, *network.parents[i]) if v != variable]
            states = joint_states(network.cardinalities[v] for v in others)
            first.append(network.offsets[i] + states @ network.strides[i, others])
            step.append(np.full(len(states), network.strides[i, variable]))
    values = np.arange(network.cardinalities[variable])[:, None]
    return np.concatenate(first) + values * np.concatenate(step)
