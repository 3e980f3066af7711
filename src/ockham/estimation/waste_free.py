"""Sequential Monte Carlo over growing data, with sweeps of a Markov chain between ([Chopin2002], waste-free
[DauChopin2022]), for any model whose parameters are flat vectors.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt, Evidence
from ockham.estimation.combining import combine
from ockham.estimation.doubting import doubt_of_bound
from ockham.estimation.posterior_parts import LARGEST_MISSING
from ockham.estimation.resampling import effective_share, systematic

__all__ = ["N_SEEN", "Pass", "Passes", "Target", "Unseen", "evidence_of", "run", "run_passes"]

FEWEST = 20
"""Particles that the weights of every batch must leave. With fewer all passes may be too low together: with parameters
of networks as particles 76 to 91 % of intervals of 95 % held, with more 95 % (benchmarks/results.txt at d546edb0)."""
N_SEEN = 64
"""Particles by which it is told where a pass is."""


class Target(Protocol):
    """A model with distinct rows, which data name by their places; a particle is a vector, of parameters or of what
    stands for them.
    """

    def sample_prior(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draws, shape (n, n_entries)."""

    def extend(
        self, rows: np.ndarray, particles: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Log weights of particles for further rows, nats, and the particles given these as well.

        Weights are ln p(rows | particle), or the logs of unbiased estimates of it.
        """

    def sweep(self, rows: np.ndarray, states: np.ndarray, n_sweeps: int, rng: np.random.Generator) -> np.ndarray:
        """States of chains after each sweep, which leaves the posterior given rows as it is and is reversible.

        Shape (n_states n_sweeps, n_entries), one chain after another.
        """


class Pass(NamedTuple):
    """One pass over the rows.

    Attributes
    ----------
    log_evidences : ndarray, shape (n_sizes,)
        ln p(first n rows) for every n that was asked for, nats.
    ends : tuple of int
        How many rows there were after each batch.
    n_evaluations : int
        How many particles were weighted by a batch, or swept over all rows so far.
    n_effective : ndarray, shape (n_sizes,)
        The fewest particles that the weights of a batch left, among those of the first n rows.
    seen : ndarray, shape (n_sizes, N_SEEN, n_entries)
        Some particles given the first n rows, as often as their weights say.
    """

    log_evidences: np.ndarray
    ends: tuple[int, ...]
    n_evaluations: int
    n_effective: np.ndarray
    seen: np.ndarray


class Passes(NamedTuple):
    """Independent passes.

    Attributes
    ----------
    log_evidences : ndarray, shape (n_passes,)
        ln p(rows), nats.
    n_evaluations : int
        Of them and of the one before them, as in ``Pass``.
    n_effective : float
        The fewest particles that the weights of a batch left in any of them.
    seen : ndarray, shape (n_passes, N_SEEN, n_entries)
        Some particles of each given all rows, as often as their weights say.
    n_particles : int
        Of all of them together, at one size.
    """

    log_evidences: np.ndarray
    n_evaluations: int
    n_effective: float
    seen: np.ndarray
    n_particles: int


class Unseen(NamedTuple):
    """What a search for modes of the posterior says of passes.

    Attributes
    ----------
    share : float
        Of the evidence, roughly, that is in modes that no particle is near.
    bound : float
        The highest lower bound of the log evidence that it found, nats.
    n_evaluations : int
        How many parameters had their likelihood computed.
    """

    share: float
    bound: float
    n_evaluations: int


def run_passes(
    target: Target,
    counts: np.ndarray,
    rng: np.random.Generator,
    posterior_draw: np.ndarray | None = None,
    *,
    n_passes: int,
    n_chains: int,
    n_states: int,
    least_share: float,
) -> Passes:
    """Passes over the rows, each in an order of its own, after one, left out, whose weights choose the batches.

    ``counts`` says how often each distinct row occurs. With a ``posterior_draw`` passes are conditional, as in ``run``.
    """
    rows = np.repeat(np.arange(len(counts)), counts)
    one = partial(run, target, sizes=[len(rows)], rng=rng, n_chains=n_chains, n_states=n_states)
    pilot = one(rows=rng.permutation(rows), least_share=least_share)
    passes = [one(rows=rng.permutation(rows), ends=pilot.ends, posterior_draw=posterior_draw) for _ in range(n_passes)]
    values = np.array([each.log_evidences[0] for each in passes])
    fewest = min(float(each.n_effective[0]) for each in passes)
    seen = np.array([each.seen[0] for each in passes])
    n_evaluations = sum(each.n_evaluations for each in (pilot, *passes))
    return Passes(values, n_evaluations, fewest, seen, n_passes * n_chains * n_states)


def evidence_of(
    passes: Passes, unseen: Unseen | None = None, *, sign: float = 1.0, plus: float = 0.0, doubt: Doubt = NO_DOUBT
) -> Evidence:
    """The mean of passes, times a sign and plus a constant, nats, and what speaks against it beside other doubts.

    Few particles that any batch left, and what a search found that no pass has seen. That is in the error, too: a pass
    that put rows together which are of two kinds takes no row out again when there are enough to tell these. So is what
    one more particle may have been, where all are alike.
    """
    diagnostics = {"spread": float(passes.log_evidences.std(ddof=1)), "fewest_effective": passes.n_effective}
    if passes.n_effective < FEWEST:
        doubt |= Doubt.FEW_EFFECTIVE_SAMPLES
    mean = combine(passes.log_evidences, "mean")
    if unseen is None:
        return mean.evidence(passes.n_evaluations, diagnostics, sign=sign, plus=plus, doubt=doubt)
    error = np.array(np.linalg.norm([float(mean.standard_error), unseen.share, 1 / (passes.n_particles + 2)]))
    mean = mean._replace(standard_error=error)
    if unseen.share > LARGEST_MISSING:
        doubt |= Doubt.NOT_MIXED
    doubt |= doubt_of_bound(sign * float(mean.value) + plus, float(error), unseen.bound)
    diagnostics |= {"variational_bound": unseen.bound, "share_missing": unseen.share}
    return mean.evidence(passes.n_evaluations + unseen.n_evaluations, diagnostics, sign=sign, plus=plus, doubt=doubt)


def run(
    target: Target,
    rows: np.ndarray,
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    n_chains: int,
    n_states: int,
    least_share: float = 0.5,
    ends: Sequence[int] | None = None,
    posterior_draw: np.ndarray | None = None,
) -> Pass:
    """The evidence of the first n rows for every n of ``sizes``, ascending, from one pass.

    Parameters
    ----------
    rows : ndarray of int, shape (n,)
        Places of distinct rows.
    n_chains, n_states : int
        Chains between two batches of rows, and states of each; all are particles.
    least_share : float
        The effective sample size, as a share of the particles, that the weights of a batch must have. A batch is the
        rows up to the next size, or half, a quarter ... of them, at least one.
    ends : sequence of int, optional
        Those of another pass, in place of batches that are chosen by the weights; all sizes are among them.
    posterior_draw : ndarray, shape (n_entries,), optional
        An exact draw from the posterior given all rows, such as the parameters that they were drawn with, where those
        are a draw of the prior. The pass is then conditional on a path of particles that ends there; needs
        ``ends``.

    Notes
    -----
    With given ``ends`` the exponential of every log evidence is an unbiased estimate; where the weights choose the
    batches it is a consistent one. Of a conditional pass ([AndrieuEtAl2010], section 2.4.3) the inverse of the last
    evidence is an unbiased estimate of the inverse, for the pass and its path are then a draw of what makes the weights
    of the particles exact: the argument of [GrosseEtAl2015].
    """
    particles = target.sample_prior(n_chains * n_states, rng)
    path: list[np.ndarray] = []
    if posterior_draw is not None and ends is not None:
        path = _path(target, [rows[:end] for end in ends[:-1]], posterior_draw, n_states, rng)
        particles[0] = path[0][0] if path else posterior_draw
    found: dict[int, tuple[float, float]] = {}
    seen: list[np.ndarray] = []
    total, n_effective, n_rows, largest, n_evaluations = 0.0, np.inf, 0, 1, 0
    while n_rows < sizes[-1]:
        if ends is None:
            n_added = min(largest, next(size for size in sizes if size > n_rows) - n_rows)
        else:
            n_added = ends[len(found)] - n_rows
        while True:
            log_weights, extended = target.extend(rows[n_rows : n_rows + n_added], particles, rng)
            n_evaluations += len(particles)
            weights = np.exp(log_weights - log_weights.max())
            share = effective_share(weights)
            if ends is not None or share >= least_share or n_added == 1:
                break
            n_added = max(1, n_added // 2)
        total += float(np.logaddexp.reduce(log_weights) - np.log(len(particles)))
        n_effective = min(n_effective, share * len(particles))
        n_rows += n_added
        found[n_rows] = total, n_effective
        if n_rows in sizes:
            seen.append(extended[systematic(weights, N_SEEN, np.random.default_rng(0))])
        largest = 2 * n_added if share >= least_share else n_added
        if n_rows < sizes[-1]:
            kept = path[len(found) - 1 : len(found)]
            n_free = n_chains - len(kept)
            draw = _multinomial if kept else systematic
            ancestors = extended[draw(weights, n_free, rng)]
            moved = target.sweep(rows[:n_rows], ancestors, n_states - 1, rng)
            particles = np.concatenate([*kept, ancestors, moved])
            n_evaluations += n_chains * (n_states - 1)
    totals, fewest = np.array([found[size] for size in sizes]).reshape(-1, 2).T
    return Pass(totals, tuple(found), n_evaluations, fewest, np.array(seen))


def _path(
    target: Target, before: list[np.ndarray], end: np.ndarray, n_states: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """A chain for each of the data sets, every one through the first state of the next, the last through ``end``.

    The place of that state in the chain is uniform; a sweep is reversible, so it goes both ways from there.
    """
    path: list[np.ndarray] = []
    for rows in reversed(before):
        place = int(rng.integers(n_states))
        back, on = (target.sweep(rows, end[None], n, rng) for n in (place, n_states - 1 - place))
        path.append(np.concatenate([back[::-1], end[None], on]))
        end = path[-1][0]
    return path[::-1]


def _multinomial(weights: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Indices of n independent draws in proportion to the weights."""
    return rng.choice(len(weights), n, p=weights / weights.sum())
