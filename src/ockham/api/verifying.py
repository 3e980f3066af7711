"""Whether a file that ``select``, ``compare`` or ``search`` wrote is what its runs, and its table, give."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ockham.api.selecting import read
from ockham.errors import ConfigError
from ockham.io.findings import Finding
from ockham.io.frames import read_table
from ockham.mixtures.items.item import Item
from ockham.mixtures.verifying import KINDS as OF_MIXTURES
from ockham.networks.verifying import KINDS as OF_NETWORKS
from ockham.table_results.verifying import Stored, StoredSelection, verify_stored

__all__ = ["verify_result"]


def verify_result(
    path: Path,
    table: Any = None,
    models: Sequence[Path] = (),
    prior: str | None = None,
    n_runs: int = 5,
    seed: int = 0,
    *,
    items: Mapping[str, str | Item] | None = None,
    **of_table: Any,
) -> Iterator[Finding]:
    """Look at a store of ``ockham select``, ``compare`` or ``search``.

    Without the table what follows from the runs is compared, bit for bit: evidences, what checked and what bounds them,
    probabilities and Bayes factors. With it everything is, but provenance and measured seconds; fits are made again,
    and runs of each model at random. A search is done again where all of its climbs had ended, unless no run is to be
    made again.

    Parameters
    ----------
    path : Path
    table : path, data frame, array_like, CategoricalTable or MixedTable, optional
        That the result is of.
    models : sequence of Path
        That were compared, or that a search started from.
    prior : str, optional
        Of compared models that have none of their own; 1 by default.
    n_runs : int
        Of each model, to make again; all of them where it has no more.
    seed : int
        Root seed of the choice of runs.
    items : mapping of str to str or Item, optional
        As ``ockham.select`` had them.
    **of_table
        How the table was read: ``weights``, ``missing``, ``drop`` and ``header`` of ``ockham.read_table``.

    Yields
    ------
    Finding

    Raises
    ------
    StoreError
        When the file cannot be read as one.
    DataError
        For what is no such table.
    ConfigError
        For items of columns where networks were compared or searched for, for models where they were not, and for a
        prior where models were not compared.
    """

    def read_for(stored: Stored) -> Any:
        if prior is not None and not stored.takes_prior:
            raise ConfigError("prior: is of results of ockham compare alone, others have their own; leave it out")
        if isinstance(stored, StoredSelection):
            if models:
                raise ConfigError("models: are of results of ockham compare and search alone; leave them out")
            return read(table, items, **of_table)
        if items:
            raise ConfigError("items: are of results of ockham select alone; leave them out")
        return read_table(table, **of_table)

    kinds = {**OF_MIXTURES, **OF_NETWORKS}
    return verify_stored(
        path, kinds, None if table is None else read_for, models, "1" if prior is None else prior, n_runs, seed
    )
