"""How many latent classes a table of categorical items has."""

from collections.abc import Sequence

from ockham.io.frames import CategoricalTable
from ockham.networks.classes.fits import fit
from ockham.networks.classes.priors import Prior, class_model, distinct_rows
from ockham.networks.classes.selection import CategoricalSelection
from ockham.table_results.selecting import Demand, Judge, checked_priors, judged

__all__ = ["PRIORS", "select_categorical"]

PRIORS = (1.0, 0.5, 2.0, "bdeu:1")


def select_categorical(
    table: CategoricalTable, demand: Demand, priors: Sequence[object] | None = None, judge: Judge = judged
) -> CategoricalSelection:
    """What ``ockham.select`` returns of a table whose items are categorical.

    Parameters
    ----------
    table : CategoricalTable
    demand : Demand
    priors : sequence, optional
        Of what ``Prior.of`` takes; by default ``PRIORS``.
    judge : callable
        As ``judged``.

    Raises
    ------
    ConfigError
        For what is no prior.
    ModelError
        For models that memory has no room for.
    """
    chosen = checked_priors(PRIORS if priors is None else priors, Prior.of)
    data = distinct_rows(table)
    models = {prior: {k: class_model(table, k, prior) for k in demand.classes} for prior in chosen}
    found = judge(data, models, fit, demand)
    return CategoricalSelection(
        data=data,
        labels=dict(zip(table.names, table.categories, strict=True)),
        notes=table.notes,
        main=found.under[0],
        others=found.under[1:],
        fits=found.fits,
        error=demand.error,
        seed=demand.root,
        seconds=found.seconds,
        interrupted=found.interrupted,
    )
