"""Results by graph, as numbers and as a reader sees them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ockham.estimation.model_posterior import listed
from ockham.networks.comparisons import showing as comparisons
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.table_results.cells import Cell

if TYPE_CHECKING:
    from ockham.networks.searches.structure_search import StructureSearch

__all__ = ["arc_lines", "headline", "remarks", "result_rows", "results"]

HEADS = {"cheeseman_stutz": "CS", "variational_bayes": "VB"}


def headline(found: "StructureSearch") -> str:
    """The outcome in a line."""
    return (
        f"{found.n_graphs:,} graphs searched on {found.data.n:,} rows, {len(found.labels)} items; highest evidence of "
        f"{len(found.models)} judged: {found.judged.posterior}"
    )


def results(found: "StructureSearch") -> list[dict[str, Any]]:
    """A record for each graph that was judged; nats, NaN where unknown."""
    return [
        row
        | {
            "score": found.scores[row["model"]],
            "n_hidden": len(found.models[row["model"]].hidden),
            "hidden": _hidden(found.models[row["model"]]),
        }
        for row in comparisons.results(found.judged)
    ]


def result_rows(found: "StructureSearch") -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the table of results."""
    heads, rows = comparisons.result_rows(found.judged)
    with_score = []
    for (name, *others), record in zip(rows, results(found), strict=True):
        score = Cell(f"{record['score']:.2f}", record["score"])
        with_score.append([name, score, *others, Cell(record["hidden"] or "-")])
    return [heads[0], HEADS[found.score], *heads[1:], "hidden variables"], with_score


def arc_lines(network: DiscreteNetwork) -> list[str]:
    """``x1 <- hidden1, x2`` for every variable that has parents."""
    names = network.names
    return [f"{names[i]} <- {', '.join(names[p] for p in of)}" for i, of in enumerate(network.parents) if of]


def remarks(found: "StructureSearch") -> Iterator[str]:
    """What a reader of the results should know."""
    yield from comparisons.remarks(found.judged)
    if len(found.models) > 1:
        yield "Probabilities are among these graphs alone; others that were not judged, or not found, have none."
    if found.n_climbs < found.n_starts:
        yield f"The search ended after {found.n_climbs} of {found.n_starts} climbs: better graphs may be left."
    leading = [found.models[name] for name in found.judged.posterior.leading]
    if any(model.hidden and len(model.hidden) == found.limits.max_hidden for model in leading):
        yield f"More than {found.limits.max_hidden} hidden variables may have a higher evidence: allow them."
    if any(model.cardinalities[i] == found.limits.max_values for model in leading for i in model.hidden):
        yield f"Hidden variables of more than {found.limits.max_values} values may have a higher evidence: allow them."


def _hidden(network: DiscreteNetwork) -> str:
    """``hidden1 (2 values)`` of all of them."""
    said = [f"{network.names[i]} ({network.cardinalities[i]} values)" for i in network.hidden]
    return listed(said, "and") if said else ""
