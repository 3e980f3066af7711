"""Results by the number of classes, as numbers and as a reader sees them."""

from collections.abc import Iterable, Iterator
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from ockham.contracts import Evidence
from ockham.estimation.model_posterior import in_words, listed
from ockham.io.frames import Note
from ockham.networks.classes.fit_statistics import SPARSE
from ockham.networks.classes.fits import ESTIMATES

if TYPE_CHECKING:
    from ockham.networks.classes.selection import Selection

__all__ = [
    "Cell", "bounded", "headline", "panel_rows", "remarks", "remarks_on_table", "result_rows",
    "results",
]  # fmt: skip

WORTH_A_LOOK = 4.0
"""Bivariate residual."""
MOST = 0.9995
"""Upper bound of a probability that says something."""


class Cell(NamedTuple):
    """What a table shows, and the number that it is sorted by: NaN where it is unknown, None to sort by the text."""

    text: str
    value: float | None = None

    @property
    def is_number(self) -> bool:
        """Whether it is sorted by a number."""
        return self.value is not None

    @property
    def key(self) -> str:
        """The number; nothing where it is unknown."""
        return "" if self.value is None or isnan(self.value) else repr(float(self.value))


def headline(found: "Selection") -> str:
    """The outcome in a line."""
    first, last = found.classes[0], found.classes[-1]
    return (
        f"{found.data.n:,} rows, {len(found.labels)} items; highest evidence among {first} to {last} classes: "
        f"{found.posterior}; prior {found.main.prior.name}"
    )


def results(found: "Selection") -> list[dict[str, Any]]:
    """A record for each number of classes; nats, NaN where unknown."""
    names, rows = list(found.labels), []
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
        for name in ESTIMATES:
            score = fit.scores[name] if fit is not None else Evidence(nan)
            row |= {name: score.log_evidence, f"{name}_doubt": "; ".join(score.doubt.reasons)}
        about = fit.statistics if fit is not None else None
        pair = about.largest_residual if about is not None else None
        rows.append(
            row
            | {
                "g2": about.g2 if about is not None else nan,
                "g2_degrees_of_freedom": about.degrees_of_freedom if about is not None else nan,
                "g2_p_value": about.p_value if about is not None else nan,
                "largest_residual": pair[2] if pair is not None else nan,
                "largest_residual_items": f"{names[pair[0]]}, {names[pair[1]]}" if pair is not None else "",
                "entropy": about.entropy if about is not None else nan,
            }
        )
    return rows


def result_rows(found: "Selection") -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the table of results."""
    heads = [
        "classes", "log evidence", "checked by", "p(K | data)", "95 %", "MAP", "BIC", "CS", "VB", "parameters", "G2",
        "df", "p of G2", "largest residual", "of items", "entropy",
    ]  # fmt: skip
    rows = []
    for row in results(found):
        evidence = found.evidences[row["classes"]]
        rows.append([
            Cell(str(row["classes"]), row["classes"]),
            Cell(evidence.words, row["log_evidence"]),
            Cell("exact" if row["standard_error"] == 0 else row["checked_by"] or "-"),
            Cell(in_words(row["probability"]), row["probability"]),
            Cell(f"{in_words(row['probability_low'])} to {in_words(row['probability_high'])}"),
            *(_score(found, row, name) for name in ESTIMATES),
            Cell(str(row["n_parameters"]), row["n_parameters"]),
            _number(row["g2"], 1), _number(row["g2_degrees_of_freedom"], 0), _number(row["g2_p_value"], 3),
            _number(row["largest_residual"], 1), Cell(row["largest_residual_items"] or "-"), _number(row["entropy"], 2),
        ])  # fmt: skip
    return heads, rows


def _score(found: "Selection", row: dict[str, Any], name: str) -> Cell:
    fit = found.fits.get(row["classes"])
    if fit is None:
        return Cell("-", nan)
    return Cell(f"{row[name]:.1f}{'*' if fit.scores[name].doubt else ''}", row[name])


def _number(value: float, digits: int) -> Cell:
    return Cell("-" if isnan(value) else f"{value:,.{digits}f}" if abs(value) < 1e9 else f"{value:.1e}", value)


def panel_rows(found: "Selection") -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the table of p(K | data) by prior, bounds where it is unknown."""
    heads = ["prior", "highest evidence", *(f"K = {k}" for k in found.classes)]
    rows = []
    for under in (found.main, *found.others):
        of = under.posterior
        cells = [Cell(bounded(*each), each[0]) for each in zip(of.probability, of.low, of.high, strict=True)]
        rows.append([Cell(under.prior.name), Cell(str(of)), *cells])
    return heads, rows


def bounded(probability: float, low: float, high: float) -> str:
    """A probability in words, or what bounds it where it is unknown."""
    if not isnan(probability):
        return in_words(probability)
    if high <= MOST:
        return f"at most {in_words(high)}"
    return f"at least {in_words(low)}" if low >= 1 - MOST else "unknown"


def remarks(found: "Selection") -> Iterator[str]:
    """What a reader of the results should know."""
    yield from remarks_on_table(found.notes)
    if found.interrupted:
        yield "It was stopped before it had ended."
    yield from _remarks_on_evidence(found)
    yield from _remarks_on_fits(found)
    for under in found.others:
        if under.posterior.leading != found.posterior.leading or under.posterior.unknown:
            of = "unknown, for lack of some" if under.posterior.unknown else f"that of {under.posterior}"
            yield f"Under the prior {under.prior.name} the highest evidence is {of}."


def remarks_on_table(notes: Iterable[Note]) -> Iterator[str]:
    """The warnings among them, in sentences."""
    for note in notes:
        if note.is_warning:
            yield f"Column {note.column!r}: {note.text}." if note.column else f"The table: {note.text}."


def _remarks_on_evidence(found: "Selection") -> Iterator[str]:
    for k, evidence in found.evidences.items():
        if not evidence.trusted:
            yield f"The evidence of {_classes(k)} is not known: {'; '.join(evidence.reasons)}."
    known = {k: evidence for k, evidence in found.evidences.items() if evidence.trusted}
    if large := [k for k, evidence in known.items() if not evidence.reached]:
        yield f"The error asked for, {found.error:g} nats, was not reached with {_classes(*large)}."
    if unchecked := [k for k, evidence in known.items() if not evidence.checked_by and evidence.standard_error]:
        yield f"No second estimate was precise enough to check the evidence of {_classes(*unchecked)}."
    if len(found.classes) > 1 and found.classes[-1] in found.posterior.leading:
        yield f"More than {_classes(found.classes[-1])} may have a higher evidence: ask for them."


def _remarks_on_fits(found: "Selection") -> Iterator[str]:
    for name, estimator in ESTIMATES.items():
        if doubted := [k for k, fit in found.fits.items() if fit.scores[name].doubt]:
            yield f"{estimator.long_name} (*) is doubted with {_classes(*doubted)}: a fit stopped before it converged."
    fits = [(k, fit.statistics) for k, fit in found.fits.items()]
    if fits and fits[0][1].is_sparse:
        about = fits[0][1]
        yield (
            f"The table is sparse: {about.n_complete:,} complete rows for {_number(about.n_cells, 0).text} cells, "
            f"where {SPARSE:g} a cell are needed; G2 has no chi-square distribution then, and no p-value is given."
        )
    names = list(found.labels)
    for k, about in fits:
        pair = about.largest_residual
        if k in found.posterior.leading and pair is not None and pair[2] > WORTH_A_LOOK:
            yield (
                f"With {_classes(k)} the items {names[pair[0]]!r} and {names[pair[1]]!r} may still depend on each "
                f"other: their bivariate residual is {pair[2]:.1f}."
            )


def _classes(*numbers: int) -> str:
    return f"{listed(numbers, 'and')} class{'' if numbers == (1,) else 'es'}"
