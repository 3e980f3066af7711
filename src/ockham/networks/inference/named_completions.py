"""Annealing over completions from a distribution that is near one name of each hidden variable and value.

A distribution q of the completions s, a product over the cases as variational EM has it, is near one of the S names of
a mode. So a path from it to the posterior of the completions is short, but it leads to one name only, and the chain
must not wander to others on it: its end is p(s, y | m) r(s), where r says how probable it is that s has the name that
q is near, and has the sum S over all names of s: S q(s) / sum of q over these where they are listed, and else the
probability that the classes of s, which draw names by q one after another, draw those that they have (``kernels``).
Names share the posterior alike, so the sum of that over all s is the evidence.
"""

from math import prod
from typing import NamedTuple

import numpy as np

from ockham.estimation.bridge_sampling import Bridge, bridge
from ockham.estimation.memory import check_memory
from ockham.estimation.resampling import systematic
from ockham.kernels import complete_data
from ockham.kernels import named_completions as kernel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import information
from ockham.networks.inference.completions import log_rising
from ockham.networks.inference.expected_logs import expected_logs
from ockham.networks.inference.labelling import log_n_relabellings
from ockham.networks.inference.missing_cells import n_fillings
from ockham.networks.inference.relabellings import relabellings
from ockham.streams import Stream

__all__ = ["BothWays", "NamedCompletions", "Reference", "Walk", "check_rows", "reference_of"]

FLOOR, WIDER = 0.01, 0.3
"""Share of the uniform distribution in q for every row, so that no way to complete it is out of reach; and what wider
ones have more of it."""
MOST_LISTED = 3
"""Values of the one hidden variable, of which the names are listed; of more they are drawn in turn."""
N_WALKS, FIRST_STEPS, N_SEEN, SWEEPS_APART = 16, 64, 32, 4
"""Chains that learn how often a row is completed in a way, their steps to the posterior, and how often each is looked
at there, after so many sweeps each time."""
N_TRIALS, TRIAL_STEPS, N_REFITS = 8, 32, 2
"""Chains that try a distribution to start at, their steps there, and how often it is fitted to what chains see."""
N_COPIES = 8
"""Numbers of each family in each way to complete each row, at the most."""


class Reference(NamedTuple):
    """A distribution of the ways to complete each distinct row, which chains start at.

    Attributes
    ----------
    log_q : ndarray, shape (n_ways,)
        Nats.
    names : ndarray of int32, shape (n_names, H)
        Of which it is near one: what each makes of every hidden configuration; none for all permutations.
    log_names : float
        ln of their number, nats.
    """

    log_q: np.ndarray
    names: np.ndarray
    log_names: float


class Walk(NamedTuple):
    """What a chain did.

    Attributes
    ----------
    log_weight : float
        Of its path, nats.
    ways : ndarray of int32, shape (n,)
        How every case is completed where it ended.
    share_accepted : float
        Of what it drew, for it kept the name, or took another that is as good.
    """

    log_weight: float
    ways: np.ndarray
    share_accepted: float


class BothWays(NamedTuple):
    """What chains did that went to the posterior, and others that went back.

    Attributes
    ----------
    log_weights, log_weights_back : ndarray, shape (n_chains,)
        Nats.
    share_accepted : float
        As of ``Walk``.
    bridge : Bridge
        Of the weights.
    ends : list of ndarray of int32, shape (n,)
        How every case is completed where the chains back began, which is about as probable as a posteriori.
    """

    log_weights: np.ndarray
    log_weights_back: np.ndarray
    share_accepted: float
    bridge: Bridge
    ends: list[np.ndarray]


def check_rows(network: DiscreteNetwork, n: int) -> None:
    """Refuse n complete rows before they are known, all different as far as the network allows.

    Raises
    ------
    ModelError
        When their completions would take more memory than allowed, or there are too many names.
    """
    n_rows = min(n, prod(network.cardinalities[i] for i in network.observed))
    _check_size(network, n, n_rows * network.n_hidden_configurations)


def _check_size(network: DiscreteNetwork, n: int, n_ways: int) -> None:
    h = network.n_hidden_configurations
    n_cells = network.n_entries + network.n_rows + 4 * network.n_variables
    check_memory(
        N_COPIES * float(n_ways) * network.n_variables + 3 * float(n_cells) * (n + 1) + float(h) ** 2,
        f"{n_ways:,} ways to complete the rows, {n:,} with their repetitions",
        "leave out rows, or cells that are missing, or use another estimator",
    )
    relabellings(network, MOST_LISTED)


class NamedCompletions:
    """The completions of data, and walks among them.

    Parameters
    ----------
    network : DiscreteNetwork
        Without hidden variables that have no observed descendants.
    data : UniqueRows

    Attributes
    ----------
    nothing_open : bool
        Whether there is one way to complete the data.
    log_known : float
        What does not depend on the way, nats; the log evidence where nothing is open.

    Raises
    ------
    ModelError
        When the completions would take more memory than allowed, or there are too many names.
    """

    def __init__(self, network: DiscreteNetwork, data: UniqueRows) -> None:
        data.check_fits(network)
        n_ways = int(n_fillings(network, data)[data.known].sum()) * network.n_hidden_configurations
        _check_size(network, data.n, n_ways)
        self._network, self._data = network, data
        parts = information.completions(network, data, np.zeros(network.n_entries))
        parts_of_rows = [part.rows for part in parts] or [np.empty(0, dtype=np.int64)]
        order, entries = np.concatenate(parts_of_rows), [e for part in parts for e in part.entries]
        self._counts = data.counts[order]
        self._rows = np.repeat(np.arange(len(order), dtype=np.int32), self._counts)
        self._starts = np.cumsum([0, *map(len, entries)], dtype=np.int32)
        flat = np.concatenate(entries) if entries else np.empty((0, network.n_variables), dtype=np.int64)
        self._entries = flat.astype(np.int32)
        self._n_ways = np.repeat(np.diff(self._starts), np.diff(self._starts)).astype(np.float64)
        first = np.repeat(self._starts[:-1], np.diff(self._starts))
        is_open = (flat != flat[first]).any(axis=0)
        self.nothing_open = not is_open.any()
        counts = np.zeros(network.n_entries + 1)
        np.add.at(counts, flat[self._starts[:-1]][:, ~is_open], self._counts[:, None])
        self.log_known = complete_data.log_evidence(network.rows, network.prior, counts[:-1], network.n_rows)
        if self.nothing_open:
            return
        same = relabellings(network, MOST_LISTED)
        self._log_names = log_n_relabellings(same)
        h, permuted = network.n_hidden_configurations, len(same.classes) > 1
        self._names = np.empty((0, h), dtype=np.int32) if permuted else _names(same.aliases, flat[:h])
        self._cells, self._log_factors = _cells(network, flat[:, is_open], len(self._rows))
        steps = np.diff(self._log_factors, axis=1)
        self._log_steps = np.ascontiguousarray(np.pad(steps, ((0, 0), (0, 1))))  # nothing follows the last count
        self._position = np.empty(len(self._log_factors), dtype=np.int32)
        self._before = np.empty(len(self._rows), dtype=np.int32)
        self._most_ways = int(np.diff(self._starts).max())

    @property
    def alike(self) -> Reference:
        """All ways of a row as probable, which is near no name."""
        return Reference(-np.log(self._n_ways), np.arange(self._names.shape[1], dtype=np.int32)[None], 0.0)

    def reference(self, log_parameters: np.ndarray) -> Reference:
        """The ways of every row given log parameters, or their means."""
        parts = information.completions(self._network, self._data, log_parameters)
        posterior = np.concatenate([part.posterior.ravel() for part in parts])
        return Reference(np.log((1 - FLOOR) * posterior + FLOOR / self._n_ways), self._names, self._log_names)

    def wider(self, reference: Reference) -> Reference:
        """With a larger share of the uniform distribution."""
        return reference._replace(log_q=np.log((1 - WIDER) * np.exp(reference.log_q) + WIDER / self._n_ways))

    def forward(self, reference: Reference, n_steps: int, rng: np.random.Generator) -> Walk:
        """From a draw of q to the posterior; the weight is unbiased for the evidence."""
        up_to = np.cumsum(np.exp(reference.log_q))
        first_way, last_way = self._starts[self._rows], self._starts[self._rows + 1] - 1
        below = np.where(first_way > 0, up_to[first_way - 1], 0.0)
        drawn = np.searchsorted(up_to, below + rng.random(len(self._rows)) * (up_to[last_way] - below), side="right")
        ways = np.clip(drawn, first_way, last_way).astype(np.int32)
        found, first, _, accepted = self._run(reference, ways, np.linspace(0.0, 1.0, n_steps + 1), rng)
        return Walk(self.log_known + reference.log_names + first + found, ways, accepted)

    def back(self, reference: Reference, ways: np.ndarray, n_steps: int, rng: np.random.Generator) -> Walk:
        """As many steps at the posterior, and from there to q; the weight is minus the log of one of the inverse.

        That is unbiased for 1 / p(y | m), as far as the ways are then a draw of the posterior.
        """
        ways = ways.copy()
        *_, at_posterior = self._run(reference, ways, np.ones(n_steps + 1), rng)
        found, _, last, accepted = self._run(reference, ways, np.linspace(1.0, 0.0, n_steps + 1), rng)
        return Walk(self.log_known + reference.log_names + last - found, ways, (at_posterior + accepted) / 2)

    def both_ways(self, reference: Reference, n_chains: int, n_steps: int, rng: np.random.Generator) -> BothWays:
        """Chains to the posterior, and as many back, from ends that are drawn by their weights."""
        there = [self.forward(reference, n_steps, rng) for _ in range(n_chains)]
        log_weights = np.array([walk.log_weight for walk in there])
        ends = [there[i].ways for i in systematic(np.exp(log_weights - log_weights.max()), n_chains, rng)]
        again = [self.back(reference, ways, n_steps, rng) for ways in ends]
        log_weights_back = np.array([walk.log_weight for walk in again])
        accepted = float(np.mean([walk.share_accepted for walk in (*there, *again)]))
        return BothWays(log_weights, log_weights_back, accepted, bridge([log_weights_back], log_weights), ends)

    def counts(self, ways: np.ndarray) -> np.ndarray:
        """How many cases each parameter is of where they are completed so; shape (n_entries,)."""
        n_entries = self._network.n_entries
        counts: np.ndarray = np.bincount(self._entries[ways].ravel(), minlength=n_entries + 1)[:n_entries]
        return counts.astype(np.float64)

    def refitted(self, reference: Reference, rng: np.random.Generator) -> tuple[Reference, int]:
        """How often every row is completed in every way in chains that go on at the posterior, and their sweeps."""
        seen = FLOOR * N_WALKS * N_SEEN / self._n_ways
        of_cases = 1.0 / self._counts[self._rows]
        for _ in range(N_WALKS):
            ways = self.forward(reference, FIRST_STEPS, rng).ways
            for _ in range(N_SEEN):
                self._run(reference, ways, np.ones(SWEEPS_APART + 1), rng)
                np.add.at(seen, ways, of_cases)
        totals = np.repeat(np.add.reduceat(seen, self._starts[:-1]), np.diff(self._starts))
        return reference._replace(log_q=np.log(seen / totals)), N_WALKS * (FIRST_STEPS + N_SEEN * SWEEPS_APART)

    def _run(
        self, reference: Reference, ways: np.ndarray, temperatures: np.ndarray, rng: np.random.Generator
    ) -> tuple[float, float, float, float]:
        h = self._names.shape[1]
        found: tuple[float, float, float, float] = kernel.run(
            rng.bit_generator,
            rows=self._rows,
            starts=self._starts,
            cells=self._cells,
            names=reference.names,
            log_steps=self._log_steps,
            log_factors=self._log_factors,
            log_reference=reference.log_q,
            position=self._position,
            temperatures=temperatures,
            chosen=ways,
            before=self._before,
            work=np.empty(kernel.work_size(h, self._most_ways, len(self._position))),
            parts=np.empty((2, h), dtype=np.int32),
        )
        return found


def reference_of(
    network: DiscreteNetwork, completions: NamedCompletions, posteriors: np.ndarray, n_steps: int, stream: Stream
) -> tuple[Reference, int]:
    """The distribution between which and the posterior paths overlap most, and the sweeps that it took to find it.

    By the mean log weight of trial chains, which is below the evidence by what they lose on the way, one is found that
    is near one name: the variational posterior of a mode, or what chains from the best of these see at the posterior,
    which is wider, and so better, unless the names of small classes are lost there. Chains of n_steps both ways then
    compare it with one that is wider still, and with all ways alike, the best of a few rows, and where data hardly tell
    the values of what is hidden.
    """
    rng, n_sweeps = stream.child("references").generator(), 0

    def tried(reference: Reference) -> float:
        nonlocal n_sweeps
        n_sweeps += N_TRIALS * TRIAL_STEPS
        return float(np.mean([completions.forward(reference, TRIAL_STEPS, rng).log_weight for _ in range(N_TRIALS)]))

    references = [completions.reference(expected_logs(network, posterior)) for posterior in posteriors]
    value, k = max((tried(reference), k) for k, reference in enumerate(references))
    best = references[k]
    for _ in range(N_REFITS):
        refitted, n_seen = completions.refitted(best, rng)
        n_sweeps += n_seen
        if (found := tried(refitted)) > value:
            value, best = found, refitted
    compared = [best, completions.wider(best), completions.alike]
    overlaps = [completions.both_ways(reference, N_TRIALS, n_steps, rng).bridge.overlap for reference in compared]
    return compared[int(np.argmax(overlaps))], n_sweeps + 3 * len(compared) * N_TRIALS * n_steps


def _names(aliases: np.ndarray, entries: np.ndarray) -> np.ndarray:
    """What each listed relabelling makes of every hidden configuration, shape (n_names, H).

    By the entries of a row under each of them, shape (H, n_variables).
    """
    place = {tuple(sorted(row)): h for h, row in enumerate(entries.tolist())}
    moved = np.pad(aliases, ((0, 0), (0, 1)), constant_values=aliases.shape[1])[:, entries]  # what is left out stays
    return np.array([[place[tuple(sorted(row))] for row in of_one] for of_one in moved.tolist()], dtype=np.int32)


def _cells(network: DiscreteNetwork, entries: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The cells that count each row in each way, shape (n_ways, n_touched), and their log evidence by the count, nats.

    Entries and rows of the parameters, of which those that count the same rows in the same ways, as the rows of all
    items under one class do where no cell is missing, are one cell. What is left out has cells of its own that count
    for nothing.
    """
    n_ways, n_families = entries.shape
    nothing = network.n_entries + network.n_rows
    own, left_out = nothing + np.arange(n_families), entries == network.n_entries
    in_rows = network.n_entries + np.append(network.rows, 0)[entries]
    touching = np.where(left_out, own, entries), np.where(left_out, own + n_families, in_rows)
    touched, cells = np.unique(np.concatenate(touching, axis=1), return_inverse=True)
    cells = cells.reshape(n_ways, -1)
    starting = np.concatenate([network.prior, np.bincount(network.rows, network.prior), np.ones(2 * n_families)])
    sign = np.where(touched < network.n_entries, 1.0, -1.0) * (touched < nothing)
    # Cells that count alike have one sum of random numbers of the ways that they count.
    sums = np.zeros(len(touched), dtype=np.uint64)
    numbers: np.ndarray = np.random.default_rng(0).integers(2**64, size=(n_ways, 1), dtype=np.uint64)
    np.add.at(sums, cells, numbers)
    alike, group = np.unique(sums, return_inverse=True)
    ordered = np.sort(group[cells], axis=1)
    again = np.pad(ordered[:, 1:] == ordered[:, :-1], ((0, 0), (1, 0)))
    ordered = np.sort(np.where(again, len(alike), ordered), axis=1)
    ordered = ordered[:, : int((ordered < len(alike)).sum(axis=1).max())]
    log_factors = np.zeros((len(alike) + ordered.shape[1], n + 1))  # at the end those of ways that touch fewer cells
    np.add.at(log_factors, group, sign[:, None] * log_rising(starting[touched], n))
    fillers = len(alike) + np.arange(ordered.shape[1])
    return np.where(ordered < len(alike), ordered, fillers).astype(np.int32), log_factors
