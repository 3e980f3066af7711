"""Sequential Monte Carlo over growing data: waste-free, over completions, with Gibbs sweeps ([DauChopin2022])."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.waste_free import evidence_of
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import check_starts
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import waste_free
from ockham.networks.inference.expectation import check_rows
from ockham.networks.inference.particles import doubt_of_rare_states
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "doubted", "score"]

ESTIMATES = {"sequential_monte_carlo": Estimator("Sequential Monte Carlo", over_runs="mean")}


class Settings(contracts.Settings):
    """The passes of a run, their particles, and the search for what these miss."""

    n_passes: int = Field(
        default=8, ge=2, le=1024, description="independent passes over the data, after one that chooses the batches"
    )
    n_chains: int = Field(default=64, ge=1, le=10**5, description="Gibbs chains of a pass between two batches of rows")
    n_states: int = Field(default=10, ge=2, le=10**5, description="states of a chain; all are particles")
    least_share: float = Field(
        default=0.5, gt=0, lt=1, description="effective sample size of a batch's weights over the particles, at least"
    )
    n_starts: int = Field(default=64, ge=1, le=4096, description="starts of variational EM that look for modes")


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for particles, rows, starts or an E step that would take more memory than allowed."""
    check_rows(network.relevant, n)
    check_starts(network.relevant, settings.n_starts)
    waste_free.check(network.relevant, n, settings.n_chains, settings.n_states)


def doubted(network: DiscreteNetwork) -> Doubt:
    """What speaks against every estimate: hardly a particle has states that the prior makes rare together."""
    return doubt_of_rare_states(network)


def score(
    network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream, start: np.ndarray | None = None
) -> dict[str, Evidence]:
    """The mean evidence of independent passes, each over the rows in an order of its own.

    Particles are completions of the rows so far, with the parameters integrated out; a further row is weighted by its
    predictive probability, and then completed ([KongEtAl1994]). Gibbs sweeps move them. The error is that of the mean,
    by the spread of the passes, with what modes have that variational EM finds from some starts, and that no particle
    is near: a pass that has put rows together which are of two kinds cannot take them apart one by one, when there are
    enough of them to tell. Under hyperparameters below .05 particles are parameters, weighted by the likelihood of
    further rows. Hidden variables without observed descendants are left out.

    With ``start``, shape (n_entries,), the parameters that the data were drawn with, particles are parameters, too, the
    passes are conditional on a path of them that ends there, and the value is their harmonic mean. Where the parameters
    are a draw of the prior they are one of the posterior, too, in whatever mode that is: passes that cannot leave a
    mode find too little without them, and too much from there. So the two values enclose the evidence but for their
    errors, and tell by how much they are apart what is missing in either.

    Raises
    ------
    ModelError
        When the particles, or the E step, would take more memory than allowed.

    Notes
    -----
    A first pass chooses the batches by its weights, and is left out. So every other is an unbiased estimate of the
    evidence, or, where it is conditional, its inverse is one of the inverse evidence ([GrosseEtAl2015]), over draws of
    data and parameters. The estimate is doubted where modes have much that no particle is near, where there are too
    many names to tell these, where it is below the variational bound, where the weights of any batch leave fewer than
    twenty particles, for all passes may then be too low together, and under priors by whose means some states of what
    is hidden are rare together. The diagnostics are the standard deviation of the passes in nats and the fewest
    particles that were left; and, without ``start``, the best variational bound, nats, and the share that no pass has
    seen.
    """
    rng = stream.child("sequential Monte Carlo").generator()
    sizes = settings.model_dump(exclude={"n_starts"})
    if start is None:
        network = network.relevant
        passes = waste_free.run_passes(network, data, rng, **sizes)
        return {"sequential_monte_carlo": waste_free.estimate(network, data, passes, stream, settings.n_starts)}
    passes = waste_free.run_passes(network, data, rng, np.log(start), **sizes)
    inverse = passes._replace(log_evidences=-passes.log_evidences)
    return {"sequential_monte_carlo": evidence_of(inverse, sign=-1.0, doubt=doubt_of_rare_states(network))}
