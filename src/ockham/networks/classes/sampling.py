"""Draws of the posterior of a latent class model, whose classes are the same in all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ockham.estimation.chain_agreement import agreeing_draws
from ockham.networks.classes.model import LatentClassModel
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import gibbs, modes
from ockham.networks.inference.labelling import Labelling
from ockham.streams import Stream

__all__ = ["Start", "labelled", "run_chains", "starts"]

N_STARTS, N_BURN_IN = 64, 500
PIECE = 100
"""Sweeps at a time, so that nothing is computed for long when nobody waits for it any more."""


@dataclass(frozen=True)
class Start:
    """Where chains start.

    Attributes
    ----------
    modes : list of ndarray, shapes (n_entries,)
        Logs of the parameters at different modes, the best first.
    share_missing : float
        What modes that were not found may have of the posterior.
    """

    modes: list[np.ndarray]
    share_missing: float


def starts(model: LatentClassModel, data: UniqueRows, stream: Stream, n_chains: int) -> Start:
    """The modes that are worth a chain, up to so many."""
    search = modes.find(model.network, data, stream, N_STARTS, n_chains)
    return Start([mode.log_parameters for mode in search.found], search.share_missing)


def run_chains(
    model: LatentClassModel, data: UniqueRows, states: Sequence[np.ndarray], stream: Stream, n_draws: int
) -> tuple[np.ndarray, int]:
    """Labelled draws of a Gibbs chain from each state, and how many sweeps there are from one to the next.

    Logs, shape (n_chains, n_draws, n_entries).
    """
    rngs = [stream.child("chain", c).generator() for c in range(len(states))]
    chains = [_Chain(model, data, state, rng) for state, rng in zip(states, rngs, strict=True)]
    for chain in chains:
        chain.sweep(N_BURN_IN // PIECE, PIECE)
    return agreeing_draws(
        lambda n_kept, thinning: np.array([chain.sweep(n_kept, thinning) for chain in chains]),
        lambda draws: labelled(model, draws),
        model.of_classes,
        n_draws,
    )


class _Chain:
    """A Gibbs chain that goes on from where it is."""

    def __init__(self, model: LatentClassModel, data: UniqueRows, state: np.ndarray, rng: np.random.Generator) -> None:
        self.network, self.data, self.state, self.rng = model.network, data, state, rng

    def sweep(self, n_kept: int, thinning: int) -> np.ndarray:
        """The last of every so many sweeps, shape (n_kept, n_entries)."""
        kept = np.empty((n_kept, self.network.n_entries))
        n_each = max(1, PIECE // thinning)
        for first in range(0, n_kept, n_each):
            part = kept[first : first + n_each]
            end = gibbs.run(self.network, self.data, self.state, self.rng, len(part) * thinning, keep=True)
            self.state, part[:] = end.log_parameters, end.draws[thinning - 1 :: thinning]
        return kept


def labelled(model: LatentClassModel, draws: np.ndarray) -> np.ndarray:
    """Draws, logs of shape (n_chains, n_draws, n_entries), with the same class in the same place in all.

    Each is relabelled to the nearest to their mean. Classes are in the order of their mean sizes, the largest first,
    where the prior treats them alike; else in that of the network.
    """
    flat = draws.reshape(-1, draws.shape[-1])
    found, _ = Labelling.of(model.relabellings, flat).apply(flat)
    if model.exchangeable:
        sizes = np.exp(model.log_sizes(found)).mean(axis=0)
        found = found[:, model.reordered(np.argsort(-sizes, kind="stable").tolist())]
    return found.reshape(draws.shape)
