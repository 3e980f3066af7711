"""The comparisons by which claims are judged, a closed set: what is printed, what is ours, and how they agree."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot, inf, isnan, log10, sqrt
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from ockham.contracts import Paper, Settings
from ockham.papers.claims.cells import Cell, Find, Row, parse
from ockham.papers.claims.quantities import Quantity
from ockham.papers.claims.stored import Stored
from ockham.papers.crossings import crossing

__all__ = ["MOST", "Comparison", "NotStored", "Outcome", "Tables"]

MOST = 0.75
"""The part of the rows or steps that must agree for a pattern."""
ERRORS = 2.0
"""How many of the stated errors two values may differ by."""
LISTED = 8
"""Numbers, and rows that break a pattern, that are listed."""

EVERY = Field(default=False, description="whether the paper claims it of every one, so that most are no pattern")

Agreement = Literal["same", "same within stated error", "pattern only", "differs", "unknown"]


class Tables(NamedTuple):
    """Where comparisons find what is stored.

    Attributes
    ----------
    find : callable
        The file of a study's table.
    paper : Paper
        Its name is that of the study that is judged.
    stored : Stored
    """

    find: Find
    paper: Paper
    stored: Stored

    def rows(self, quantity: Quantity) -> list[Row] | None:
        return quantity.read(self.find, self.paper.name, self.stored)


class Outcome(NamedTuple):
    """How a comparison ends: the agreement, and what is printed and what is ours in words."""

    agreement: Agreement
    printed: str
    ours: str


class Equal(Settings):
    """Numbers, or texts, are those printed: to the printed digits, or within the error that is stated."""

    kind: Literal["equal"]
    ours: Quantity
    printed: float | str | list[float | str] | Quantity = Field(
        description="row by row; a text keeps its last digits, as in '.10'"
    )
    error: Literal["stated"] | float | Quantity | None = Field(
        default=None, description="standard error of the difference: that beside both values, a number or stored ones"
    )
    n_draws: int = Field(default=1, ge=1, description="of which what is stated beside values is the deviation")
    significant: int | None = Field(default=None, ge=1, description="digits of a number that is printed as `about`")

    def judge(self, tables: Tables) -> Outcome:
        printed = self._printed(tables)
        rows = tables.rows(self.ours)
        said = _listed(printed) if printed else "not stored"
        if rows is None or printed is None:
            return Outcome("unknown", said, "not stored")
        ours = [cell for row in rows for cell in row.cells]
        if len(ours) != len(printed):
            return Outcome("unknown", said, f"{len(ours)} values for {len(printed)}")
        pairs = [(o, p) for o, p in zip(ours, printed, strict=True) if p.value is not None]
        if not pairs:
            return Outcome("unknown", "not known", _listed(ours))
        found = _listed([cell for cell, _ in pairs])
        if len(pairs) > LISTED:
            found += f"; {sum(self._same(o, p) for o, p in pairs)} equal"
        if any(cell.value is None for cell, _ in pairs):
            return Outcome("unknown", said, found)
        if all(self._same(o, p) for o, p in pairs):
            return Outcome("same", said, found)
        if self.error is not None and all(self._near(o, p, e) for (o, p), e in self._with_errors(pairs, tables)):
            return Outcome("same within stated error", said, found)
        return Outcome("differs", said, found)

    def _printed(self, tables: Tables) -> list[Cell] | None:
        """What is printed, all with as many digits as one has: beside 0.4 a 0 is 0.0."""
        if isinstance(self.printed, Quantity):
            rows = tables.rows(self.printed)
            if rows is None:
                return None
            cells = [cell for row in rows for cell in row.cells]
        else:
            values = self.printed if isinstance(self.printed, list) else [self.printed]
            cells = [parse(value if isinstance(value, str) else f"{value:.15g}") for value in values]
        digits = max((cell.decimals for cell in cells), default=0)
        return [cell._replace(decimals=digits) for cell in cells]

    def _same(self, ours: Cell, printed: Cell) -> bool:
        if not isinstance(ours.value, float) or not isinstance(printed.value, float):
            return ours.value == printed.value
        decimals = printed.decimals
        if self.significant and printed.value:
            decimals = self.significant - 1 - int(log10(abs(printed.value)) // 1)
        return abs(round(ours.value, decimals) - printed.value) < 1e-9 * max(1.0, abs(printed.value))

    def _with_errors(self, pairs: list[tuple[Cell, Cell]], tables: Tables) -> Iterator[tuple[tuple[Cell, Cell], float]]:
        """Every pair with the standard error of its difference; 0 where it is not known."""
        if isinstance(self.error, Quantity):
            errors = [cell.value for row in tables.rows(self.error) or [] for cell in row.cells]
            known = [value if isinstance(value, float) else 0.0 for value in errors]
            yield from zip(pairs, known if len(known) == len(pairs) else [0.0] * len(pairs), strict=True)
            return
        for pair in pairs:
            stated = [cell.error / sqrt(self.n_draws) for cell in pair if not isnan(cell.error)]
            yield pair, self.error if isinstance(self.error, float) else hypot(*stated) if stated else 0.0

    def _near(self, ours: Cell, printed: Cell, error: float) -> bool:
        if not isinstance(ours.value, float) or not isinstance(printed.value, float):
            return ours.value == printed.value
        return self._same(ours, printed) or abs(ours.value - printed.value) <= ERRORS * error


class Trend(Settings):
    """Values rise or fall, from row to row of a column or from column to column of a row."""

    kind: Literal["trend"]
    ours: Quantity
    direction: Literal["rising", "falling"]
    along: Literal["rows", "columns"] = "rows"
    every: bool = EVERY

    def judge(self, tables: Tables) -> Outcome:
        rows = tables.rows(self.ours)
        if rows is None:
            return Outcome("unknown", self.direction, "not stored")
        sign, steps = 1 if self.direction == "rising" else -1, []
        if self.along == "rows":
            for j in range(len(self.ours.columns)):
                steps += _steps([(row.label, row.cells[j]) for row in rows], sign)
        else:
            for row in rows:
                steps += _steps([(row.label, cell) for cell in row.cells], sign)
        return _with_doubts(_share(steps, self.direction, "steps", self.every), rows)


class Leads(Settings):
    """One column is the lowest, or the highest, of several in every row; ties count."""

    kind: Literal["leads"]
    ours: Quantity
    column: str = Field(description="one of the columns")
    side: Literal["lowest", "highest"]
    every: bool = EVERY

    @model_validator(mode="after")
    def _column_is_one(self) -> "Leads":
        if self.column not in self.ours.columns or len(self.ours.columns) < 2:
            raise ValueError(f"column: {self.column!r} must be one of several of ours.columns; add it there")
        if self.ours.take is not None and not self.ours.by_column:
            raise ValueError("ours.take: makes one number of all columns; add by_column: true")
        return self

    def judge(self, tables: Tables) -> Outcome:
        rows, said = tables.rows(self.ours), f"{self.column} {self.side}"
        if rows is None:
            return Outcome("unknown", said, "not stored")
        place, sign = self.ours.columns.index(self.column), 1 if self.side == "highest" else -1
        led = [(row.label, _leads(row.cells, place, sign)) for row in rows]
        return _with_doubts(_share(led, said, "rows", self.every), rows)


class Within(Settings):
    """Every value is between two bounds, which are in."""

    kind: Literal["within"]
    ours: Quantity
    least: float | None = None
    most: float | None = None
    every: bool = EVERY

    @model_validator(mode="after")
    def _bounded(self) -> "Within":
        if self.least is None and self.most is None:
            raise ValueError("least: give it, or most, or both")
        return self

    def judge(self, tables: Tables) -> Outcome:
        rows, said = tables.rows(self.ours), _bounds(self.least, self.most)
        if rows is None:
            return Outcome("unknown", said, "not stored")
        cells = [(row.label, cell) for row in rows for cell in row.cells]
        inside = [(label, _inside(cell.number, self.least, self.most)) for label, cell in cells]
        share = _share(inside, said, "values", self.every)
        if len(cells) == 1:
            return _with_doubts(share._replace(ours=_word(cells[0][1])), rows)
        known = [value for _, cell in cells if (value := cell.number) is not None]
        if not known:
            return share
        low, high = (f"{choose(known):.4g}" for choose in (min, max))
        return _with_doubts(share._replace(ours=f"{low} to {high}; {share.ours}"), rows)


class Case(Settings):
    """Values that count: of these cells, those between the bounds, which are out."""

    of: Quantity
    above: float | None = None
    below: float | None = None


class Count(Settings):
    """How many cells meet every one of some bounds is the number printed."""

    kind: Literal["count"]
    cases: list[Case] = Field(min_length=1, description="of as many cells each, in the same order")
    printed: int
    error: float | None = Field(default=None, description="standard error of the difference of two counts, if known")

    def judge(self, tables: Tables) -> Outcome:
        found = [tables.rows(case.of) for case in self.cases]
        columns = [[cell for row in rows for cell in row.cells] for rows in found if rows is not None]
        if len(columns) < len(self.cases) or len({len(cells) for cells in columns}) > 1:
            return Outcome("unknown", str(self.printed), "not stored")
        together = list(zip(*columns, strict=True))
        known = [cells for cells in together if all(cell.number is not None for cell in cells)]
        n, n_unknown = sum(all(map(_counts, cells, self.cases)) for cells in known), len(together) - len(known)
        ours = f"{n} of {len(together)}" + (f", {n_unknown} not known" if n_unknown else "")
        ours += _doubts([cell for cells in known for cell in cells])
        if n_unknown and n <= self.printed <= n + n_unknown:
            return Outcome("unknown", str(self.printed), ours)
        if n == self.printed:
            return Outcome("same", str(self.printed), ours)
        near = self.error is not None and abs(n - self.printed) <= ERRORS * self.error
        return Outcome("same within stated error" if near else "differs", str(self.printed), ours)


class Crossing(Settings):
    """From where on a column is no longer below another, by the column that tells rows apart.

    Between two rows the difference is a line over the logarithm of the place, and it is read off to half of their step.
    """

    kind: Literal["crossing"]
    ours: Quantity = Field(description="one column, minus the other")
    at: str = Field(description="the column, of rows, whose value is printed")
    printed: float

    @model_validator(mode="after")
    def _one_column(self) -> "Crossing":
        if len(self.ours.columns) != 1 or self.ours.take is not None or self.at in self.ours.rows:
            raise ValueError("ours: give one column over all values of the column that is named `at`, and no `take`")
        return self

    def judge(self, tables: Tables) -> Outcome:
        rows, said = tables.rows(self.ours), f"{self.printed:g}"
        if rows is None:
            return Outcome("unknown", said, "not stored")
        known = [
            (float(row.keys[self.at]), x)
            for row in rows
            if self.at in row.keys and (x := row.cells[0].number) is not None
        ]
        if len(known) < len(rows):
            return Outcome("unknown", said, "not known")
        place, low, high = crossing(*zip(*known, strict=True))
        if place == inf:
            return Outcome("differs", said, "nowhere")
        if low == high:
            return Outcome("same" if self.printed <= place else "differs", said, f"at {place:g} or before")
        near = max(place, self.printed) <= min(place, self.printed) * sqrt(high / low)
        ours = f"at {float(f'{place:.2g}'):g}, between {low:g} and {high:g}"
        return Outcome("same" if near else "differs", said, ours)


Comparison = Annotated[Equal | Trend | Leads | Within | Count | Crossing, Field(discriminator="kind")]


class NotStored(Settings):
    """Nothing that a study stores tells whether ours is as the paper says."""

    kind: Literal["not_stored"]
    missing: str = Field(max_length=200, description="what would have to be stored")

    def judge(self, tables: Tables) -> Outcome:
        """Unknown, whatever there is."""
        return Outcome("unknown", "", f"not stored: {self.missing}")


Found = list[tuple[str, bool | None]]
"""Rows or steps by their labels, and whether what is claimed holds there; None where that is not known."""


def _share(found: Found, printed: str, what: str, every: bool) -> Outcome:
    """The agreement of many rows or steps; most of them are a pattern, unless the claim is of every one."""
    n, n_unknown = (sum(holds is kind for _, holds in found) for kind in (True, None))
    if n_unknown == len(found):
        return Outcome("unknown", printed, "not known")
    against = [label for label, holds in found if holds is False and label]
    ours = f"{n} of {len(found)} {what}" + (f", {n_unknown} not known" if n_unknown else "")
    if against:
        listed = "; ".join(dict.fromkeys(against[:LISTED])) + ("; ..." if len(against) > LISTED else "")
        ours += f", not at {listed}"
    if n == len(found):
        return Outcome("same", printed, ours)
    least = len(found) if every else MOST * len(found)
    agreement: Agreement = "pattern only" if n >= least else "differs" if n + n_unknown < least else "unknown"
    return Outcome(agreement, printed, ours)


def _steps(cells: list[tuple[str, Cell]], sign: int) -> Found:
    """Whether each step has the sign: one from a known cell to the next such, and one unknown for each other cell."""
    known = [(label, x) for label, cell in cells if (x := cell.number) is not None]
    steps: Found = [(label, sign * (b - a) >= 0) for (_, a), (label, b) in pairwise(known)]
    return steps + [("", None)] * (len(cells) - max(len(known), 1))


def _leads(cells: list[Cell], place: int, sign: int) -> bool | None:
    """Whether the cell at a place leads; one that is beaten does not, whatever is not known."""
    own = cells[place].number
    if own is None:
        return None
    others = [cell.number for j, cell in enumerate(cells) if j != place]
    if any(other is not None and sign * (own - other) < 0 for other in others):
        return False
    return None if None in others else True


def _counts(cell: Cell, case: Case) -> bool:
    value = cell.number
    return (
        value is not None and (case.above is None or value > case.above) and (case.below is None or value < case.below)
    )


def _inside(value: float | None, least: float | None, most: float | None) -> bool | None:
    return None if value is None else (least is None or value >= least) and (most is None or value <= most)


def _bounds(least: float | None, most: float | None) -> str:
    if least is None:
        return f"at most {most:g}"
    return f"at least {least:g}" if most is None else f"{least:g} to {most:g}"


def _listed(cells: list[Cell]) -> str:
    """Values in words, some of them where there are many."""
    words = [_word(cell) + ("?" if cell.doubted else "") for cell in cells[:LISTED]]
    return ", ".join(words) + (f", ... ({len(cells)} values)" if len(cells) > LISTED else "")


def _word(cell: Cell) -> str:
    if not isinstance(cell.value, float):
        return "unknown" if cell.value is None else cell.value
    return f"{cell.value:.{cell.decimals}f}" if 1 <= cell.decimals <= 4 else f"{cell.value:.6g}"


def _with_doubts(found: Outcome, rows: Sequence[Row]) -> Outcome:
    return found._replace(ours=found.ours + _doubts([cell for row in rows for cell in row.cells]))


def _doubts(cells: list[Cell]) -> str:
    n = sum(cell.doubted for cell in cells)
    return f" ({n} of the values doubted)" if n else ""
