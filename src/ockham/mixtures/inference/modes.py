"""The modes of the posterior of a finite mixture, by the variational bound of each."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ockham.estimation.assignments import best_assignments
from ockham.estimation.mode_search import NEGLIGIBLE, followed
from ockham.mixtures.finite_mixture import FiniteMixture, Parameters, Sums
from ockham.mixtures.inference import variational_em
from ockham.mixtures.inference.design import Design
from ockham.mixtures.inference.starts import starts
from ockham.streams import Stream

__all__ = ["Modes", "find", "moved"]

LAST_ITERATIONS = 1000
TOLERANCE = 1e-5
"""Nats, at which a fit stops."""
ALIKE = 1e-2
"""Nats by which the bounds of fits to one mode may differ, and the share of the rows that may differ in their class."""


class Modes(NamedTuple):
    """What a search found, the highest bound first.

    Attributes
    ----------
    parameters : Parameters
        Of leading shape (n_modes,).
    bounds : ndarray, shape (n_modes,)
        Lower bounds on the log evidence but for base measures, nats.
    hits : ndarray of int, shape (n_modes,)
        How many starts led to each.
    n_passes : int
        Over the data.
    """

    parameters: Parameters
    bounds: np.ndarray
    hits: np.ndarray
    n_passes: int

    @property
    def shares(self) -> np.ndarray:
        """Of each in the evidence of all, roughly, by the bounds; shape (n_modes,)."""
        weights = np.exp(self.bounds - self.bounds[0])
        found: np.ndarray = weights / weights.sum()
        return found

    @property
    def share_missing(self) -> float:
        """What modes that no start led to may have of the posterior: as much as those of a single one ([Good1953])."""
        return float(self.shares[self.hits == 1].sum())

    def worth(self, n_chains: int) -> int:
        """How many modes have one of so many chains."""
        return min(int((self.bounds > self.bounds[0] - NEGLIGIBLE).sum()), n_chains)

    def for_chains(self, n_chains: int) -> Parameters:
        """Those that chains begin at, of leading shape (n_chains,): chain c at mode c, and at the first anew."""
        chosen = np.arange(n_chains) % self.worth(n_chains)
        return Parameters(*(part[chosen] for part in self.parameters))


def find(model: FiniteMixture, design: Design, stream: Stream, n_starts: int, n_modes: int) -> Modes:
    """Search for the modes of the highest bounds.

    Of the ``starts`` those that ``followed`` chooses run until they converge.
    """

    def climb(start: Sums, n_iterations: int) -> variational_em.State:
        return variational_em.run(model, design, start, max_iterations=n_iterations, tolerance=TOLERANCE)

    begun = [variational_em.begin(model, design, start) for start in starts(model, design, stream, n_starts)]
    fits, n_passes = followed(begun, climb, lambda _, state: state.posterior, n_modes=n_modes, last=LAST_ITERATIONS)
    found: list[_Mode] = []
    near: list[tuple[_Mode, np.ndarray]] = []  # with the probability of every class given each row
    for fit in fits:
        own = model.mode(fit.sums)
        members = design.members(own)
        near = [each for each in near if each[0].bound - fit.objective <= ALIKE]
        known = next((mode for mode, there in near if moved(there, members, design.counts) <= ALIKE), None)
        if known:
            known.hits += 1
        else:
            found.append(_Mode(own, fit.objective))
            near.append((found[-1], members))
    return Modes(
        Parameters(*(np.array(part) for part in zip(*(mode.parameters for mode in found), strict=True))),
        np.array([mode.bound for mode in found]),
        np.array([mode.hits for mode in found]),
        n_passes + len(begun) + sum(fit.n_evaluations for fit in fits),
    )


@dataclass
class _Mode:
    """Where fits ended, the highest of their bounds, nats, and how many they are."""

    parameters: Parameters
    bound: float
    hits: int = 1


def moved(one: np.ndarray, other: np.ndarray, counts: np.ndarray) -> float:
    """Share of the rows that change their class, of probabilities of shape (n_classes, n_rows), whatever the labels."""
    if not counts.sum():
        return 0.0
    (places,) = best_assignments(((one * counts) @ other.T)[None])
    return float((np.abs(one - other[places]) @ counts).sum() / (2 * counts.sum()))
