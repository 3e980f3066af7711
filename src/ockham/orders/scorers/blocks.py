"""A proven upper bound of the evidence over node orders and over graphs: exact sums over blocks of nodes."""

from typing import Annotated

from pydantic import Field

from ockham import contracts
from ockham.contracts import Array, Estimator, Evidence
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.inference.block_bounds import find_blocks, log_bound
from ockham.orders.space import PRIORS, OrderSpace
from ockham.streams import Stream

__all__ = ["ARRAYS", "ESTIMATES", "Settings", "score"]

ESTIMATES = {
    "blocks_orders": Estimator("Upper bound by blocks, order-modular prior", bound="upper"),
    "blocks_graphs": Estimator("Upper bound by blocks, prior uniform over graphs", bound="upper"),
}
ARRAYS: dict[str, Array] = {}


class Settings(contracts.Settings):
    """How large the blocks may be."""

    most_nodes: Annotated[int, Field(ge=1, le=16)] = Field(
        default=14, description="nodes of a block at most; the cost grows as 3 to this power"
    )


def score(space: OrderSpace, data: CompleteTable, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """The bounds under both priors. Deterministic, so the stream is not used.

    Raises
    ------
    ModelError
        As ``bdeu_scores`` does, and when forbidden and required arcs make it too long to count the structures.
    """
    scores = data.family_scores(space)
    blocks = find_blocks(scores, settings.most_nodes)
    diagnostics = {"n_blocks": float(len(blocks))}
    return {
        f"blocks_{prior}": Evidence(
            log_bound(scores, blocks, prior) - space.log_count(prior), n_evaluations=1, diagnostics=diagnostics
        )
        for prior in PRIORS
    }
