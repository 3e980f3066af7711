"""MC3, chains of node orders at several temperatures that exchange their states ([NiinimakiKoivisto2013], 2.3)."""

from typing import Annotated

from pydantic import Field

from ockham.contracts import NO_DOUBT, Array, Doubt, Estimator, Evidence
from ockham.errors import ModelError
from ockham.estimation.schedules import schedule
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.estimates import N_BATCHES, telescoped, telescoped_error
from ockham.orders.inference import tempering
from ockham.orders.inference.graph_sums import SumSettings
from ockham.orders.scorers import ais
from ockham.orders.space import OrderSpace
from ockham.streams import Stream

__all__ = ["ARRAYS", "ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "mc3_orders": Estimator("MC3, order-modular prior", over_runs="median"),
    "mc3_graphs": Estimator("MC3, prior uniform over graphs", over_runs="median"),
}
ARRAYS = {
    "log_ratio": Array(("block", "step"), "ln of the mean ratio of neighbouring targets in a block", "nats"),
    "arcs": Array(("block", "parent", "child"), "Fraction of graphs that have the arc", "1"),
    "weighted_arcs": Array(("block", "parent", "child"), "The same, weighted by 1 / number of linear extensions", "1"),
    "log_inverse_extensions": Array(("block",), "ln of the mean of 1 / number of linear extensions", "nats"),
    "seconds": Array(("block",), "CPU time of the orders", "s"),
    "graph_seconds": Array(("block",), "CPU time of graphs and linear extensions", "s"),
    "accepted": Array(("chain",), "Fraction of moves accepted by each chain", "1"),
    "exchanged": Array(("step",), "Fraction of exchanges with the next chain accepted", "1"),
}
N_BLOCKS = 100
FEWEST_EXCHANGES = 100
"""Of any two neighbouring chains: where they were fewer, there are hardly independent states of each."""


class Settings(SumSettings):
    """The chains, the budget, and what is recorded of it."""

    ratios: Annotated[int, Field(ge=1, le=10_000)] = Field(default=16, description="r: there are r + 1 chains")
    thin: ais.Count = Field(default=10, description="sweeps from one record to the next")
    curvature: ais.Curvature = None
    steps: ais.Count = Field(default=10**7, description="budget: steps of all chains together in one run")
    count_every: ais.CountEvery = 1


def check(space: OrderSpace, n: int, settings: Settings) -> None:
    """Raise a ModelError for a budget that is not enough for a record in each block."""
    needed = (settings.ratios + 1) * settings.thin * N_BLOCKS
    if settings.steps < needed:
        raise ModelError(f"steps: not enough for {N_BLOCKS} records; set it to {needed} or more")


def score(space: OrderSpace, data: CompleteTable, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One run of all chains, summed up in blocks of records; the first half of them is burn-in.

    The standard error is of the means of batches of blocks. Where two neighbouring chains exchanged their states fewer
    than ``FEWEST_EXCHANGES`` times, the scores are doubted.

    Raises
    ------
    ModelError
        For too small a budget, and as ``bdeu_scores`` and ``log_counts`` do.
    """
    check(space, data.n, settings)
    sums = data.sums(space, settings, settings.steps)
    found = tempering.sample(
        sums, schedule(settings.ratios, settings.curvature), stream,
        n_blocks=N_BLOCKS, records_per_block=settings.steps // ((settings.ratios + 1) * settings.thin * N_BLOCKS),
        thin=settings.thin, count_every=settings.count_every,
    )  # fmt: skip
    diagnostics = {"acceptance": float(found["accepted"][-1]), **sums.diagnostics}
    n_proposed = settings.steps / ((settings.ratios + 1) * settings.ratios)
    mixed = (found["exchanged"] * n_proposed >= FEWEST_EXCHANGES).all()
    evidences = {}
    for prior in ("orders", "graphs"):
        terms = found["log_ratio"], found["log_inverse_extensions"], prior
        value = telescoped(*terms) + space.log_scale(prior)
        evidences[f"mc3_{prior}"] = Evidence(
            float(value), telescoped_error(*terms), settings.steps, diagnostics, found,
            doubt=NO_DOUBT if mixed else Doubt.NOT_MIXED, degrees_of_freedom=N_BATCHES - 1,
        )  # fmt: skip
    return evidences
