"""The Candidate method: Bayes' theorem read backwards at one point ([ChickeringHeckerman1997], section 3.4)."""

from typing import Literal

import numpy as np
from pydantic import Field

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation.combining import combine, doubts_of
from ockham.estimation.doubting import SPARSE
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import log_beta
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import collapsed_gibbs, em, gibbs
from ockham.networks.inference.em import Search
from ockham.networks.inference.expectation import check_layout
from ockham.networks.inference.information import check_completions, check_rows
from ockham.networks.inference.relabellings import Relabellings, relabellings
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"candidate": Estimator("Candidate method", over_runs="median")}
N_BATCHES = 20


class Settings(Search):
    """EM's start and end, the phases of the chain, and the point."""

    n_starts: int = Field(
        default=8,
        ge=1,
        le=4096,
        description="starts, a power of two, halved until one is left: a poor MAP is a poor point",
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
    """One chain, from the MAP parameters that EM finds.

    It is the fit of ``em`` with the same settings, unless the network has hidden variables without observed
    descendants: those are left out.

    The standard error is that of the mean density over 20 batches of sweeps, carried to its log. It does not know of
    modes that the chain never visits, so the estimate is doubted under hyperparameters below .1, where there are many.
    An effective sample size (of the densities) near 1 says that the error is worthless itself. The relabellings of the
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
    rng = stream.child("gibbs").generator()
    if settings.sampler == "collapsed":
        check_completions(network, data)
        sampler: _InTurn | collapsed_gibbs.Chain = collapsed_gibbs.Chain(network, data, fit.log_parameters, rng)
    else:
        sampler = _InTurn(network, data, fit.log_parameters, rng)
    chain = sampler.sweep(settings.n_selection)
    if settings.point == "completion":
        posterior = network.prior + chain.best_counts
        totals = np.add.reduceat(posterior, network.row_starts[:-1])
        log_point = np.log(posterior) - np.log(totals)[network.rows]
    else:
        log_point = fit.log_parameters
    if settings.n_gap:
        sampler.sweep(settings.n_gap)
    chain = sampler.sweep(settings.n_sweeps, log_point, same)
    density = combine(chain.log_density, "mean")
    batches = combine(
        np.array([combine(part, "mean").value for part in np.array_split(chain.log_density, N_BATCHES)]), "mean"
    )
    sparse = bool(network.hidden) and network.prior.min() < SPARSE
    at_point = em.init(network, data, log_point, network.prior)
    return {
        "candidate": Evidence(
            float(at_point.objective - log_beta(network) - density.value),
            float(batches.standard_error),
            n_evaluations=fit.n_evaluations + settings.n_selection + settings.n_gap + settings.n_sweeps + 1,
            effective_sample_size=float(density.effective_sample_size),
            doubt=doubts_of(density.doubt | batches.doubt) | (Doubt.NOT_MIXED if sparse else NO_DOUBT),
            degrees_of_freedom=float(batches.degrees_of_freedom),
        )
    }


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
