"""A MAP fit that starts from that of the model with one hidden value fewer as well."""

from collections.abc import Callable
from dataclasses import replace
from math import log

import numpy as np

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import em
from ockham.networks.inference.relabellings import exchangeable_values
from ockham.streams import Stream

__all__ = ["search"]

HARDLY = log(1e-300)
"""Log probability of the second of two values at the first start, where the first has every row."""


def search(
    network: DiscreteNetwork,
    data: UniqueRows,
    stream: Stream,
    settings: em.Search,
    worth: Callable[[DiscreteNetwork, em.State], float],
) -> em.State:
    """The better of ``em.search`` and of a climb from the MAP of the next smaller model, which is found so too.

    Better is what is ``worth`` more. At the start of the climb the value that the smaller model lacks has no row, so a
    model is not left below its own fit with one value empty. The smallest start is that of one value, under which
    nothing is hidden. Where several variables are hidden, or the prior tells the values of the one apart, no model is
    the next smaller one, and it is ``em.search``.
    """
    if len(network.hidden) != 1 or exchangeable_values(network, network.hidden[0]) is None:
        return em.search(network, data, stream, settings)
    largest = network.cardinalities[network.hidden[0]]
    n_evaluations, counts = 1, _of_one_value(_with_values(network, 2), data)
    for k in range(2, largest + 1):
        model = _with_values(network, k)
        own = stream if k == largest else stream.child("fewer values", k)
        start = _log_mean(model, model.prior + _resized(network, counts, k))
        fits = [
            em.search(model, data, own, settings),
            em.run(model, data, start, model.prior, **settings.limits(data.n)),
        ]
        n_evaluations += sum(fit.n_evaluations for fit in fits)
        best = fits[int(np.argmax([worth(model, fit) for fit in fits]))]
        counts = best.counts
    return replace(best, n_evaluations_before=n_evaluations - best.n_iterations - 1)


def _of_one_value(network: DiscreteNetwork, data: UniqueRows) -> np.ndarray:
    """Expected counts where the first of two hidden values has every row; shape (n_entries,)."""
    log_parameters = _log_mean(network, network.prior)
    network.family(network.hidden[0], log_parameters)[:] = 0.0, HARDLY
    return em.init(network, data, log_parameters, network.prior).counts


def _with_values(network: DiscreteNetwork, k: int) -> DiscreteNetwork:
    """The network whose one hidden variable has k values, with the prior of its first k."""
    (hidden,) = network.hidden
    cardinalities = tuple(k if i == hidden else r for i, r in enumerate(network.cardinalities))
    return replace(network, cardinalities=cardinalities, prior=_resized(network, network.prior, k))


def _resized(network: DiscreteNetwork, flat: np.ndarray, k: int) -> np.ndarray:
    """A flat vector under k hidden values: those beyond are left out, those that it lacks are 0.

    It is of the network with whatever number of hidden values.
    """
    (hidden,) = network.hidden
    families = [(*network.parents[i], i) for i in range(network.n_variables)]
    others = [int(np.prod([network.cardinalities[v] for v in family if v != hidden])) for family in families]
    with_hidden = [hidden in family for family in families]
    shared = sum(size for size, has in zip(others, with_hidden, strict=True) if not has)
    r = (len(flat) - shared) // sum(size for size, has in zip(others, with_hidden, strict=True) if has)
    parts, first = [], 0
    for family, size, has in zip(families, others, with_hidden, strict=True):
        shape = [r if v == hidden else network.cardinalities[v] for v in family]
        table = flat[first : first + size * (r if has else 1)].reshape(shape)
        first += table.size
        if has:
            axis = family.index(hidden)
            table = np.take(table, range(min(r, k)), axis)
            table = np.pad(table, [(0, max(k - r, 0) if at == axis else 0) for at in range(table.ndim)])
        parts.append(table.ravel())
    return np.concatenate(parts)


def _log_mean(network: DiscreteNetwork, counts: np.ndarray) -> np.ndarray:
    """Logs of the rows of counts, each divided by its sum."""
    logs: np.ndarray = np.log(counts / np.add.reduceat(counts, network.row_starts[:-1])[network.rows])
    return logs
