"""Annealed importance sampling of node orders, with correction of its bias ([NiinimakiKoivisto2013], section 3)."""

from typing import Annotated

from pydantic import Field

from ockham.contracts import Array, Estimator, Evidence
from ockham.errors import ModelError
from ockham.estimation.combining import combine
from ockham.estimation.memory import check_memory
from ockham.estimation.schedules import schedule
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.estimates import corrected, error_with_unseen, mean_of_corrected
from ockham.orders.inference import annealing
from ockham.orders.inference.graph_sums import SumSettings
from ockham.orders.space import OrderSpace
from ockham.streams import Stream

__all__ = ["ARRAYS", "ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "ais_orders": Estimator("Annealed importance sampling, order-modular prior", over_runs="mean"),
    "ais_graphs": Estimator("Annealed importance sampling, prior uniform over graphs", over_runs="mean"),
}
ARRAYS = {
    "log_weight": Array(("sample",), "ln w, whose mean is the mean of p(D, L) over all orders", "nats"),
    "parents": Array(("sample", "graph", "node"), "Parents of each node, a mask over all nodes", "1", "u8"),
    "log_extensions": Array(("sample", "graph"), "ln of the number of linear extensions; NaN: not counted", "nats"),
    "seconds": Array(("sample",), "CPU time of the orders", "s"),
    "graph_seconds": Array(("sample",), "CPU time of graphs and linear extensions", "s"),
    "accepted": Array(("quarter",), "Fraction of proposals accepted in each quarter of the schedule", "1"),
}

ORDER = 100
"""Numbers for one of the orders of which one is kept, as Python holds it."""
MOST_SAMPLES = 20_000
"""With the steps by default, schedules of a few nodes and rows would be enough for more samples than anybody needs."""
Count = Annotated[int, Field(ge=1, le=10**12)]
Curvature = Annotated[float | None, Field(gt=0, le=1e9, description="e_tau of a schedule that is not linear")]
CountEvery = Annotated[
    int,
    Field(
        ge=0, le=10**12, description="linear extensions are counted for the graphs of every so many samples; 0: never"
    ),
]


class Settings(SumSettings):
    """The schedule, the budget, and what is kept of it."""

    length: Count = Field(default=4, description="steps r of the schedule, in units of n m")
    merge: Count = Field(
        default=1,
        description="sampled orders of which one is kept, drawn by weight, with their mean weight: for long runs",
    )
    graphs: Count = Field(default=1, description="graphs drawn from each order that is kept")
    curvature: Curvature = None
    steps: Count = Field(
        default=10**7, description="budget: steps of the chain in one run of the sampler, for at most 20,000 samples"
    )
    count_every: CountEvery = 1


def check(space: OrderSpace, n: int, settings: Settings) -> None:
    """Raise a ModelError for a budget that is not enough for two samples, or has more than memory has room for."""
    n_steps = _schedule_steps(space, n, settings)
    needed = 2 * n_steps * settings.merge
    if settings.steps < needed:
        raise ModelError(f"steps: not enough for two samples; set it to {needed} or more")
    n_samples, _ = _samples_and_steps(space, n, settings)
    check_memory(
        3.0 * n_steps + ORDER * settings.merge + n_samples * ((space.n_nodes + 1.0) * settings.graphs + 3),
        f"steps: a schedule of {n_steps:,} and {n_samples:,} samples",
        "lower steps, length or graphs, or choose another merge",
    )


def score(space: OrderSpace, data: CompleteTable, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One run: as many independent samples as the budget is enough for.

    The standard error is that of the mean weight, carried to its log; ``mean_of_corrected`` says what is made of it
    with correction.

    Raises
    ------
    ModelError
        For too small a budget, and as ``bdeu_scores`` and ``log_counts`` do.
    """
    check(space, data.n, settings)
    n_steps = _schedule_steps(space, data.n, settings)
    n_samples, n_evaluations = _samples_and_steps(space, data.n, settings)
    sums = data.sums(space, settings, n_evaluations)
    found = annealing.sample(
        sums, schedule(n_steps, settings.curvature), stream,
        n_samples=n_samples, n_graphs=settings.graphs, merge=settings.merge, count_every=settings.count_every,
    )  # fmt: skip
    orders = combine(found["log_weight"], "mean")
    means = {
        "orders": orders._replace(standard_error=error_with_unseen(orders.standard_error, n_samples)),
        "graphs": mean_of_corrected(corrected(found["log_weight"], found["log_extensions"])),
    }
    diagnostics = {"acceptance": float(found["accepted"].mean()), **sums.diagnostics}
    evidences = {}
    for prior, mean in means.items():
        evidences[f"ais_{prior}"] = mean.evidence(n_evaluations, diagnostics, found, plus=space.log_scale(prior))
    return evidences


def _samples_and_steps(space: OrderSpace, n: int, settings: Settings) -> tuple[int, int]:
    """How many samples there are, and steps of the budget for them."""
    of_one = _schedule_steps(space, n, settings) * settings.merge
    n_samples = settings.steps // of_one
    return (n_samples, settings.steps) if n_samples <= MOST_SAMPLES else (MOST_SAMPLES, MOST_SAMPLES * of_one)


def _schedule_steps(space: OrderSpace, n: int, settings: Settings) -> int:
    """Steps of the annealing schedule."""
    return settings.length * space.n_nodes * n
