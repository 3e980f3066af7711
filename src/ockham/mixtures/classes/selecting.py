"""How many latent classes a table of mixed items has."""

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

from ockham.errors import ConfigError
from ockham.mixtures.classes.describing import SHARE, describe
from ockham.mixtures.classes.fits import fit
from ockham.mixtures.classes.selection import MixedSelection
from ockham.mixtures.data.priors import OF_KINDS, MixedPrior, panel
from ockham.mixtures.data.tables import MixedTable
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.table_results.selecting import Demand, Judge, checked_priors, judged

__all__ = ["select_mixed"]


def select_mixed(
    table: MixedTable,
    demand: Demand,
    priors: Sequence[object] | None = None,
    judge: Judge = judged,
    describes: bool = True,
) -> MixedSelection:
    """What ``ockham.select`` returns of a table with numbers, counts or orderings.

    Parameters
    ----------
    table : MixedTable
    demand : Demand
    priors : sequence, optional
        Of what ``MixedPrior.of`` takes; by default ``panel`` of the kinds of items and the table's own prior.
    judge : callable
        As ``judged``.
    describes : bool
        Whether posterior draws are to describe the number of classes with the highest evidence, in a share of the time.

    Raises
    ------
    ConfigError
        For what is no prior, or one of items that the table does not have.
    ModelError
        For models that memory has no room for.
    """
    kinds = {item.kind for item in table.items.values()}
    chosen = checked_priors(panel(kinds, table.prior) if priors is None else priors, MixedPrior.of)
    for name, of in OF_KINDS.items():
        if not kinds & set(of) and len({getattr(prior, name) for prior in chosen}) > 1:
            raise ConfigError(f"prior: {name} is of {of[0]} items, of which the table has none; leave it out")
    models = {
        prior: {k: FiniteMixture(k, table.items_under(prior), prior.concentration) for k in demand.classes}
        for prior in chosen
    }
    labels = {name: table.categories.get(name, ()) for name in table.items}
    begun, seconds = monotonic(), demand.seconds
    found = judge(table.rows, models, fit, demand._replace(seconds=(1 - SHARE) * seconds))
    selection = MixedSelection(
        data=table.rows,
        labels=labels,
        notes=table.notes_under(chosen[0]),
        main=found.under[0],
        others=found.under[1:],
        fits=found.fits,
        error=demand.error,
        seed=demand.root,
        seconds=found.seconds,
        interrupted=found.interrupted,
        cells=table.cells,
    )
    k = selection.described
    if not describes or k is None or found.interrupted:
        return selection
    left = seconds - (monotonic() - begun)
    try:
        description = describe(selection.models[k], table.rows, labels, demand.root, left)
    except KeyboardInterrupt:
        return replace(selection, seconds=monotonic() - begun, interrupted=True)
    return replace(selection, seconds=monotonic() - begun, description=description)
