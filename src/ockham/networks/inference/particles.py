"""A discrete network as sequential Monte Carlo takes it: particles that are completions of the rows, or parameters.

With completions, parameters are integrated out, so the weight of a row is its predictive probability, and a value of a
hidden variable that no row has yet costs nothing: from the prior, hardly any draw of its parameters would be near the
first row that has it ([KongEtAl1994]). Under sparse priors it hardly ever is in a completion, but in some draws of
parameters. And parameters are the same whatever rows are added, so that passes may be conditional on a path of them,
where one of completions would need that of every row.
"""

from dataclasses import dataclass
from math import prod

import numpy as np

from ockham.contracts import NO_DOUBT, Doubt
from ockham.estimation.completion_annealing import SPARSER
from ockham.estimation.memory import check_memory
from ockham.kernels import particles as kernel
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs
from ockham.networks.inference.expectation import layout
from ockham.networks.inference.likelihoods import log_likelihoods
from ockham.networks.inference.missing_cells import expand, n_fillings, to_fill
from ockham.networks.inference.modes import log_means

__all__ = ["Completions", "Parameters", "begun_at_prior", "check_rows", "doubt_of_rare_states", "log_parameters"]

N_COPIES = 3
"""Of every variable in every row, as it is and with missing cells filled in."""
RARE = 0.05
"""Times as probable as if all states of what is hidden were alike: what is rarer together than that, by the means of
the prior, hardly any particle has, and many rows may have it together."""


@dataclass(frozen=True, eq=False)
class Completions:
    """A network and its distinct rows, with particles that count the completed rows, shape (n_entries,).

    Attributes
    ----------
    network : DiscreteNetwork
    distinct : ndarray of int, shape (n_rows, n_observed)
        What the data name by its places.
    known : ndarray of bool, shape (n_rows,)
        Which of these have a value; others say nothing, and are in no completion.
    starts : ndarray of int32, shape (n_rows + 1,)
        The first of the rows that each can be when its missing cells are filled in.
    bases : ndarray of int32, shape (n_filled, n_variables)
        The entry of every variable in these where hidden variables are 0; ``n_entries`` of one that is left out.
    shifts : ndarray of int32, shape (n_variables, n_hidden_configurations)
        What the hidden variables add.
    """

    network: DiscreteNetwork
    distinct: np.ndarray
    known: np.ndarray
    starts: np.ndarray
    bases: np.ndarray
    shifts: np.ndarray

    @classmethod
    def of(cls, network: DiscreteNetwork, distinct: np.ndarray) -> "Completions":
        """Those of a network and its distinct rows.

        Raises
        ------
        ModelError
            When the rows, with missing cells filled in, would take more memory than allowed.
        """
        data, observed = UniqueRows(distinct, np.ones(len(distinct), dtype=np.int64)), list(network.observed)
        check_rows(network, float(n_fillings(network, data).sum()))
        filled, source = expand(distinct, to_fill(network, data), [network.cardinalities[i] for i in observed])
        bases = np.array(network.offsets[:-1]) + np.maximum(filled, 0) @ network.strides[:, observed].T
        bases[:, observed] = np.where(filled == MISSING, network.n_entries, bases[:, observed])
        shifts = network.strides[:, list(network.hidden)] @ network.hidden_configurations.T
        starts = np.searchsorted(source, np.arange(len(distinct) + 1))
        return cls(network, distinct, data.known, *(_int32(part) for part in (starts, bases, shifts)))

    def sample_prior(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``: completions of no row."""
        return np.zeros((n, self.network.n_entries))

    def extend(
        self, rows: np.ndarray, particles: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """As ``waste_free.Target``: every row has a weight, and then is completed."""
        network, extended, log_weights = self.network, particles.copy(), np.empty(len(particles))
        most_ways = int(np.diff(self.starts).max()) * self.shifts.shape[1]
        kernel.extend(
            rng.bit_generator,
            row_of=network.rows,
            row_starts=network.row_starts,
            prior=network.prior,
            rows=_int32(rows[self.known[rows]]),
            starts=self.starts,
            bases=self.bases,
            shifts=self.shifts,
            counts=extended,
            log_weights=log_weights,
            work=np.empty(kernel.extension_work_size(network.n_entries, network.n_rows, most_ways)),
        )
        return log_weights, extended

    def sweep(self, rows: np.ndarray, states: np.ndarray, n_sweeps: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``, by Gibbs sampling."""
        network = self.network
        plan = layout(network, _counted(self.distinct, rows))
        found = np.empty((len(states) * n_sweeps, network.n_entries))
        kernel.sweep(
            rng.bit_generator,
            plan,
            row_starts=network.row_starts,
            prior=network.prior,
            counts=np.ascontiguousarray(states),
            found=found,
            work=np.empty(kernel.sweep_work_size(plan, network.n_entries)),
        )
        return found


@dataclass(frozen=True, eq=False)
class Parameters:
    """A network and its distinct rows, shape (n_rows, n_observed), with particles that are logs of parameters."""

    network: DiscreteNetwork
    distinct: np.ndarray

    def sample_prior(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``."""
        return np.array([sample_log(self.network, rng) for _ in range(n)])

    def extend(
        self, rows: np.ndarray, particles: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """As ``waste_free.Target``, by their likelihoods; parameters are the same given any rows."""
        return log_likelihoods(self.network, _counted(self.distinct, rows), particles), particles

    def sweep(self, rows: np.ndarray, states: np.ndarray, n_sweeps: int, rng: np.random.Generator) -> np.ndarray:
        """As ``waste_free.Target``, by Gibbs sampling."""
        data = _counted(self.distinct, rows)
        return np.concatenate([gibbs.run(self.network, data, s, rng, n_sweeps, keep=True).draws for s in states])


def check_rows(network: DiscreteNetwork, n: float) -> None:
    """Raise a ModelError when n distinct rows, filled in where cells are missing, take more memory than allowed."""
    check_memory(
        N_COPIES * n * network.n_variables,
        f"{n:,.0f} rows with missing cells filled in",
        "take fewer rows, or leave out cells that are missing",
    )


def begun_at_prior(network: DiscreteNetwork, distinct: np.ndarray) -> Completions | Parameters:
    """What passes that begin at the prior move: completions, or, under sparse priors, parameters."""
    return Parameters(network, distinct) if _is_sparse(network) else Completions.of(network, distinct)


def log_parameters(network: DiscreteNetwork, particles: np.ndarray) -> np.ndarray:
    """Of particles of these passes, shape (n, n_entries); of completions logs of the means."""
    if _is_sparse(network):
        return particles
    return np.array([log_means(network, network.prior + counts) for counts in particles])


def _is_sparse(network: DiscreteNetwork) -> bool:
    return bool(network.prior.min() < SPARSER)


def doubt_of_rare_states(network: DiscreteNetwork) -> Doubt:
    """What a prior says against passes by whose means some states of what is hidden are rare together."""
    return Doubt.NOT_MIXED if _rarest(network.relevant) < RARE else NO_DOUBT


def _rarest(network: DiscreteNetwork) -> float:
    """How probable the rarest states of all that is hidden are by the means of the prior, beside states all alike."""
    means = np.exp(log_means(network, network.prior))
    rarest = [float(network.family(i, means).min()) * network.cardinalities[i] for i in network.hidden]
    return prod(rarest)


def _counted(distinct: np.ndarray, rows: np.ndarray) -> UniqueRows:
    present, counts = np.unique(rows, return_counts=True)
    return UniqueRows(distinct[present], counts)


def _int32(numbers: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(numbers, dtype=np.int32)
