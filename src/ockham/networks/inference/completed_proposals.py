"""Proposals for networks of one hidden variable whose values are exchangeable: the mean of closed posteriors.

A completion of the data that a chain visited makes a closed posterior of the parameters, a product of Dirichlet
distributions. The mean of some of them, over all names of the values, is near the posterior itself where most rows tell
their value, however many the parameters are ([FruehwirthSchnatter2004]); a copula must learn its covariance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ockham.contracts import Doubt
from ockham.estimation.bridge_sampling import UNSEEN
from ockham.estimation.class_names import MAX_CLASSES
from ockham.estimation.doubting import doubt_of_weights
from ockham.estimation.posterior_parts import share_unfound
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs, parts
from ockham.networks.inference.completed import log_densities
from ockham.networks.inference.likelihoods import log_joints
from ockham.networks.inference.modes import Modes
from ockham.networks.inference.relabellings import Relabellings, exchangeable_values, relabellings

__all__ = ["CompletedBridge", "CompletedProposal", "takes"]

FEWEST_PARAMETERS = 128
"""Free ones; of fewer a copula knows the covariance from few draws."""
MOST_OF_A_COPULA = 300
"""Free parameters, up to which a copula is better than completions that hardly overlap with the posterior."""
LEAST_OVERLAP = 0.1
"""With the first draws; a quarter of it is too little for the mean weight, and so for its check."""
MOST_DRAWS = 500
"""Of a chain; more are thinned."""
DRAWS_OF_A_COMPLETION = 20
"""Every so many draws have a completion in the proposal."""
NEAR = 5.0
"""Nats by which the posterior over the proposals may be above all that chains saw: as much as one completion of a
hundred counts for."""


@dataclass(frozen=True, eq=False)
class CompletedProposal:
    """The mean of posteriors given completed data, over completions and names of the values.

    Attributes
    ----------
    network : DiscreteNetwork
    same : Relabellings
        The names.
    counts : ndarray, shape (n_completions, n_entries)
    """

    network: DiscreteNetwork
    same: Relabellings
    counts: np.ndarray

    def draw(self, rng: np.random.Generator, n_draws: int) -> np.ndarray:
        """Draws, under the names of the completions, for under the others density and posterior are the same."""
        chosen = rng.integers(len(self.counts), size=n_draws)
        return np.array([sample_log(self.network, rng, self.network.prior + self.counts[c]) for c in chosen])

    def relabelled(self, log_parameters: np.ndarray) -> np.ndarray:
        """As they are: every name is in the proposal."""
        return log_parameters

    def log_density(self, log_parameters: np.ndarray) -> np.ndarray:
        """In the softmax basis, nats, shape (n_draws,)."""
        of_each = log_densities(self.network, self.same, log_parameters, self.counts)
        return np.logaddexp.reduce(of_each, axis=1) - np.log(len(self.counts))

    log_density_of_relabelled = log_density


def takes(network: DiscreteNetwork) -> bool:
    """Whether all names of the values of its hidden variable can be averaged over, and its parameters are many."""
    if len(network.hidden) != 1 or network.n_parameters < FEWEST_PARAMETERS:
        return False
    values = exchangeable_values(network, network.hidden[0])
    return values is not None and len(values) <= MAX_CLASSES


@dataclass(frozen=True, eq=False)
class CompletedBridge:
    """Estimates with such proposals.

    Attributes
    ----------
    network : DiscreteNetwork
    data : UniqueRows
    search : Modes
    rng : numpy.random.Generator
    """

    network: DiscreteNetwork
    data: UniqueRows
    search: Modes
    rng: np.random.Generator

    def estimate(self, chains: Sequence[np.ndarray], together: Sequence[parts.Groups]) -> parts.Estimate:
        """That of ``parts``, from logs of parameters along chains, with the error by what no chain came to."""
        thinned = [chain[:: -(-len(chain) // MOST_DRAWS)] for chain in chains]
        every = Relabellings.none(self.network)  # the proposals have every name
        found = parts.estimate(
            self.network, self.data, every, thinned, self.rng, together, self._fit(), self.search.log_means
        )
        unseen = UNSEEN * found.largest.autocorrelation_time / max(found.n_used, 1)
        return replace(found, relative_error=float(np.hypot(found.relative_error, unseen)))

    def is_worse_than_a_copula(self, first: parts.Estimate) -> bool:
        """By the first draws."""
        return first.largest.overlap < LEAST_OVERLAP and self.network.n_parameters <= MOST_OF_A_COPULA

    def share_missing(self, found: parts.Estimate) -> float:
        """What has no chain in it, of the evidence, roughly.

        Modes of the search that no chain was near have what their variational posteriors say, and as much again may be
        in modes that no start led to. Where there are several parts, so may more.
        """
        if not np.isfinite(found.log_evidence):
            return 1.0
        far = found.above > NEAR
        missing = 2 * np.exp(self._log_masses()[far] - found.log_evidence).sum()
        if max(map(len, found.together)) > 1:
            missing += max(map(self._share_unfound, found.together))
        return min(1.0, float(missing))

    def _share_unfound(self, groups: parts.Groups) -> float:
        """By the modes that the chains of each part begin at, in turn."""
        n_begun = len(self.search.found)
        begun = [sorted({chain % n_begun for chain in chains}) for chains in groups]
        return share_unfound(self.search.shares, self.search.hits, begun)

    def _log_masses(self) -> np.ndarray:
        """Evidence of the modes of the search if their variational posteriors were exact, by Bayes' theorem, nats."""
        names, prior = relabellings(self.network), self.network.prior
        each = zip(self.search.log_means, self.search.posteriors, strict=True)
        own = [log_densities(self.network, names, point[None], q[None] - prior)[0, 0] for point, q in each]
        return log_joints(self.network, self.data, self.search.log_means) - np.array(own)

    def doubt(self, found: parts.Estimate) -> Doubt:
        """What the mean weight of the proposals says against the bridge."""
        return doubt_of_weights(found.log_evidence, found.relative_error, found.by_weights, found.weights_error)

    def _fit(self) -> parts.Fit:
        names = relabellings(self.network)

        def fitted(network: DiscreteNetwork, _: Relabellings, log_parameters: np.ndarray) -> CompletedProposal:
            """One completion for each of some draws, drawn given it as the chain's next would be."""
            chosen = log_parameters[::DRAWS_OF_A_COMPLETION]
            counts = [gibbs.run(network, self.data, state, self.rng, 1).best_counts for state in chosen]
            return CompletedProposal(network, names, np.array(counts))

        return fitted
