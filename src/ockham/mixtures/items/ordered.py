"""Items whose cells are values in an order, as a sequence of decisions to go on or stop ([Tutz1991])."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ockham.mixtures import dirichlet
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.items.item import Conjugate

__all__ = ["Ordered"]


@dataclass(frozen=True)
class Ordered(Categorical):
    """States as of a categorical item, in order: from the lowest on, a case stops at a state or goes on to higher ones.

    t(x) says which it is, and phi are the logs of their probabilities. The probability to stop is Beta distributed at
    every state but the last, with means that make all states equally probable: a generalised Dirichlet distribution
    ([ConnorMosimann1969]). Unlike under a Dirichlet prior, the states above a state rise and fall together. The order
    counts from below: data with the states reversed have another evidence.

    Attributes
    ----------
    concentration : float
        Cases that are imagined at every decision, in each class; with two values and twice its concentration it is a
        categorical item.

    Notes
    -----
    The prior's density is in the basis of the logits of the decisions, in which its modes are the means.
    """

    kind: ClassVar[str] = "ordered"
    concentration: float = 2.0

    @property
    def conjugate(self) -> tuple[Conjugate, tuple[float, ...]]:
        return Conjugate.ORDERED, (self.concentration,)

    def log_marginal(self, sums: np.ndarray) -> np.ndarray:
        found: np.ndarray = dirichlet.log_marginal(self.prior, _decided(sums)).sum(axis=-1)
        return found

    def mode(self, sums: np.ndarray) -> np.ndarray:
        return _logs_of_states(dirichlet.mode(self.prior, _decided(sums)))

    def log_prior(self, natural: np.ndarray) -> np.ndarray:
        found: np.ndarray = dirichlet.log_density(self.prior, _decisions(natural)).sum(axis=-1)
        return found

    def jacobian(self, natural: np.ndarray) -> np.ndarray:
        stop = np.exp(_decisions(natural)[..., 0])[..., None, :]
        state, decision = np.arange(self.n_values)[:, None], np.arange(self.n_values - 1)
        found: np.ndarray = (state == decision) * (1 - stop) - (state > decision) * stop
        return found

    def information(self, natural: np.ndarray, sums: np.ndarray) -> np.ndarray:
        stop_or_go = np.exp(_decisions(natural).sum(axis=-1))
        cases = self.concentration + _decided(sums).sum(axis=-1)
        found: np.ndarray = (cases * stop_or_go)[..., None] * np.eye(self.n_values - 1)
        return found

    def sample(self, sums: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return _logs_of_states(dirichlet.sample(self.prior, _decided(sums), rng))

    @property
    def prior(self) -> np.ndarray:
        """Beta parameters of the decisions, to stop and to go on, shape (n_values - 1, 2)."""
        stop = self.concentration / np.arange(self.n_values, 1, -1)
        return np.stack([stop, self.concentration - stop], axis=-1)


def _decided(sums: np.ndarray) -> np.ndarray:
    """How many cases stopped and went on at every state but the last, shape (..., n_values - 1, 2)."""
    beyond = np.cumsum(sums[..., :0:-1], axis=-1)[..., ::-1]
    return np.stack([sums[..., :-1], beyond], axis=-1)


def _decisions(natural: np.ndarray) -> np.ndarray:
    """Logs of the probabilities to stop and to go on, from those of the states; shape (..., n_values - 1, 2)."""
    beyond = np.logaddexp.accumulate(natural[..., ::-1], axis=-1)[..., ::-1]  # ln p(this state or a higher one)
    found: np.ndarray = np.stack([natural[..., :-1], beyond[..., 1:]], axis=-1) - beyond[..., :-1, None]
    return found


def _logs_of_states(decisions: np.ndarray) -> np.ndarray:
    """What logs of decisions, shape (..., n_values - 1, 2), say of the logs of states, shape (..., n_values)."""
    before = np.cumsum(decisions[..., 1], axis=-1)
    found = np.zeros((*before.shape[:-1], before.shape[-1] + 1))
    found[..., :-1] += decisions[..., 0]
    found[..., 1:] += before
    return found
