"""How many latent classes a table of mixed items has."""

from collections.abc import Sequence

from ockham.errors import ConfigError
from ockham.mixtures.classes.fits import fit
from ockham.mixtures.classes.selection import MixedSelection
from ockham.mixtures.data.priors import OF_KINDS, MixedPrior, panel
from ockham.mixtures.data.tables import MixedTable
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.table_results.selecting import Demand, Judge, checked_priors, judged

__all__ = ["select_mixed"]


def select_mixed(
    table: MixedTable, demand: Demand, priors: Sequence[object] | None = None, judge: Judge = judged
) -> MixedSelection:
    """What ``ockham.select`` returns of a table with numbers, counts or orderings.

    Parameters
    ----------
    table : MixedTable
    demand : Demand
    priors : sequence, optional
        Of what ``MixedPrior.of`` takes; by default ``panel`` of the kinds of items.
    judge : callable
        As ``judged``.

    Raises
    ------
    ConfigError
        For what is no prior, or one of items that the table does not have.
    ModelError
        For models that memory has no room for.
    """
    kinds = {item.kind for item in table.items.values()}
    chosen = checked_priors(panel(kinds) if priors is None else priors, MixedPrior.of)
    for name, of in OF_KINDS.items():
        if not kinds & set(of) and len({getattr(prior, name) for prior in chosen}) > 1:
            raise ConfigError(f"prior: {name} is of {of[0]} items, of which the table has none; leave it out")
    models = {
        prior: {k: FiniteMixture(k, table.items_under(prior), prior.concentration) for k in demand.classes}
        for prior in chosen
    }
    found = judge(table.rows, models, fit, demand)
    return MixedSelection(
        data=table.rows,
        labels={name: table.categories.get(name, ()) for name in table.items},
        notes=table.notes,
        main=found.under[0],
        others=found.under[1:],
        fits=found.fits,
        error=demand.error,
        seed=demand.root,
        seconds=found.seconds,
        interrupted=found.interrupted,
        cells=table.cells,
    )
