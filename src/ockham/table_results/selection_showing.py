"""Results by the number of classes, as numbers and as a reader sees them, whatever the items are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

from ockham.contracts import Evidence
from ockham.estimation.model_posterior import in_words
from ockham.table_results.cells import Cell, Rows, bounded, remarks_on_table
from ockham.table_results.methods import span, unchecked

if TYPE_CHECKING:
    from ockham.table_results.selection import Selection

__all__ = [
    "classes_in_words", "headline", "panel_rows", "profile_rows", "remarks", "result_rows", "results", "why_described",
]  # fmt: skip


def headline(found: "Selection") -> str:
    """The outcome in a line."""
    return (
        f"{found.data.n:,} rows, {len(found.labels)} items; highest evidence among {classes_in_words(*found.classes)}: "
        f"{found.posterior}; prior {found.main.prior.name}"
    )


def results(found: "Selection", of_fit: Callable[[Any], dict[str, Any]]) -> list[dict[str, Any]]:
    """A record for each number of classes, and what its fit has beside; nats, NaN where unknown."""
    rows = []
    for k, (n_classes, certified) in enumerate(found.evidences.items()):
        posterior, fit = found.posterior, found.fits.get(n_classes)
        row: dict[str, Any] = {
            "classes": n_classes,
            "log_evidence": certified.log_evidence,
            "standard_error": certified.standard_error,
            "at_least": certified.at_least,
            "scorer": certified.scorer,
            "checked_by": certified.checked_by,
            "doubt": "; ".join(certified.reasons),
            "probability": posterior.probability[k],
            "probability_low": posterior.low[k],
            "probability_high": posterior.high[k],
            "leads": posterior.leads[k],
            "n_parameters": found.models[n_classes].n_parameters,
        }
        for name in found.estimates:
            score = fit.scores[name] if fit is not None else Evidence(nan)
            row |= {name: score.log_evidence, f"{name}_doubt": "; ".join(score.doubt.reasons)}
        rows.append(row | of_fit(fit))
    return rows


def result_rows(
    found: "Selection",
    records: list[dict[str, Any]],
    heads_of_scores: Mapping[str, str],
    heads_of_fit: list[str],
    of_fit: Callable[[dict[str, Any]], list[Cell]],
) -> Rows:
    """Heads and rows of the table of results, with scores and what describes the fits by their heads."""
    heads = [
        "classes", "log evidence", "checked by", "p(K | data)", "95 %", *heads_of_scores.values(), "parameters",
        *heads_of_fit,
    ]  # fmt: skip
    rows = []
    for row in records:
        evidence = found.evidences[row["classes"]]
        rows.append([
            Cell(str(row["classes"]), row["classes"]),
            Cell(evidence.words, row["log_evidence"]),
            Cell(row["scorer"] if row["standard_error"] == 0 else row["checked_by"] or "-"),
            Cell(in_words(row["probability"]), row["probability"]),
            Cell(f"{in_words(row['probability_low'])} to {in_words(row['probability_high'])}"),
            *(_score(found, row, name) for name in heads_of_scores),
            Cell(str(row["n_parameters"]), row["n_parameters"]),
            *of_fit(row),
        ])  # fmt: skip
    return heads, rows


def _score(found: "Selection", row: dict[str, Any], name: str) -> Cell:
    fit = found.fits.get(row["classes"])
    if fit is None:
        return Cell("-", nan)
    return Cell(f"{row[name]:.1f}{'*' if fit.scores[name].doubt else ''}", row[name])


def panel_rows(found: "Selection") -> Rows:
    """Heads and rows of the table of p(K | data) by prior, bounds where it is unknown."""
    heads = ["prior", "highest evidence", *(f"K = {k}" for k in found.classes)]
    rows = []
    for under in (found.main, *found.others):
        of = under.posterior
        cells = [Cell(bounded(*each), each[0]) for each in zip(of.probability, of.low, of.high, strict=True)]
        rows.append([Cell(under.prior.name), Cell(str(of)), *cells])
    return heads, rows


def why_described(found: "Selection", k: int) -> list[str]:
    """Why it is this number of classes, where none with a fit may have the highest evidence that is known."""
    if k in found.posterior.leading:
        return []
    return [f"No number of classes with a fit is known to have the highest evidence; the highest lower bound, "
            f"{found.evidences[k].at_least:.2f}, is that of {classes_in_words(k)}."]  # fmt: skip


def profile_rows(records: Sequence[tuple[str, str, Any]], k: int) -> Rows:
    """Heads and rows of what items are like in each class."""
    heads = ["item", "quantity", *(f"class {c + 1}" for c in range(k))]
    return heads, [
        [Cell(item), Cell(what or "share of rows"), *(Cell(f"{value:.3g}", float(value)) for value in values)]
        for item, what, values in records
    ]


def remarks(found: "Selection", of_fits: Callable[[Any], Iterator[str]]) -> Iterator[str]:
    """What a reader of the results should know, with what the family remarks on fits."""
    yield from remarks_on_table(found.notes)
    if found.interrupted:
        yield "It was stopped before it had ended."
    yield from _remarks_on_evidence(found)
    for name, estimator in found.estimates.items():
        if doubted := [k for k, fit in found.fits.items() if fit.scores[name].doubt]:
            words = classes_in_words(*doubted)
            yield f"{estimator.long_name} (*) is doubted with {words}: a fit stopped before it converged."
    yield from of_fits(found)
    for under in found.others:
        if under.posterior.leading != found.posterior.leading or under.posterior.unknown:
            of = "unknown, for lack of some" if under.posterior.unknown else f"that of {under.posterior}"
            yield f"Under the prior {under.prior.name} the highest evidence is {of}."


def _remarks_on_evidence(found: "Selection") -> Iterator[str]:
    for k, evidence in found.evidences.items():
        if not evidence.trusted:
            yield f"The evidence of {classes_in_words(k)} is not known: {'; '.join(evidence.reasons)}."
    known = {k: evidence for k, evidence in found.evidences.items() if evidence.trusted}
    if large := [k for k, evidence in known.items() if not evidence.reached]:
        yield f"The error asked for, {found.error:g} nats, was not reached with {classes_in_words(*large)}."
    for lack, of in unchecked(known).items():
        yield f"No second estimate was {lack} to check the evidence of {classes_in_words(*of)}."
    if len(found.classes) > 1 and found.classes[-1] in found.posterior.leading:
        yield f"More than {classes_in_words(found.classes[-1])} may have a higher evidence: ask for them."


def classes_in_words(*numbers: int) -> str:
    """``1 class``, ``2 and 3 classes``, ``1 to 6 classes``."""
    return f"{span(numbers)} class{'' if numbers == (1,) else 'es'}"
