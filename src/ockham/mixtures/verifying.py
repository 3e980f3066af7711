"""How stored results of ``select`` on mixed tables are made again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import xarray as xr

from ockham.errors import StoreError
from ockham.mixtures.classes.fits import ESTIMATES
from ockham.mixtures.classes.selecting import select_mixed
from ockham.mixtures.classes.selection import MixedSelection
from ockham.mixtures.data.priors import MixedPrior
from ockham.mixtures.data.tables import MixedTable
from ockham.table_results.selecting import Demand, Judge
from ockham.table_results.verifying import Kind, Stored, StoredSelection, of_selection

__all__ = ["KINDS"]


@dataclass(frozen=True, eq=False)
class _Selection(StoredSelection):
    """Of ``ockham.select`` on numbers, counts or orderings; ``describes`` says whether posterior draws were stored."""

    describes: bool

    def select(self, table: Any, demand: Demand, judge: Judge) -> MixedSelection:
        if not isinstance(table, MixedTable):
            raise StoreError("is of mixed items, but every column is read as categories; say what is not with --items")
        return select_mixed(table, demand, self.priors, judge, self.describes)


def _read_selection(content: xr.Dataset, common: Mapping[str, Any]) -> Stored:
    priors = [MixedPrior.named(name) for name in content["prior"].values.tolist()]
    return _Selection(**common, **of_selection(content, ESTIMATES), priors=priors, describes="check_name" in content)


KINDS = {"quantity_item": Kind("finite_mixture", _read_selection)}
"""By a variable that no other result has."""
