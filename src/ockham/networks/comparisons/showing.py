"""Results by model, as numbers and as a reader sees them."""

from collections.abc import Iterator
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any

from ockham.contracts import NO_DOUBT
from ockham.estimation import wording
from ockham.estimation.model_posterior import BayesFactor, in_words, listed
from ockham.table_results.cells import Cell, bounded, remarks_on_table
from ockham.table_results.methods import unchecked

if TYPE_CHECKING:
    from ockham.networks.comparisons.comparison import Comparison

__all__ = ["headline", "remarks", "result_rows", "results"]


def headline(found: "Comparison") -> str:
    """The outcome in a line."""
    return (
        f"{len(found.models)} models of {found.data.n:,} rows, {len(found.labels)} items; highest evidence: "
        f"{found.posterior}"
    )


def results(found: "Comparison") -> list[dict[str, Any]]:
    """A record for each model; nats, NaN where unknown."""
    rows, posterior = [], found.posterior
    for k, (name, certified) in enumerate(found.evidences.items()):
        factor = found.bayes_factors[name]
        rows.append({
            "model": name,
            "log_evidence": certified.log_evidence,
            "standard_error": certified.standard_error,
            "at_least": certified.at_least,
            "scorer": certified.scorer,
            "checked_by": certified.checked_by,
            "doubt": "; ".join(certified.reasons),
            "log_bayes_factor": factor.log_factor,
            "log_bayes_factor_error": factor.standard_error,
            "log_bayes_factor_low": factor.low,
            "log_bayes_factor_high": factor.high,
            "probability": posterior.probability[k],
            "probability_error": posterior.standard_error[k],
            "probability_low": posterior.low[k],
            "probability_high": posterior.high[k],
            "leads": posterior.leads[k],
            "n_parameters": found.models[name].n_parameters,
        })  # fmt: skip
    return rows


def result_rows(found: "Comparison") -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the table of results."""
    heads = [
        "model", "log evidence", "checked by", "log Bayes factor", "95 %", "p(model | data)", "95 %", "parameters",
    ]  # fmt: skip
    rows = []
    for row in results(found):
        factor, name = found.bayes_factors[row["model"]], row["model"]
        probability = bounded(row["probability"], row["probability_low"], row["probability_high"])
        interval = f"{in_words(row['probability_low'])} to {in_words(row['probability_high'])}"
        if isnan(row["probability"]):
            interval = "-"  # its bounds stand in its place
        rows.append([
            Cell(name),
            Cell(found.evidences[name].words, row["log_evidence"]),
            Cell("exact" if row["standard_error"] == 0 else row["checked_by"] or "-"),
            Cell(_factor(factor), factor.log_factor),
            Cell("-" if not factor.standard_error > 0 else f"{factor.low:.2f} to {factor.high:.2f}"),
            Cell(_with_error(probability, row["probability_error"]), row["probability"]),
            Cell(interval),
            Cell(str(row["n_parameters"]), row["n_parameters"]),
        ])  # fmt: skip
    return heads, rows


def _factor(factor: BayesFactor) -> str:
    if not isnan(factor.log_factor):
        return wording.in_words(factor.log_factor, factor.standard_error or nan, NO_DOUBT)
    if factor.low > -inf:
        return f"at least {factor.low:.2f}"
    return f"at most {factor.high:.2f}" if factor.high < inf else "unknown"


def _with_error(probability: str, error: float) -> str:
    return probability if isnan(error) or error < 0.0005 else f"{probability} +- {error:.3f}"


def remarks(found: "Comparison") -> Iterator[str]:
    """What a reader of the results should know."""
    yield from remarks_on_table(found.notes)
    if found.interrupted:
        yield "It was stopped before it had ended."
    for name, evidence in found.evidences.items():
        if not evidence.trusted:
            yield f"The evidence of {name!r} is not known: {'; '.join(evidence.reasons)}."
    known = {name: evidence for name, evidence in found.evidences.items() if evidence.trusted}
    if large := [repr(name) for name, evidence in known.items() if not evidence.reached]:
        yield f"The error asked for, {found.error:g} nats, was not reached with {listed(large, 'and')}."
    for lack, of in unchecked(known).items():
        yield f"No second estimate was {lack} to check the evidence of {listed(list(map(repr, of)), 'and')}."
    for column in found.labels:
        numbers = sorted({model.cardinalities[model.names.index(column)] for model in found.models.values()})
        if len(numbers) > 1:
            yield (
                f"Models give {column!r} {listed(numbers, 'or')} values: Bayes factors between them are of these "
                "numbers, too, and not of the graphs alone."
            )
