"""How many latent classes a table has: evidences of all numbers of classes, under one prior and under others."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ockham.errors import DataError, OckhamWarning
from ockham.io.arguments import flag
from ockham.io.blas import one_blas_thread
from ockham.io.frames import MISSING_TEXTS, CategoricalTable, check_not_read, read_columns, read_table
from ockham.mixtures.classes.selecting import select_mixed
from ockham.mixtures.data.column_types import checked_types, column_types
from ockham.mixtures.data.priors import MixedPrior
from ockham.mixtures.data.tables import MixedTable, mixed_table
from ockham.mixtures.items.item import Item
from ockham.networks.classes.selecting import select_categorical
from ockham.table_results.selecting import SECONDS, Demand, warn_of_unknown
from ockham.table_results.selection import Selection

__all__ = ["read", "select"]


def select(
    table: Any,
    classes: Iterable[int] = range(1, 9),
    *,
    items: Mapping[str, str | Item] | None = None,
    weights: Any = None,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    header: bool = True,
    error: float = 0.1,
    seconds: float = SECONDS,
    priors: Sequence[float | str | MixedPrior] | None = None,
    seed: int = 0,
    progress: bool = True,
) -> Selection:
    """Numbers of latent classes of a table of categories, orderings, numbers and counts, judged by their evidence.

    Parameters
    ----------
    table : path, data frame, array_like, CategoricalTable or MixedTable
        As ``ockham.read_table`` takes it, which says what ``weights``, ``missing``, ``drop`` and ``header`` are.
    classes : iterable of int
        The numbers of classes to compare.
    items : mapping of str to str or Item, optional
        Of columns whose type is not to be inferred: ``categorical`` (or ``nominal``), ``ordered`` (``ordinal``),
        ``gaussian`` (``continuous``), ``poisson`` (``count``), ``binomial``, with another total than the largest count
        as in ``binomial:20``, or an item with hyperparameters of its own. ``ockham.read_mixed_table`` says how
        types are inferred; ``notes`` of what is returned, what each column was read as.
    error : float
        Standard error of every log evidence to reach, in nats.
    seconds : float
        Wall time after which it ends with what is known; so does Ctrl-C.
    priors : sequence of float, str or MixedPrior, optional
        Of class sizes and profiles. A number is the hyperparameter of Dirichlet distributions. Beside, a table of
        categories alone takes ``bdeu:1``, an equivalent sample size that is divided over each table; and others
        ``within=0.25``, the standard deviation of numbers that is expected inside a class, in that of the item, and
        ``rates=2``, the shape of the gamma distribution of rates, or ``shape=1``, that of the inverse gamma
        distribution of variances, which can stand together with commas between.

        The first is the one that results have; under the others the evidences are computed in three tenths of the time,
        to see what the choice rests on. With one prior there are no others.
    seed : int
        Root of the random streams; the same runs give the same bits, though how many there are depends on the machine.
    progress : bool
        Whether to show on a terminal or in a notebook how far it is.

    Returns
    -------
    CategoricalSelection or MixedSelection

    Warns
    -----
    OckhamWarning
        When an evidence stays unknown, and with it p(K | data); and for each warning that the table has.

    Raises
    ------
    DataError
        For what is no such table.
    ConfigError
        For another argument that cannot be.
    ModelError
        For models that memory has no room for.
    """
    given = read(table, items, weights=weights, missing=missing, drop=drop, header=header)
    demand = Demand.of(classes, error, seconds, seed, progress)
    if given is not table:
        for warning in given.warnings:
            warnings.warn(warning, OckhamWarning, stacklevel=2)
    found: Selection
    with one_blas_thread():
        if isinstance(given, MixedTable):
            found = select_mixed(given, demand, priors)
        else:
            found = select_categorical(given, demand, priors)
    warn_of_unknown(found, stacklevel=2)
    return found


def read(
    table: Any,
    items: Mapping[str, str | Item] | None = None,
    *,
    weights: Any = None,
    missing: Sequence[str] = MISSING_TEXTS,
    drop: Sequence[str] = (),
    header: bool = True,
) -> CategoricalTable | MixedTable:
    """A table of categories, or where any column is something else, or has hyperparameters of its own, a mixed one.

    Raises
    ------
    DataError
        For what is no table, and for types of columns that are not there.
    """
    types = checked_types(items, "items")
    if isinstance(table, CategoricalTable | MixedTable):
        if types:
            raise DataError("the table: is read already; say what columns are where it is read, to read_mixed_table")
        check_not_read(missing, drop, weights, header)
        return table
    raw = read_columns(table, flag(header, "header", DataError))
    kinds = column_types(raw, types, missing, drop, weights, "items")
    if all(found.kind == "categorical" and not found.item for found in kinds.values()):
        return read_table(raw, missing=missing, drop=drop, weights=weights)
    return mixed_table(raw, items, "items", missing=missing, drop=drop, weights=weights)
