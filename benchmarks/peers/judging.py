"""What answers are worth: one number of each, its error against the truth, and the table of all."""

from dataclasses import dataclass, replace
from math import isfinite, isnan, nan

import numpy as np

from ockham import RestrictedBoltzmann
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.likelihood import log_likelihood
from ockham.orders.inference import best_graph
from peers import problems
from peers.tasks import Task

__all__ = ["EQUAL", "Record", "ahead", "judged", "line", "record", "table", "was_ended"]

EQUAL = {"evidence": 0.1, "height": 1e-3, "graph": 1e-3, "arcs": 1e-6, "machine": 1e-3, "own": 0.0}
"""Errors that differ by no more count as equal: nats, of arcs probabilities."""
HEAD = (f"{'':22}{'table':>12}  {'peer':25}{'settings':24}{'seconds':>9}{'ours':>9}{'ratio':>8}"
        f"{'answer':>13}{'ours':>13}{'error':>10}{'ours':>10}")  # fmt: skip


@dataclass(frozen=True)
class Record:
    """A row of the table; NaN for what is not known, and then the note says why.

    Attributes
    ----------
    task : Task
    version : str
        Of the peer.
    seconds, our_seconds : float
        CPU time; the peer's limit where it was not done by then.
    answers : tuple
        The peer's and ours, as they were given; None for none.
    answer, ours : float
        One number of each.
    error, our_error : float
        How far each is from the truth.
    note : str
    """

    task: Task
    version: str
    seconds: float
    our_seconds: float
    answers: tuple
    answer: float
    ours: float
    note: str
    error: float = nan
    our_error: float = nan

    @property
    def ratio(self):
        return self.seconds / self.our_seconds


def record(task, version, theirs, ours, given):
    """A row of what both sides returned, its errors still unknown."""
    answers = theirs.get("answer"), ours.get("answer")
    notes = [theirs.get("note"), ours.get("note") and f"ours: {ours['note']}"]
    return Record(
        task, version, theirs.get("seconds", nan), ours.get("seconds", nan), answers,
        *(nan if answer is None else number(task.judge, answer, given) for answer in answers),
        "; ".join(note for note in notes if note),
    )  # fmt: skip


def number(judge, answer, given):
    """An answer in one number: nats, or how many arcs are expected."""
    if judge == "graph":
        return float(best_graph.log_scores(problems.family_scores(given), np.array([answer], dtype=np.uint64))[0])
    if judge == "machine":
        model = RestrictedBoltzmann(given["rows"].shape[1], int(given["n_hidden"]))
        return log_likelihood(model, np.array(answer), BinaryRows.of(given["rows"]))
    return float(np.sum(answer))


def judged(records, given):
    """The records with errors: against the highest that any has found, the exact arcs, or the evidence."""
    return [
        replace(one, error=error, our_error=ours) for one in records for error, ours in [_errors(one, records, given)]
    ]


def _errors(one, records, given):
    task = one.task
    if task.judge == "own":
        return nan, nan
    if task.judge == "arcs":
        exact = given[task.table]["arcs"]
        return tuple(nan if arcs is None else float(np.abs(np.array(arcs) - exact).max()) for arcs in one.answers)
    if task.judge == "evidence":
        truth = float(given[task.table]["log_evidence"])
        return abs(one.answer - truth), abs(one.ours - truth)
    same = [other for other in records if (other.task.name, other.task.table) == (task.name, task.table)]
    highest = np.nanmax([number for other in same for number in (other.answer, other.ours)])
    return highest - one.answer, highest - one.ours


def was_ended(one):
    """Whether the peer took longer than it may."""
    return isfinite(one.seconds) and one.answers[0] is None


def ahead(one):
    """Whether we are faster at equal or better error; None where the peer has no time, answer or error to compare."""
    if not isfinite(one.ratio) or isnan(one.error):
        return None
    return one.ratio > 1 and one.our_error <= one.error + EQUAL[one.task.judge]


def line(one):
    """A row of the table."""
    task, more = one.task, ">" if was_ended(one) else ""
    digits = 6 if task.judge == "arcs" else 3
    form = ".0f" if one.ratio >= 10 else ".1f"
    cells = _cell(one.seconds, ".3g", 9, more) + _cell(one.our_seconds, ".2g", 9) + _cell(one.ratio, form, 8, more)
    cells += "".join(_cell(value, f".{digits}f", 13) for value in (one.answer, one.ours))
    cells += "".join(_cell(value, ".2g", 10) for value in (one.error, one.our_error))
    notes = "; ".join(note for note in ("not ahead" if ahead(one) is False else "", one.note) if note)
    return f"{task.name:22}{task.table:>12}  {task.peer + ' ' + one.version:25}{task.how:24}{cells}  {notes}".rstrip()


def _cell(value, form, width, more=""):
    return ("-" if np.isnan(value) else f"{more}{value:{form}}").rjust(width)


def table(records):
    """All rows, and of how many we are ahead."""
    standings, n_ended = [ahead(one) for one in records], sum(map(was_ended, records))
    counts = (
        f"ahead in {standings.count(True)} of the {len(records) - standings.count(None)} rows whose errors are "
        f"known; of the others {n_ended} were ended, and {standings.count(None) - n_ended} have no error"
    )
    return "\n".join([HEAD, *map(line, records), counts])
