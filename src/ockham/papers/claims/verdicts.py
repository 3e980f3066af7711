"""The rule that makes the verdict on a claim from what is stored; no verdict is written by hand."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ockham.contracts import Paper
from ockham.papers.claims.cells import Find, read_rows
from ockham.papers.claims.comparisons import Tables
from ockham.papers.claims.files import Claim, quantities, read_claims
from ockham.papers.claims.stored import read_stored

__all__ = ["VERDICTS", "Verdict", "claims_table", "counts_table", "judge"]

VERDICTS = (
    "same", "same within stated error", "pattern only", "differs, known cause", "differs, open", "unknown",
)  # fmt: skip


class Verdict(NamedTuple):
    """The verdict on a claim, what is printed and what is ours in words, and why."""

    verdict: str
    printed: str
    ours: str
    because: str = ""


def judge(claim: Claim, tables: Tables) -> Verdict:
    """The verdict on a claim.

    `unknown` where ours is not stored or not to be trusted; what the comparison says, where it agrees; `pattern only`
    where the claim's own pattern holds; else it differs, with a known cause where the test of the cause agrees. A cause
    that was tested and is none is said.
    """
    found = claim.judged_by.judge(tables)
    if claim.trusted_if is not None:
        trusted = claim.trusted_if.judge(tables)
        if trusted.agreement not in ("same", "same within stated error"):
            return Verdict("unknown", found.printed, found.ours, f"not to be trusted: {trusted.ours}")
    if found.agreement != "differs":
        return Verdict(*found)
    if claim.pattern is not None:
        pattern = claim.pattern.judge(tables)
        if pattern.agreement not in ("differs", "unknown"):
            return Verdict("pattern only", found.printed, found.ours, f"{pattern.printed}: {pattern.ours}")
    if claim.cause is not None:
        test = claim.cause.tested_by.judge(tables)
        if test.agreement in ("same", "same within stated error"):
            return Verdict("differs, known cause", found.printed, found.ours, f"{claim.cause.says} ({test.ours})")
        if test.agreement != "unknown":
            return Verdict("differs, open", found.printed, found.ours, f"not so: {claim.cause.says} ({test.ours})")
    return Verdict("differs, open", found.printed, found.ours)


def claims_table(paper: Paper, find: Find) -> pd.DataFrame:
    """Every claim of a paper beside what its study has stored.

    Parameters
    ----------
    paper : Paper
    find : callable
        The CSV file of a study's table by their names, or None.

    Returns
    -------
    pandas.DataFrame
        Columns ``claim``, its name; ``where``, ``quote`` and ``kind``; ``printed`` and ``ours`` in words; ``verdict``,
        one of ``VERDICTS``; ``because``; ``judged by``, the tables of the comparison, each after its study; ``figure``.
    """
    tables, rows = Tables(find, paper, read_stored(paper)), []
    for name, claim in read_claims(paper).items():
        found = judge(claim, tables)
        named = (f"{quantity.study or paper.name}/{quantity.table}" for _, quantity in quantities(claim.judged_by))
        rows.append([
            name, claim.where, claim.quote, claim.judged_by.kind, found.printed, found.ours, found.verdict,
            found.because, ", ".join(dict.fromkeys(named)), claim.figure or "",
        ])  # fmt: skip
    columns = ["claim", "where", "quote", "kind", "printed", "ours", "verdict", "because", "judged by", "figure"]
    return pd.DataFrame(rows, columns=columns)


def counts_table(tables: Mapping[str, Path]) -> pd.DataFrame:
    """How many claims of each paper have each verdict.

    Parameters
    ----------
    tables : mapping of str to Path
        Name of a paper to the CSV file of its claims.

    Returns
    -------
    pandas.DataFrame
        A row for each paper, by name: ``paper``, ``claims``, and a column for each of ``VERDICTS``.
    """
    rows = []
    for name in sorted(tables):
        counts = Counter(row["verdict"] for row in read_rows(tables[name]))
        rows.append([name, counts.total(), *(counts[verdict] for verdict in VERDICTS)])
    return pd.DataFrame(rows, columns=["paper", "claims", *VERDICTS])
