"""What all results on a user's table have: numbers, sentences and a file, each made when it is asked for."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ockham.io.extras import naming_extras
from ockham.io.frames import Note

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from ockham.table_results.cells import Rows

__all__ = ["Forms", "TableResult"]


class Forms(NamedTuple):
    """Functions that show one kind of result.

    Attributes
    ----------
    key : str
        Of the records of ``results``, the one that the table has as its index.
    results, result_rows, headline, remarks, methods : callable
        Records; heads and rows for a reader; a line; sentences; a paragraph.
    template : str
        Of the page.
    """

    key: str
    results: Callable[[Any], list[dict[str, Any]]]
    result_rows: "Callable[[Any], Rows]"
    headline: Callable[[Any], str]
    remarks: Callable[[Any], Iterable[str]]
    methods: Callable[[Any], str]
    template: str


@dataclass(frozen=True, eq=False, repr=False)
class TableResult(ABC):
    """A result on a table.

    Attributes
    ----------
    data : UniqueRows or MixedRows
        The distinct rows of the table, as models of the family take them.
    labels : mapping of str to tuple of str
        The columns, and what their states are called; nothing for numbers.
    notes : tuple of Note
        What each column was read as, and warnings.
    error : float
        Standard error of the log evidences that was asked for, in nats.
    seed : int
    seconds : float
        Wall time.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    data: Any
    labels: Mapping[str, tuple[str, ...]]
    notes: tuple[Note, ...]
    error: float
    seed: int
    seconds: float
    interrupted: bool

    @property
    @abstractmethod
    def _forms(self) -> Forms:
        """Imported here, for they are slow to import."""

    @cached_property
    @naming_extras()
    def table(self) -> "pd.DataFrame":
        """Everything by model; log evidences and what is compared with them in nats, NaN where unknown."""
        import pandas as pd

        return pd.DataFrame(self._forms.results(self)).set_index(self._forms.key)

    @property
    def headline(self) -> str:
        """The outcome in a line."""
        return self._forms.headline(self)

    @property
    def rows(self) -> "Rows":
        """Heads and rows of the table of results, as a reader sees them."""
        return self._forms.result_rows(self)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the results should know, in sentences."""
        return tuple(self._forms.remarks(self))

    @cached_property
    def methods(self) -> str:
        """A paragraph for a paper on what was done, with citations."""
        return self._forms.methods(self)

    @property
    def references(self) -> tuple[str, ...]:
        """What ``methods`` cites."""
        from ockham.table_results.methods import references

        return references(self.methods)

    @abstractmethod
    def to_xarray(self) -> "xr.Dataset":
        """Everything but the data, which may be nobody else's business."""

    @naming_extras()
    def save(self, path: str | Path) -> None:
        """Write ``to_xarray`` to a netCDF file that ``ockham verify`` takes, as it has a seal; it is there whole or not
        at all.
        """
        from ockham.io.netcdf import write

        write(path, self.to_xarray())

    @naming_extras()
    def to_html(self) -> str:
        """A page that stands by itself."""
        return self._page()

    def _page(self, **parts: Any) -> str:
        """The page with what the template has beside what all results share."""
        from ockham.table_results.pages.rendering import page

        return page(self._forms.template, self, **parts)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline}>"

    def _repr_html_(self) -> str:
        from ockham.table_results.pages.rendering import excerpt

        return excerpt(self.rows, self.remarks)
