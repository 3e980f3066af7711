"""Sequential Monte Carlo over growing data: waste-free, with Gibbs sweeps ([DauChopin2022])."""

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Estimator, Evidence
from ockham.estimation.combining import combine
from ockham.estimation.waste_free import doubt_of_particles
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import waste_free
from ockham.networks.inference.expectation import check_rows
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {"sequential_monte_carlo": Estimator("Sequential Monte Carlo", over_runs="mean")}


class Settings(contracts.Settings):
    """The passes of a run, and their particles."""

    n_passes: int = Field(
        default=8, ge=2, le=1024, description="independent passes over the data, after one that chooses the batches"
    )
    n_chains: int = Field(default=16, ge=1, le=10**5, description="Gibbs chains of a pass between two batches of rows")
    n_states: int = Field(default=40, ge=2, le=10**5, description="states of a chain; all are particles")
    least_share: float = Field(
        default=0.5, gt=0, lt=1, description="effective sample size of a batch's weights over the particles, at least"
    )


def check(network: DiscreteNetwork, n: int, settings: Settings) -> None:
    """Raise a ModelError for particles, rows or an E step that would take more memory than allowed."""
    check_rows(network.relevant, n)
    waste_free.check(network.relevant, n, settings.n_chains, settings.n_states)


def score(
    network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream, start: np.ndarray | None = None
) -> dict[str, Evidence]:
    """The mean evidence of independent passes, each over the rows in an order of its own.

    The error is that of the mean, by the spread of the passes. Hidden variables without observed descendants are left
    out.

    With ``start``, shape (n_entries,), the parameters that the data were drawn with, the passes are conditional on a
    path of particles that ends there, and the value is their harmonic mean. Where the parameters are a draw of the
    prior they are one of the posterior, too, in whatever mode that is: passes that cannot leave a mode find too little
    from the prior, and too much from here. So the two values enclose the evidence but for their errors, and tell by how
    much they are apart what is missing in either.

    Raises
    ------
    ModelError
        When the particles, or the E step, would take more memory than allowed.

    Notes
    -----
    A first pass chooses the batches by its weights, and is left out. So every other is an unbiased estimate of the
    evidence, or, where it is conditional, its inverse is one of the inverse evidence ([GrosseEtAl2015]), over draws of
    data and parameters. It begins at draws of the prior, so it needs no starts, and visits the aliases of a mode as it
    finds them. Of many items hardly a draw suits the first row of a class: all passes may then be too low together, so
    that the estimate is doubted where the weights of any batch leave fewer than twenty particles. The diagnostics are
    the standard deviation of the passes, nats, and the fewest particles that were left.
    """
    rng = stream.child("sequential Monte Carlo").generator()
    if start is None:
        sign, passes = 1.0, waste_free.run_passes(network.relevant, data, rng, **settings.model_dump())
    else:
        sign, passes = -1.0, waste_free.run_passes(network, data, rng, np.log(start), **settings.model_dump())
    diagnostics = {"spread": float(passes.log_evidences.std(ddof=1)), "fewest_effective": passes.n_effective}
    return {
        "sequential_monte_carlo": combine(sign * passes.log_evidences, "mean").evidence(
            passes.n_evaluations, diagnostics, sign=sign, doubt=doubt_of_particles(passes.n_effective)
        )
    }
