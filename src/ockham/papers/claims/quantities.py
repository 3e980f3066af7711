"""What a claim is judged by: cells of a table that a study writes, by the names of their columns and rows."""

from typing import Literal

from pydantic import Field, model_validator

from ockham.contracts import Settings
from ockham.errors import StoreError
from ockham.papers.claims.cells import Cell, Find, Row, absolute, apart, is_label, parse, ratio, read_rows, taken
from ockham.papers.claims.stored import Label, Stored

__all__ = ["Between", "Quantity"]


class Between(Settings):
    """Rows whose number is in a range, both ends included."""

    from_: float | None = Field(default=None, alias="from", description="smallest; none by default")
    to: float | None = Field(default=None, description="largest; none by default")


class Quantity(Settings):
    """Cells of a stored table: columns by rows."""

    table: str = Field(description="name of a table of the study")
    columns: list[str] = Field(min_length=1, description="its columns")
    rows: dict[str, Label | list[Label] | Between] = Field(
        default_factory=dict, description="what stands in the columns that tell rows apart; all rows by default"
    )
    study: str | None = Field(default=None, description="another study of the paper; its own by default")
    minus: str | None = Field(default=None, description="column that is subtracted from each of the columns")
    over: str | None = Field(default=None, description="column that each of the columns is divided by")
    absolute: bool = Field(default=False, description="whether only the size of the numbers counts, not their sign")
    take: Literal["largest", "smallest", "median", "sum"] | None = Field(
        default=None, description="one number in place of all cells that are known"
    )
    by_column: bool = Field(default=False, description="whether `take` makes one number of each column")

    @model_validator(mode="after")
    def _taken_by_column(self) -> "Quantity":
        if self.by_column and self.take is None:
            raise ValueError("by_column: there is nothing to take of a column; say take, or leave it out")
        return self

    def problem(self, stored: Stored) -> str | None:
        """What is wrong with its names, after the name of the field; None if nothing is."""
        if self.table not in stored.tables:
            return f"table: {self.table!r} is no table that claims may name; {', '.join(stored.tables)} are"
        if self.study is not None and self.study not in stored.studies:
            known = ", ".join(stored.studies) or "none"
            return f"study: {self.study!r} is no other study of the paper; these are: {known}"
        about = stored.tables[self.table]
        numbers = [*about.columns, *(name for name, labels in about.rows.items() if not labels)]
        named = [("columns", column) for column in self.columns]
        named += [
            (field, column) for field, column in (("minus", self.minus), ("over", self.over)) if column is not None
        ]
        for field, name in named:
            if name not in numbers:
                return f"{field}: {self.table!r} has no column {name!r}; it has {', '.join(about.columns)}"
        for name, chosen in self.rows.items():
            if name not in about.rows:
                return f"rows.{name}: rows of {self.table!r} are told apart by {', '.join(about.rows)}"
            labels = about.rows[name]
            for label in [] if isinstance(chosen, Between) else chosen if isinstance(chosen, list) else [chosen]:
                if label not in labels if labels else isinstance(label, str):
                    has = ", ".join(map(str, labels)) or "numbers"
                    return f"rows.{name}: {self.table!r} has no row {label!r}; it has {has}"
        return None

    def read(self, find: Find, own: str, stored: Stored) -> list[Row] | None:
        """The rows, in the table's order, or with ``take`` a single one; None where they are not stored.

        A row that is named must be there; of a range, or of all, those that are. A study without some scores leaves
        their columns out of its tables.
        """
        path = find(self.study or own, self.table)
        if path is None:
            return None
        rows, about = read_rows(path), stored.tables[self.table]
        if rows and (missing := [name for name in about.rows if name not in rows[0]]):
            raise StoreError(
                f"{path}: has no column {missing[0]!r}, which tells its rows apart; run the workflow again"
            )
        for name, chosen in self.rows.items():
            rows = _chosen(rows, name, chosen)
        needed = {*self.columns, *filter(None, (self.minus, self.over))}
        if not rows or not needed <= rows[0].keys():
            return None
        keys = [name for name in about.rows if len({row[name] for row in rows}) > 1]
        found = [Row({name: row[name] for name in keys}, self._cells(row)) for row in rows]
        if self.take is None:
            return found
        columns = [list(cells) for cells in zip(*(row.cells for row in found), strict=True)]
        parts = columns if self.by_column else [[cell for row in found for cell in row.cells]]
        return [Row({}, [taken(cells, self.take) for cells in parts])]

    def _cells(self, row: dict[str, str]) -> list[Cell]:
        cells = [parse(row[name]) for name in self.columns]
        if self.minus is not None:
            cells = [apart(cell, parse(row[self.minus])) for cell in cells]
        if self.over is not None:
            cells = [ratio(cell, parse(row[self.over])) for cell in cells]
        return [absolute(cell) for cell in cells] if self.absolute else cells


def _chosen(rows: list[dict[str, str]], name: str, chosen: Label | list[Label] | Between) -> list[dict[str, str]]:
    """The rows that a column chooses; none at all where one that is named is not there."""
    if isinstance(chosen, Between):
        low = float("-inf") if chosen.from_ is None else chosen.from_
        high = float("inf") if chosen.to is None else chosen.to
        return [row for row in rows if (x := parse(row[name]).number) is not None and low <= x <= high]
    labels = chosen if isinstance(chosen, list) else [chosen]
    if any(all(not is_label(row[name], label) for row in rows) for label in labels):
        return []
    return [row for row in rows if any(is_label(row[name], label) for label in labels)]
