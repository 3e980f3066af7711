"""The exact evidence of a discrete network: the sum over every completion of the data ([BealGhahramani2006], eq. 9).

A sum over the hidden states of all rows at once is a product of smaller sums. Families without a hidden member have a
closed form, a hidden variable from which no observed variable descends sums to 1, and hidden variables interact only
where they share a family, so each group of interacting ones is a sum of its own.
"""

from dataclasses import dataclass
from math import comb, prod

import numpy as np

from ockham.kernels import complete_data
from ockham.kernels import completions as kernel
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork, joint_states
from ockham.networks.inference import set_partitions
from ockham.networks.inference.relabellings import exchangeable_values

__all__ = ["log_evidence", "predicted_completions"]


@dataclass(frozen=True)
class _Component:
    """Hidden variables that interact, the variables whose families have one of them, and the data columns in these."""

    hidden: list[int]
    families: list[int]
    columns: tuple[int, ...]


def predicted_completions(network: DiscreteNetwork, data: UniqueRows) -> int:
    """Number of terms that ``log_evidence`` adds up; 0 where the closed form is enough.

    Notes
    -----
    With H joint hidden states and a unique row that occurs w times, binomial(w + H - 1, H - 1) ways exist to divide the
    copies among the states; a component has the product over its unique rows, and the components add up. One hidden
    variable with exchangeable values is a sum over set partitions where that is shorter.
    """
    data.check_fits(network)
    total = 0
    for component in _components(network):
        by_counts = _completions_by_counts(network, data, component)
        partitions = set_partitions.n_terms(data.n, network.cardinalities[component.hidden[0]])
        total += min(by_counts, partitions) if _is_partition(network, data, component) else by_counts
    return total


def _completions_by_counts(network: DiscreteNetwork, data: UniqueRows, component: _Component) -> int:
    n_states = prod(network.cardinalities[i] for i in component.hidden)
    _, weights = _distinct(data, component.columns)
    return prod(comb(int(w) + n_states - 1, n_states - 1) for w in weights)


def _is_partition(network: DiscreteNetwork, data: UniqueRows, component: _Component) -> bool:
    """Whether the completions are partitions of few cases: one hidden root with exchangeable values."""
    return (
        data.n <= set_partitions.MAX_CASES
        and len(component.hidden) == 1
        and not network.parents[component.hidden[0]]
        and exchangeable_values(network, component.hidden[0]) is not None
    )


def log_evidence(network: DiscreteNetwork, data: UniqueRows) -> float:
    """The log evidence ln p(y | m) in nats, exact to rounding.

    Notes
    -----
    p(y | m) = sum over s of prod over ij of Gamma(lambda_ij) / Gamma(lambda_ij + N_ij) prod over k of
    Gamma(lambda_ijk + N_ijk) / Gamma(lambda_ijk), where the counts N are those of the observed y completed with the
    hidden s. Eqs. (5) and (9) of [BealGhahramani2006].
    """
    data.check_fits(network)
    components = _components(network)
    counts = _observed_counts(network, data)
    closed_form = complete_data.log_evidence(network.rows, network.prior, counts, network.n_rows)
    return closed_form + sum(_log_sum(network, data, component) for component in components)


def _components(network: DiscreteNetwork) -> list[_Component]:
    relevant = {*network.observed, *network.relevant_hidden}
    groups: list[tuple[set[int], set[int]]] = []
    for i in sorted(relevant):
        hidden = {i, *network.parents[i]}.intersection(network.hidden)
        families = {i}
        if hidden:
            for group in [g for g in groups if g[0] & hidden]:
                groups.remove(group)
                hidden |= group[0]
                families |= group[1]
            groups.append((hidden, families))
    return [_Component(sorted(hidden), sorted(families), _columns(network, families)) for hidden, families in groups]


def _columns(network: DiscreteNetwork, families: set[int]) -> tuple[int, ...]:
    members = {m for i in families for m in (i, *network.parents[i])}
    return tuple(c for c, i in enumerate(network.observed) if i in members)


def _distinct(data: UniqueRows, columns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Distinct configurations of some columns, and how often each occurs."""
    configurations, which = data.project(columns)
    weights = np.zeros(len(configurations), dtype=np.int64)
    np.add.at(weights, which, data.counts)
    return configurations, weights


def _observed_counts(network: DiscreteNetwork, data: UniqueRows) -> np.ndarray:
    """N_ijk of the families without a hidden member, and 0 elsewhere; shape (n_entries,)."""
    observed = list(network.observed)
    complete = [i for i in observed if not set(network.parents[i]) & set(network.hidden)]
    entries = np.array(network.offsets)[complete] + data.rows @ network.strides[np.ix_(complete, observed)].T
    known = data.rows[:, [observed.index(i) for i in complete]] != MISSING
    weights = np.where(known, data.counts[:, None], 0)
    entries = np.where(known, entries, 0)
    return np.bincount(entries.ravel(), weights.ravel(), minlength=network.n_entries).astype(np.float64)


def _log_sum(network: DiscreteNetwork, data: UniqueRows, component: _Component) -> float:
    """The log of one component's sum, in nats."""
    n_classes = network.cardinalities[component.hidden[0]]
    if _is_partition(network, data, component) and (
        set_partitions.n_terms(data.n, n_classes) < _completions_by_counts(network, data, component)
    ):
        return _log_sum_over_partitions(network, data, component)
    configurations, weights = _distinct(data, component.columns)
    touched, cells, log_factors = _cells(network, component, configurations, data.n)
    position = np.arange(len(touched), dtype=np.int32) * np.int32(data.n + 1)
    log_factorials = _log_rising(np.ones(1), weights.max())[0]
    return kernel.log_sum(weights, cells, log_factors, log_factorials=log_factorials, position=position)


def _cells(
    network: DiscreteNetwork, component: _Component, configurations: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What completed configurations count in: entries, and after all of these rows of entries.

    The cells that any of them touches; which of these each does, by configuration and hidden state; and what counts of
    0 to n contribute to the log evidence, 0 for a missing variable.
    """
    observed = [network.observed[c] for c in component.columns]
    states = joint_states(network.cardinalities[i] for i in component.hidden)
    entries = (
        np.array(network.offsets)[component.families]
        + (configurations @ network.strides[np.ix_(component.families, observed)].T)[:, None]
        + (states @ network.strides[np.ix_(component.families, component.hidden)].T)[None, :]
    )
    nothing = network.n_entries + network.n_rows  # from here on, what missing variables touch: each a cell of its own
    for c, i in enumerate(observed):
        if i in component.families:
            f = component.families.index(i)
            entries[configurations[:, c] == MISSING, :, f] = nothing + f
    known = np.minimum(entries, network.n_entries - 1)
    rows = np.where(entries < nothing, network.n_entries + network.rows[known], entries + len(component.families))
    touched, cells = np.unique(np.concatenate([entries, rows], axis=-1), return_inverse=True)
    cells = cells.reshape(*entries.shape[:2], -1).astype(np.int32)
    ones = np.ones(2 * len(component.families))
    prior = np.concatenate([network.prior, np.bincount(network.rows, network.prior), ones])[touched]
    sign = np.where(touched < network.n_entries, 1.0, -1.0) * (touched < nothing)
    return touched, cells, sign[:, None] * _log_rising(prior, n)


def _log_sum_over_partitions(network: DiscreteNetwork, data: UniqueRows, component: _Component) -> float:
    """The same sum by blocks of cases that share a value of the hidden variable."""
    hidden = component.hidden[0]
    cases = np.repeat(data.rows[:, list(component.columns)], data.counts, axis=0)
    touched, cells, log_factors = _cells(network, component, cases, data.n)
    in_cell = np.zeros((data.n, len(touched)), dtype=bool)
    np.put_along_axis(in_cell, cells[:, 0], True, axis=1)
    whole = (
        touched == network.n_entries + network.rows[network.offsets[hidden]]
    )  # the row of the hidden variable itself
    used = in_cell.any(axis=0) & ~whole
    log_sum = set_partitions.log_sum(log_factors[used], in_cell[:, used], network.cardinalities[hidden])
    return log_sum + float(log_factors[whole, data.n].sum())


def _log_rising(start: np.ndarray, n: int) -> np.ndarray:
    """ln Gamma(start + c) - ln Gamma(start) for c = 0 .. n, as a sum of logs, in which nothing cancels."""
    steps = np.log(start[:, None] + np.arange(n))
    return np.concatenate([np.zeros((len(start), 1)), np.cumsum(steps, axis=1)], axis=1)
