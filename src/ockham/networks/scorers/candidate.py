"""The Candidate method: Bayes' theorem read backwards at one point ([ChickeringHeckerman1997], section 3.4)."""

from typing import Literal

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.combining import doubts_of
from ockham.estimation.doubting import ROUNDING
from ockham.estimation.means_of_chains import N_BATCHES, log_mean_of_chains
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta, sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import collapsed_gibbs, em, gibbs
from ockham.networks.inference.em import Search
from ockham.networks.inference.expectation import check_layout
from ockham.networks.inference.information import check_completions, check_rows
from ockham.networks.inference.relabellings import Relabellings, relabellings
from ockham.networks.inference.sparse_priors import doubt_of_prior
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"candidate": Estimator("Candidate method", over_runs="median")}


class Settings(Search):
    """EM's start and end, the phases of the chain, and the point."""

    n_starts: int = Field(
        default=8,
        ge=1,
        le=4096,
        description="starts, a power of two, halved until one is left: a poor MAP is a poor point",
    )
    n_chains: int = Field(
        default=4,
        ge=1,
        le=1024,
        description="chains, the first from the MAP and the others from draws of the prior; that they agree is checked",
    )
    n_selection: int = Field(
        default=400, ge=1, le=10**7, description="beta, sweeps of burn-in and selection of the point"
    )
    n_gap: int = Field(default=10, ge=0, le=10**7, description="gamma, sweeps between the phases")
    n_sweeps: int = Field(
        default=1000, ge=N_BATCHES, le=10**7, description="delta, sweeps that the density is averaged over"
    )
    point: Literal["completion", "map"] = Field(
        default="map",
        description="where the formula is taken: the mode given the most probable completion visited, or the MAP",
    )
    sampler: Literal["parameters", "collapsed"] = Field(
        default="parameters",
        description="whether a sweep draws hidden states given parameters and parameters given these, or the hidden "
        "states of one row after another given those of all others, which takes many times as long",
    )


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for a fit, from which the chain starts, that would take more memory than allowed."""
    em.check(network.relevant, n, settings)
    if settings.sampler == "collapsed":
        check_rows(network.relevant, n)


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """Chains, the first from the MAP parameters that EM finds, which are the point or lead to it.

    The fit is that of ``em`` with the same settings, unless the network has hidden variables without observed
    descendants: those are left out.

    The standard error is that of the mean density, carried to its log: over 20 batches of the sweeps of each chain or,
    if that is larger, over the chains, for batches of a chain that seldom leaves a mode are too much alike. It does not
    know of modes that no chain visits. Chains that differ by more than their errors are doubted, and so are a single
    one that stays at one completion and the estimate under hyperparameters below .1, where there are many modes. An
    effective sample size (of the densities) near 1 says that the error is worthless itself. The relabellings of the
    point, such as permutations of hidden values, are averaged over exactly; those of one hidden variable by way of a
    permanent, for their number grows with the factorial.

    Raises
    ------
    ModelError
        When there are too many relabellings to average over, or the E step would take more memory than allowed.

    Notes
    -----
    ln p(D | m) = ln p(D | phi*, m) + ln p(phi* | m) - ln p(phi* | D, m), the last being the mean over completions
    D_c of ln p(phi* | D_c, m); sections 3.4 and 4.4 of [ChickeringHeckerman1997].
    """
    network = network.relevant
    data.check_fits(network)
    check_layout(network, data)
    same = relabellings(network)
    fit = em.search(network, data, stream, settings)
    if settings.sampler == "collapsed":
        check_completions(network, data)
    rng = stream.child("starts of chains").generator()
    starts = [fit.log_parameters, *(sample_log(network, rng) for _ in range(1, settings.n_chains))]
    streams = [stream.child("gibbs"), *(stream.child("gibbs", chain) for chain in range(1, settings.n_chains))]
    sampler = _InTurn if settings.sampler == "parameters" else collapsed_gibbs.Chain
    chains = [sampler(network, data, start, one.generator()) for start, one in zip(starts, streams, strict=True)]
    seen = [chain.sweep(settings.n_selection) for chain in chains]
    if settings.point == "completion":
        posterior = network.prior + seen[0].best_counts
        totals = np.add.reduceat(posterior, network.row_starts[:-1])
        log_point = np.log(posterior) - np.log(totals)[network.rows]
    else:
        log_point = fit.log_parameters
    log_densities = [_after_gap(chain, settings, log_point, same) for chain in chains]
    density = log_mean_of_chains(log_densities)
    stays = network.n_hidden_configurations > 1 and len(chains) == 1 and np.ptp(log_densities) <= ROUNDING
    at_point = em.init(network, data, log_point, network.prior)
    n_sweeps = settings.n_selection + settings.n_gap + settings.n_sweeps
    return {
        "candidate": Evidence(
            float(at_point.objective - log_beta(network) - density.value),
            float(density.standard_error),
            n_evaluations=fit.n_evaluations + settings.n_chains * n_sweeps + 1,
            effective_sample_size=float(density.effective_sample_size),
            doubt=doubts_of(density.doubt) | doubt_of_prior(network, data) | (Doubt.NOT_MIXED if stays else NO_DOUBT),
            degrees_of_freedom=float(density.degrees_of_freedom),
        )
    }


def _after_gap(
    chain: "_InTurn | collapsed_gibbs.Chain", settings: Settings, log_point: np.ndarray, same: Relabellings
) -> np.ndarray:
    """ln p(phi* | D_c, m) after each sweep that the density is averaged over."""
    if settings.n_gap:
        chain.sweep(settings.n_gap)
    return chain.sweep(settings.n_sweeps, log_point, same).log_density


class _InTurn:
    """A chain that draws hidden states and parameters in turn, from given parameters on."""

    def __init__(
        self, network: DiscreteNetwork, data: UniqueRows, log_parameters: np.ndarray, rng: np.random.Generator
    ) -> None:
        self._network, self._data, self._log_parameters, self._rng = network, data, log_parameters, rng

    def sweep(
        self, n_sweeps: int, log_point: np.ndarray | None = None, same: Relabellings | None = None
    ) -> gibbs.State:
        """As ``gibbs.run``, from where the last sweep ended."""
        state = gibbs.run(self._network, self._data, self._log_parameters, self._rng, n_sweeps, log_point, same)
        self._log_parameters = state.log_parameters
        return state
