"""Gibbs sampling of the completion of one row at a time given those of all others, the parameters integrated out.

It is the sampler of [ChickeringHeckerman1997], section 3.4. In NumPy, one row after another, so a sweep takes many
times as long as one of ``gibbs``.
"""

from dataclasses import dataclass

import numpy as np

from ockham.kernels import complete_data
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.completed import log_densities
from ockham.networks.inference.information import completions
from ockham.networks.inference.relabellings import Relabellings

__all__ = ["Chain", "Seen"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a chain saw: ``best_counts`` and ``log_density``, as ``gibbs.State`` has them."""

    best_counts: np.ndarray
    log_density: np.ndarray


class Chain:
    """A chain over completions of the data.

    Parameters
    ----------
    network : DiscreteNetwork
    data : UniqueRows
    log_parameters : ndarray, shape (n_entries,)
        Given which the first completion is drawn.
    rng : numpy.random.Generator
    """

    def __init__(
        self, network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray, rng: np.random.Generator
    ) -> None:
        self._network, self._rng = network, rng
        rows = [
            (entries, posterior)
            for part in completions(network, data, log_parameters)
            for row, entries, posterior in zip(*part, strict=True)
            for _ in range(data.counts[row])
        ]
        self._ways = [entries for entries, _ in rows]
        """Of every row, as often as it occurs: the entries of its variables, in each way to complete it."""
        self._chosen = [int(rng.choice(len(posterior), p=posterior)) for _, posterior in rows]
        taken = [ways[way] for ways, way in zip(self._ways, self._chosen, strict=True)]
        counts = np.bincount(np.concatenate([*taken, np.empty(0, dtype=np.int64)]), minlength=network.n_entries + 1)
        self._counts = counts.astype(np.float64)
        self._row_of = np.append(network.rows, network.n_rows)

    def sweep(self, n_sweeps: int, log_point: np.ndarray | None = None, same: Relabellings | None = None) -> Seen:
        """Draw every row's completion ``n_sweeps`` times; ``log_point`` and ``same`` are those of ``gibbs.run``."""
        network = self._network
        log_density, best_counts, highest = np.full(n_sweeps, np.nan), self._counts[:-1].copy(), -np.inf
        for sweep in range(n_sweeps):
            self._sweep()
            counts = self._counts[:-1].copy()
            probability = complete_data.log_evidence(network.rows, network.prior, counts, network.n_rows)
            if probability > highest:
                highest, best_counts = probability, counts
            if log_point is not None and same is not None:
                log_density[sweep] = log_densities(network, same, log_point[None], counts[None])[0, 0]
        return Seen(best_counts, log_density)

    def _sweep(self) -> None:
        """One draw for every row; of a cell that is left out, whose entry is the last, nothing is counted."""
        left_out = self._network.n_entries
        sizes = self._counts + np.append(self._network.prior, 1.0)
        sizes[left_out] = 1.0
        totals = np.bincount(self._row_of, sizes)
        log_sizes, log_totals, row_of = np.log(sizes), np.log(totals), self._row_of
        uniforms = self._rng.random(len(self._ways))
        for i, ways in enumerate(self._ways):
            if len(ways) == 1:
                continue
            _move(ways[self._chosen[i]], -1.0, left_out, row_of, sizes, totals, log_sizes, log_totals)
            logs = (log_sizes[ways] - log_totals[row_of[ways]]).sum(axis=1)
            cumulative = np.exp(logs - logs.max()).cumsum()
            self._chosen[i] = int(np.searchsorted(cumulative, uniforms[i] * cumulative[-1], side="right"))
            _move(ways[self._chosen[i]], 1.0, left_out, row_of, sizes, totals, log_sizes, log_totals)
        self._counts = np.rint(sizes - np.append(self._network.prior, 1.0))


def _move(
    entries: np.ndarray,
    by: float,
    left_out: int,
    row_of: np.ndarray,
    sizes: np.ndarray,
    totals: np.ndarray,
    log_sizes: np.ndarray,
    log_totals: np.ndarray,
) -> None:
    """Count a completed row more, or one less."""
    entries = entries[entries != left_out]
    rows = row_of[entries]
    sizes[entries] += by
    totals[rows] += by
    log_sizes[entries] = np.log(sizes[entries])
    log_totals[rows] = np.log(totals[rows])
