"""Draws of the posterior of a finite mixture, whose classes are the same in all of them."""

import numpy as np

from ockham.estimation.assignments import best_assignments
from ockham.estimation.chain_agreement import agreeing_draws
from ockham.mixtures.classes.model import MixtureClasses
from ockham.mixtures.finite_mixture import Parameters, Sums
from ockham.mixtures.inference import gibbs
from ockham.mixtures.inference.design import Design
from ockham.streams import Stream

__all__ = ["label_certainty", "labelled", "run_chains"]

N_BURN_IN, PIECE = 500, 100
"""Sweeps that are left out, and sweeps at a time, of which draws are kept."""
ROUNDS = 3
"""Of relabelling all draws and taking the mean of their sums as the new reference."""
COMPARED, N_COMPLETIONS = 250, 100
"""Draws of either half of the chains whose labels are examined, and completions that they are held to."""
AT_ONCE = 2**21
"""Numbers of a work array."""


def run_chains(
    model: MixtureClasses, design: Design, start: Parameters, stream: Stream, n_draws: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Labelled draws of a Gibbs chain from each start, and how many sweeps there are from one to the next.

    Parameters, shape (n_chains, n_draws, n_entries), and the sums of the completed rows that they were drawn after, of
    the same shape.
    """
    chains = _Chains(model, design, start, stream.child("chains").generator())
    chains.sweep(N_BURN_IN // PIECE, PIECE)
    draws, thinning = agreeing_draws(
        chains.sweep,
        lambda kept: labelled(model, kept),
        lambda kept: model.of_classes(kept[:, :, 0]),
        n_draws,
    )
    return draws[:, :, 0], draws[:, :, 1], thinning


class _Chains:
    """Gibbs chains side by side that go on from where they are."""

    def __init__(self, model: MixtureClasses, design: Design, state: Parameters, rng: np.random.Generator) -> None:
        self.model, self.design, self.state, self.rng = model, design, state, rng

    def sweep(self, n_kept: int, thinning: int) -> np.ndarray:
        """Parameters and sums at the last of every so many sweeps, shape (n_chains, n_kept, 2, n_entries)."""
        kept = np.empty((len(self.state.log_weights), n_kept, 2, self.model.n_entries))
        n_each = max(1, PIECE // thinning)
        for first in range(0, n_kept, n_each):
            part = kept[:, first : first + n_each]
            n_sweeps = part.shape[1] * thinning
            self.state, *found = gibbs.run(
                gibbs.sweeps(self.model.mixture, self.design, self.state, self.rng, n_sweeps)
            )
            for side, (of_classes, of_items) in enumerate(found):
                part[:, :, side, : self.model.n_classes] = of_classes[:, thinning - 1 :: thinning]
                last = of_items[:, thinning - 1 :: thinning]
                part[:, :, side, self.model.n_classes :] = last.reshape(*last.shape[:2], -1)
        return kept


def labelled(model: MixtureClasses, kept: np.ndarray) -> np.ndarray:
    """Draws and their sums, (n_chains, n_draws, 2, n_entries), with the same class in the same place in all.

    Each is relabelled to the nearest to the mean of their sums: so that rows with these sums are the most probable, for
    which the divergence of the classes of the draw from those of the reference is the smallest ([Stephens2000]).
    Classes are in the order of their mean sizes, the largest first.
    """
    flat = _by_class(model, kept.reshape(-1, 2, kept.shape[-1]))
    reference = flat[len(flat) // 2, 1]
    for _ in range(ROUNDS):
        reference = _nearest(flat, reference)[:, 1].mean(axis=0)
    found = _nearest(flat, reference)
    order = np.argsort(-np.exp(found[:, 0, :, 0]).mean(axis=0), kind="stable")
    return _by_entry(found[:, :, order]).reshape(kept.shape)


def _nearest(flat: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Draws and sums, shape (n_draws, 2, n_classes, ...), relabelled to the reference, shape (n_classes, ...)."""
    places = best_assignments(flat[:, 0] @ reference.T)
    return np.take_along_axis(flat, np.argsort(places, axis=1)[:, None, :, None], axis=2)


def label_certainty(model: MixtureClasses, draws: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Mean probability of the label of each class, shape (n_classes,), of draws and sums as ``run_chains`` has them.

    The odds that two classes of a draw should change labels are those of its densities with and without, under the mean
    of the posteriors given completions of other chains.
    """
    found = np.ones((0, model.n_classes))
    for compared, held_to in ((slice(0, None, 2), slice(1, None, 2)), (slice(1, None, 2), slice(0, None, 2))):
        points = _by_class(model, _spread(draws[compared], COMPARED))
        completions = _by_class(model, _spread(sums[held_to], N_COMPLETIONS))
        log_marginal = model.mixture.log_marginal(Sums(completions[..., 0], completions[..., 1:]))
        n_at_once = max(1, AT_ONCE // (model.n_classes**2 * len(completions)))
        for first in range(0, len(points), n_at_once):
            said = np.einsum("pks,ljs->plkj", points[first : first + n_at_once], completions, optimize=True)
            found = np.concatenate([found, 1 / (1 + _odds(said, log_marginal))])
    certainty: np.ndarray = found.mean(axis=0)
    return certainty


def _odds(said: np.ndarray, log_marginal: np.ndarray) -> np.ndarray:
    """That each class should change labels with another, shape (n_points, n_classes).

    ``said`` is what class k of a point says of class j of a completion, nats, (n_points, n_completions, k, j).
    """
    own = np.diagonal(said, axis1=2, axis2=3)
    as_it_is = own.sum(axis=2) - log_marginal
    log_density = np.logaddexp.reduce(as_it_is, axis=1)
    found = np.zeros((len(said), said.shape[2]))
    for a in range(said.shape[2]):
        for b in range(a):
            change = said[:, :, a, b] + said[:, :, b, a] - own[:, :, a] - own[:, :, b]
            excess = np.logaddexp.reduce(as_it_is + change, axis=1) - log_density
            found[:, [a, b]] += np.exp(np.minimum(excess, 700.0))[:, None]
    return found


def _by_class(model: MixtureClasses, entries: np.ndarray) -> np.ndarray:
    """Points or sums class by class, shape (..., n_classes, 1 + n_statistics)."""
    of_classes, of_items = model.parameters(entries)
    return np.concatenate([of_classes[..., None], of_items], axis=-1)


def _by_entry(by_class: np.ndarray) -> np.ndarray:
    """The way back."""
    return np.concatenate([by_class[..., 0], by_class[..., 1:].reshape(*by_class.shape[:-2], -1)], axis=-1)


def _spread(part: np.ndarray, most: int) -> np.ndarray:
    """At most so many draws of chains, evenly spaced."""
    flat = part.reshape(-1, part.shape[-1])
    return flat[:: max(1, -(-len(flat) // most))]
