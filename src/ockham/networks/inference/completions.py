"""The evidence of a discrete network by completions of the data: their sum ([BealGhahramani2006], eq. 9), or annealing.

A sum over the hidden states of all rows at once is a product of smaller sums. Families without a hidden member have a
closed form, a hidden variable from which no observed variable descends sums to 1, and hidden variables interact only
where they share a family, so each group of interacting ones is a sum of its own.

A variable with missing cells to fill is one more hidden variable, of the rows concerned. Rows that leave nothing open
in a group are counted beforehand, so that its sum goes over the completions of the others.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb, lgamma, log, prod

import numpy as np

from ockham.estimation import partition_sums
from ockham.estimation.memory import check_memory
from ockham.kernels import complete_data
from ockham.kernels import completions as kernel
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import set_partitions
from ockham.networks.inference.missing_cells import expand, to_fill
from ockham.networks.inference.relabellings import exchangeable_values

__all__ = ["MOST_COMPLETIONS", "check_rows", "log_evidence", "log_rising", "log_weight", "predicted_completions"]

N_NUMBERS = 16
"""Numbers of each family in each way to complete a row, at the most."""
MOST_COMPLETIONS = 10**1000
"""That are counted; the digits of more would take long to find, and there may be millions."""


@dataclass(frozen=True, eq=False)
class _Component:
    """Hidden variables that interact, the variables whose families have one of them, and the rows of these families.

    Attributes
    ----------
    hidden, families, members : list of int
        Variables with cells to fill are among the hidden ones. The members are all variables of the families.
    rows : ndarray of int64, shape (n_rows, n_members)
        The distinct rows, 0 for a hidden variable.
    free : ndarray of bool, shape (n_rows, n_members)
        What is summed over.
    which, counts : ndarray of int64
        The row that each unique row of the data has, and how often that occurs.
    """

    hidden: list[int]
    families: list[int]
    members: list[int]
    rows: np.ndarray
    free: np.ndarray
    which: np.ndarray
    counts: np.ndarray

    @cached_property
    def weights(self) -> np.ndarray:
        """How often each row occurs; int64, shape (n_rows,)."""
        weights = np.zeros(len(self.rows), dtype=np.int64)
        np.add.at(weights, self.which, self.counts)
        return weights

    @cached_property
    def is_open(self) -> np.ndarray:
        """Which rows leave something open; bool, shape (n_rows,)."""
        return np.asarray(self.free.any(axis=1))


def predicted_completions(network: DiscreteNetwork, data: UniqueRows) -> int:
    """Number of terms that ``log_evidence`` adds up, at the most ``MOST_COMPLETIONS``; 0 for the closed form.

    Notes
    -----
    A unique row that leaves H joint states open and occurs w times has binomial(w + H - 1, H - 1) ways to divide the
    copies among the states; a component has the product over its unique rows, and the components add up. One hidden
    variable with exchangeable values is a sum over set partitions where that is shorter.
    """
    return _n_completions(network, _components(network, data))


def check_rows(network: DiscreteNetwork, n: int) -> int:
    """Refuse n complete rows before they are known, all different as far as the network allows, for their memory.

    Returns
    -------
    int
        The fewest terms that their sum can have, which is that of rows all alike.

    Raises
    ------
    ModelError
        When they would take more memory than allowed.
    """
    alike = UniqueRows(np.zeros((1, len(network.observed)), dtype=np.int64), np.array([n]))
    components = _components(network, alike)
    for component in components:
        (n_states,) = _n_states(network, component)
        others = [network.cardinalities[m] for m in component.members if m not in component.hidden]
        _check_size(network, component, min(n, prod(others)) * n_states, n_states, n)
    return _n_completions(network, components)


def log_evidence(network: DiscreteNetwork, data: UniqueRows) -> float:
    """The log evidence ln p(y | m) in nats, exact to rounding.

    Raises
    ------
    ModelError
        When the ways to complete single rows would take more memory than allowed.

    Notes
    -----
    p(y | m) = sum over s of prod over ij of Gamma(lambda_ij) / Gamma(lambda_ij + N_ij) prod over k of
    Gamma(lambda_ijk + N_ijk) / Gamma(lambda_ijk), where the counts N are those of the observed y completed with the
    hidden s. Eqs. (5) and (9) of [BealGhahramani2006].
    """
    components, prior, closed_form = _divided(network, data)
    return closed_form + sum(_log_sum(network, component, prior) for component in components)


def log_weight(network: DiscreteNetwork, data: UniqueRows, temperatures: np.ndarray, rng: np.random.Generator) -> float:
    """ln w of a run of annealed importance sampling over completions, nats; its exp is unbiased for the evidence.

    From completions that are all as probable, through p(s, y | m) ** temperature, to their posterior, by a sweep of
    collapsed Gibbs sampling at each temperature; shape (n_steps + 1,), from 0 to 1.

    Raises
    ------
    ModelError
        When the ways to complete single rows would take more memory than allowed.

    Notes
    -----
    Section 7 of [BealGhahramani2006]. Groups of hidden variables that interact are annealed apart: weights multiply.
    """
    components, prior, closed_form = _divided(network, data)
    return closed_form + sum(_log_weight(network, one, prior, temperatures, rng) for one in components)


def _divided(network: DiscreteNetwork, data: UniqueRows) -> tuple[list[_Component], np.ndarray, float]:
    """The components, the hyperparameters after what is in none of them, and the log evidence of that, in nats."""
    components = _components(network, data)
    for component in components:
        _check(network, component)
    counts = _known_counts(network, data, components)
    closed_form = complete_data.log_evidence(network.rows, network.prior, counts, network.n_rows)
    return components, network.prior + counts, closed_form


def _components(network: DiscreteNetwork, data: UniqueRows) -> list[_Component]:
    """The groups. Rows without a value, which sum to 1, are left out."""
    data.check_fits(network)
    if not data.known.any():
        return []
    if not data.known.all():
        data = UniqueRows(data.rows[data.known], data.counts[data.known])
    free = to_fill(network, data)
    unknown = {*network.hidden, *(network.observed[c] for c in np.flatnonzero(free.any(axis=0)))}
    groups: list[tuple[set[int], set[int]]] = []
    for i in sorted({*network.observed, *network.relevant_hidden}):
        hidden = unknown.intersection({i, *network.parents[i]})
        families = {i}
        if hidden:
            for group in [g for g in groups if g[0] & hidden]:
                groups.remove(group)
                hidden |= group[0]
                families |= group[1]
            groups.append((hidden, families))
    return [_component(network, data, free, sorted(hidden), sorted(families)) for hidden, families in groups]


def _component(
    network: DiscreteNetwork, data: UniqueRows, free: np.ndarray, hidden: list[int], families: list[int]
) -> _Component:
    members = sorted({m for i in families for m in (i, *network.parents[i])})
    columns = tuple(c for c, i in enumerate(network.observed) if i in members)
    observed = [members.index(network.observed[c]) for c in columns]
    configurations, which = data.project(columns)
    rows = np.zeros((len(configurations), len(members)), dtype=np.int64)
    rows[:, observed] = configurations
    is_free = np.ones(rows.shape, dtype=bool)
    any_of = np.zeros(len(rows), dtype=np.int64)
    any_of[which] = np.arange(len(which))  # those with one configuration have the same cells to fill
    is_free[:, observed] = free[any_of][:, columns]
    return _Component(hidden, families, members, rows, is_free, which, data.counts)


def _n_completions(network: DiscreteNetwork, components: list[_Component]) -> int:
    return min(sum(min(_n_terms(network, component)) for component in components), MOST_COMPLETIONS)


def _n_terms(network: DiscreteNetwork, component: _Component) -> list[int]:
    """Number of terms of the sum by counts, and of that by set partitions where there is one."""
    rows = Counter(zip(component.weights.tolist(), _n_states(network, component), strict=True))
    by_counts = _n_divisions(rows)
    n, (first, *others) = int(component.weights.sum()), component.hidden
    is_partition = n <= partition_sums.MAX_CASES and not others and not network.parents[first]
    if is_partition and first in network.hidden and exchangeable_values(network, first) is not None:
        return [by_counts, partition_sums.n_terms(n, network.cardinalities[first])]
    return [by_counts]


def _n_divisions(rows: Mapping[tuple[int, int], int]) -> int:
    """Ways to divide the copies of rows among their states, by how often each has a row and how many states it has."""
    log_number = sum(times * (lgamma(w + h) - lgamma(h) - lgamma(w + 1)) for (w, h), times in rows.items())
    if log_number > 2 * log(MOST_COMPLETIONS):  # which no rounding of the logarithm explains
        return MOST_COMPLETIONS
    return prod(comb(w + h - 1, h - 1) ** times for (w, h), times in rows.items())


def _n_states(network: DiscreteNetwork, component: _Component) -> list[int]:
    """In how many ways each row can be completed."""
    cardinalities = np.array([network.cardinalities[m] for m in component.members], dtype=object)
    found: list[int] = np.where(component.free, cardinalities, 1).prod(axis=1).tolist()
    return found


def _check(network: DiscreteNetwork, component: _Component) -> None:
    """Raise a ModelError when the ways to complete single rows would take more memory than allowed."""
    n_states = _n_states(network, component)
    n = int(component.weights[component.is_open].sum())
    _check_size(network, component, sum(n_states), max(n_states), n)


def _check_size(network: DiscreteNetwork, component: _Component, n_states: int, most: int, n: int) -> None:
    """Of n rows that leave something open, with so many ways to complete all distinct ones, and the most of one."""
    n_families = len(component.families)
    n_cells = min(2 * n_families * n_states, network.n_entries + network.n_rows)
    check_memory(
        n_states * (len(component.members) + N_NUMBERS * n_families) + 2 * n_cells * n,
        f"completions of {n:,} rows, with up to {most:,} ways to complete one",
        "leave out rows, or cells that are missing, or use another estimator",
    )


def _known_counts(network: DiscreteNetwork, data: UniqueRows, components: list[_Component]) -> np.ndarray:
    """N_ijk of the families in no component, and of the rows that leave nothing open in one; shape (n_entries,)."""
    observed = list(network.observed)
    summed = {i for component in components for i in component.families}
    complete = [i for i in observed if i not in summed]
    entries = np.array(network.offsets)[complete] + data.rows @ network.strides[np.ix_(complete, observed)].T
    known = data.rows[:, [observed.index(i) for i in complete]] != MISSING
    weights = np.where(known, data.counts[:, None], 0)
    entries = np.where(known, entries, 0)
    counts = np.bincount(entries.ravel(), weights.ravel(), minlength=network.n_entries).astype(np.float64)
    for component in components:
        closed = ~component.is_open
        entries, known = _entries(network, component, component.rows[closed])
        weights = np.where(known, component.weights[closed][:, None], 0)
        counts += np.bincount(np.where(known, entries, 0).ravel(), weights.ravel(), minlength=network.n_entries)
    return counts


def _entries(network: DiscreteNetwork, component: _Component, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The entry of every family at completed rows, shape (n, n_families), and whether it counts or is left out."""
    strides = network.strides[np.ix_(component.families, component.members)]
    entries = np.array(network.offsets)[component.families] + rows @ strides.T
    return entries, rows[:, [component.members.index(i) for i in component.families]] != MISSING


def _log_sum(network: DiscreteNetwork, component: _Component, prior: np.ndarray) -> float:
    """The log of one component's sum, in nats, under a prior that has the rows which leave nothing open."""
    by_counts, *by_partitions = _n_terms(network, component)
    if by_partitions and by_partitions[0] < by_counts:
        return _log_sum_over_partitions(network, component, prior)
    weights = component.weights[component.is_open]
    touched, starts, cells, log_factors = _cells(network, component, prior)
    position = np.arange(len(touched), dtype=np.int32) * np.int32(log_factors.shape[1])
    log_factorials = log_rising(np.ones(1), weights.max())[0]
    return kernel.log_sum(weights, starts, cells, log_factors, log_factorials=log_factorials, position=position)


def _log_weight(
    network: DiscreteNetwork,
    component: _Component,
    prior: np.ndarray,
    temperatures: np.ndarray,
    rng: np.random.Generator,
) -> float:
    """The log weight of one component's annealing, in nats."""
    weights = component.weights[component.is_open]
    touched, starts, cells, log_factors = _cells(network, component, prior)
    n_states = np.diff(starts)
    found = kernel.log_weight(
        rng.bit_generator,
        weights,
        starts,
        cells,
        log_factors,
        position=np.arange(len(touched), dtype=np.int32) * np.int32(log_factors.shape[1]),
        temperatures=temperatures,
        n_transitions=1,
        chosen=np.empty(weights.sum(), dtype=np.int32),
        work=np.empty(n_states.max()),
    )
    return found + float(weights @ np.log(n_states))


def _cells(
    network: DiscreteNetwork, component: _Component, prior: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What the completions of open rows count in: entries, and after all of these rows of entries.

    The cells that any of them touches; where the completions of each row start; which cells each of them touches; and
    what counts of 0 to n contribute to the log evidence, 0 for what is left out.
    """
    is_open, n_families = component.is_open, len(component.families)
    cardinalities = [network.cardinalities[m] for m in component.members]
    completed, source = expand(component.rows[is_open], component.free[is_open], cardinalities)
    starts = np.append(0, np.cumsum(np.bincount(source))).astype(np.int32)
    entries, known = _entries(network, component, completed)
    nothing = network.n_entries + network.n_rows  # from here on, what is left out: each family has a cell of its own
    entries = np.where(known, entries, nothing + np.arange(n_families))
    rows = np.where(known, network.n_entries + network.rows[np.where(known, entries, 0)], entries + n_families)
    touched, cells = np.unique(np.concatenate([entries, rows], axis=-1), return_inverse=True)
    cells = cells.reshape(len(entries), -1).astype(np.int32)
    starting = np.concatenate([prior, np.bincount(network.rows, prior), np.ones(2 * n_families)])[touched]
    sign = np.where(touched < network.n_entries, 1.0, -1.0) * (touched < nothing)
    return touched, starts, cells, sign[:, None] * log_rising(starting, int(component.weights[is_open].sum()))


def _log_sum_over_partitions(network: DiscreteNetwork, component: _Component, prior: np.ndarray) -> float:
    """The same sum by blocks of cases that share a value of the hidden variable."""
    (hidden,) = component.hidden
    touched, starts, cells, log_factors = _cells(network, component, prior)
    cases = np.repeat(component.which, component.counts)
    in_cell = np.zeros((len(cases), len(touched)), dtype=bool)
    np.put_along_axis(in_cell, cells[starts[cases]], True, axis=1)
    whole = (
        touched == network.n_entries + network.rows[network.offsets[hidden]]
    )  # the row of the hidden variable itself
    used = in_cell.any(axis=0) & ~whole
    log_sum = set_partitions.log_sum(log_factors[used], in_cell[:, used], network.cardinalities[hidden])
    return log_sum + float(log_factors[whole, -1].sum())


def log_rising(start: np.ndarray, n: int) -> np.ndarray:
    """ln Gamma(start + c) - ln Gamma(start) for c = 0 .. n, as a sum of logs, in which nothing cancels."""
    steps = np.log(start[:, None] + np.arange(n))
    return np.concatenate([np.zeros((len(start), 1)), np.cumsum(steps, axis=1)], axis=1)
