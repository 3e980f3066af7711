"""Sequential Monte Carlo over growing data: waste-free, with Gibbs sweeps ([DauChopin2022])."""

from functools import partial

import numpy as np
from pydantic import Field

from ockham import contracts
from ockham.contracts import Doubt, Estimator, Evidence
from ockham.estimation.combining import combine
from ockham.estimation.memory import check_memory
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import waste_free
from ockham.networks.inference.expectation import check_layout
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "score"]

ESTIMATES = {"sequential_monte_carlo": Estimator("Sequential Monte Carlo", over_runs="mean")}

N_COPIES = 2
"""Of the particles, old and new, and of the rows, in their order and in another."""


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


def score(network: DiscreteNetwork, data: UniqueRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The mean evidence of independent passes, each over the rows in an order of its own.

    The error is that of the mean, by the spread of the passes. Hidden variables without observed descendants are left
    out. The diagnostic is the standard deviation of the passes, in nats.

    Raises
    ------
    ModelError
        When the particles, or the E step, would take more memory than allowed.

    Notes
    -----
    A first pass chooses the batches by its weights, and is left out. So every other is an unbiased estimate of the
    evidence. It begins at draws of the prior, so it needs no starts, and visits the aliases of a mode as it finds them.
    """
    data.check_fits(network)
    network = network.relevant
    check_layout(network, data)
    n_particles = settings.n_chains * settings.n_states
    check_memory(
        N_COPIES * n_particles * network.n_entries,
        f"{n_particles:,} particles of {network.n_entries:,} parameters",
        "take fewer n_chains or n_states, or fewer values",
    )
    check_memory(N_COPIES * data.n * data.rows.shape[1], f"{data.n:,} rows in an order of their own", "take fewer rows")
    rng = stream.child("sequential Monte Carlo").generator()
    rows = np.repeat(data.rows, data.counts, axis=0)
    run = partial(
        waste_free.run, network, sizes=[data.n], rng=rng, n_chains=settings.n_chains, n_states=settings.n_states
    )
    pilot = run(rows=rng.permutation(rows), least_share=settings.least_share)
    passes = [run(rows=rng.permutation(rows), ends=pilot.ends) for _ in range(settings.n_passes)]
    values = np.array([each.log_evidences[0] for each in passes])
    found = combine(values, "mean")
    return {
        "sequential_monte_carlo": Evidence(
            float(found.value),
            float(found.standard_error),
            n_evaluations=sum(each.n_evaluations for each in (pilot, *passes)),
            diagnostics={"spread": float(values.std(ddof=1))},
            effective_sample_size=float(found.effective_sample_size),
            doubt=Doubt(int(found.doubt)),
            degrees_of_freedom=float(found.degrees_of_freedom),
        )
    }
