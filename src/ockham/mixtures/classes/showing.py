"""Results on mixed items by the number of classes, and what a fit is like, as numbers and as a reader sees them."""

from collections.abc import Iterator
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ockham.mixtures.classes.fits import ESTIMATES
from ockham.mixtures.classes.profiles import profiles, quantity_names
from ockham.table_results import selection_showing as shared
from ockham.table_results.cells import Cell, Rows, number
from ockham.table_results.fitted.classes import Summary
from ockham.table_results.fitted.showing import OF_SIZES, class_names, in_cells
from ockham.table_results.pages.rendering import Section
from ockham.table_results.selection_showing import classes_in_words

if TYPE_CHECKING:
    from ockham.mixtures.classes.fits import ClassFit
    from ockham.mixtures.classes.fitted import MixedClasses
    from ockham.mixtures.classes.selection import MixedSelection

__all__ = ["profile_records", "remarks", "result_rows", "results", "sections"]

WORTH_A_LOOK = 10.0
"""Score statistic over its degrees of freedom, of the largest of many."""
SMALL = 0.01
"""Posterior predictive p-value."""
MOST_PAIRS = 10
"""Of items, that the page has statistics of."""
RESTS_ON = (
    "The evidence rests on the priors of numbers and counts, which are in units of the items and taken from the table; "
    "what each column was read as says them"
)


def results(found: "MixedSelection") -> list[dict[str, Any]]:
    """A record for each number of classes; nats, NaN where unknown."""
    names = list(found.labels)

    def of_fit(fit: "ClassFit | None") -> dict[str, Any]:
        about = fit.statistics if fit is not None else None
        pair = about.largest_residual if about is not None else None
        item = about.largest_misfit if about is not None else None
        return {
            "largest_residual": pair[2] if pair is not None else nan,
            "largest_residual_items": f"{names[pair[0]]}, {names[pair[1]]}" if pair is not None else "",
            "largest_misfit": item[1] if item is not None else nan,
            "largest_misfit_item": names[item[0]] if item is not None else "",
            "entropy": about.entropy if about is not None else nan,
        }

    return shared.results(found, of_fit)


def result_rows(found: "MixedSelection") -> Rows:
    """Heads and rows of the table of results."""
    heads_of_scores = dict(zip(ESTIMATES, ("MAP", "BIC", "CS", "VB"), strict=True))
    heads = ["dependence", "of items", "misfit", "of item", "entropy"]

    def of_fit(row: dict[str, Any]) -> list[Cell]:
        return [
            number(row["largest_residual"], 1), Cell(row["largest_residual_items"] or "-"),
            number(row["largest_misfit"], 1), Cell(row["largest_misfit_item"] or "-"), number(row["entropy"], 2),
        ]  # fmt: skip

    return shared.result_rows(found, results(found), heads_of_scores, heads, of_fit)


def remarks(found: "MixedSelection") -> Iterator[str]:
    """What a reader of the results should know."""
    yield from shared.remarks(found, _remarks_on_fits)
    yield from _remarks_on_checks(found)


def _remarks_on_fits(found: "MixedSelection") -> Iterator[str]:
    if any(item.kind in ("gaussian", "poisson") for item in _items(found).values()):
        yield f"{RESTS_ON}{', and results under other priors say how far it does' if found.others else ''}."
    names = list(found.labels)
    for k, fit in found.fits.items():
        pair, item = fit.statistics.largest_residual, fit.statistics.largest_misfit
        if k not in found.posterior.leading:
            continue
        if pair is not None and pair[2] > WORTH_A_LOOK:
            yield (
                f"With {classes_in_words(k)} the items {names[pair[0]]!r} and {names[pair[1]]!r} may still depend on "
                f"each other: their statistic is {pair[2]:.1f}, where about 1 is expected."
            )
        if item is not None and item[1] > WORTH_A_LOOK:
            yield (
                f"With {classes_in_words(k)} the item {names[item[0]]!r} may have another distribution inside classes: "
                f"its statistic is {item[1]:.1f}, where about 1 is expected. Classes may then stand for the shape of "
                "one distribution."
            )


def _remarks_on_checks(found: "MixedSelection") -> Iterator[str]:
    """Where one of the two p-values that are of all items is small."""
    if found.description is None:
        return
    fit, checks = found.description
    for check in (checks.largest_misfit, checks.largest_dependence):
        if check.p_value < SMALL:
            yield (
                f"The table does not look like tables drawn from {classes_in_words(fit.n_classes)}: the p-value of the "
                f"{check.name} of items is {checks.said(check.p_value)}."
            )


def profile_records(found: "MixedSelection", k: int) -> list[tuple[str, str, np.ndarray]]:
    """Item, quantity and its values in the classes, shape (n_classes,), of the MAP fit; the sizes first."""
    model, parameters = found.models[k], found.fits[k].parameters
    values = profiles(model, parameters.natural).T
    names = quantity_names(model, found.labels)
    of_items = [(item, what, row) for (item, what), row in zip(names, values, strict=True)]
    return [("size", "", np.exp(parameters.log_weights)), *of_items]


def sections(found: "MixedSelection") -> list[Section]:
    """Profiles, classes of rows and fit, of the number of classes with the highest evidence that is known."""
    k = found.described
    if k is None:
        return []
    of_rows = Section(
        "Memberships of rows",
        [
            "Rows by their most probable class of the MAP fit, and how probable the classes are for them; numbers of "
            "rows. What is off the diagonal is expected to be put into a wrong class."
        ],
        _classification_rows(found, k),
    )
    of_fit = Section(
        "Fit of items",
        [
            "Score statistics over their degrees of freedom at the MAP fit, of a dependence of two items inside "
            "classes and of another distribution of an item inside classes (skewness and kurtosis of numbers, "
            "overdispersion of counts). About 1 is expected of a model that is true; they have no p-values."
        ],
        _fit_rows(found, k),
    )
    return [*_of_profiles(found, k), of_rows, of_fit, *_of_checks(found)]


def _of_profiles(found: "MixedSelection", k: int) -> Iterator[Section]:
    """With intervals where there are posterior draws."""
    from ockham.mixtures.classes.drawing import map_figure  # Matplotlib
    from ockham.table_results.pages.pictures import address

    head, alt = (
        f"Profiles of {classes_in_words(k)}",
        ("Items in each class: bars of categories, densities of numbers, rates of counts"),
    )
    why = shared.why_described(found, k)
    if found.description is None:
        words = "Sizes and items of the MAP fit, the largest class first; numbers and counts in their own units."
        lost = "There was no time for posterior draws of them, and so for intervals and checks: allow more seconds."
        rows = shared.profile_rows(profile_records(found, k), k)
        yield Section(head, [*why, words, lost], rows, address(lambda: map_figure(found, k)), alt)
        return
    fit = found.description.fit
    words = (
        "Posterior means of sizes and items with intervals of 95 %, the largest class first; numbers and counts in "
        "their own units. In the picture the interval of a number is that of its mean."
    )
    reasons = [f"Not known: {reason}." for reason in fit.reasons]
    yield Section(head, [*why, words, *reasons], _fitted_rows(fit), address(fit.plot), f"{alt}, with intervals")


def _of_checks(found: "MixedSelection") -> Iterator[Section]:
    if found.description is None:
        return
    checks = found.description.checks
    words = [
        f"{checks.n_replicates} tables drawn at posterior draws, missing the same cells, beside the given one. "
        "A small p-value says that it does not look as the model has it; of many some are small by chance, so the "
        "first two are of all items, and of all pairs of items, together."
    ]
    if checks.doubt:
        words.append(f"Doubted: {'; '.join(checks.doubt.reasons)}.")
    every = [(kind, check) for kind, listed in checks.by_kind.items() for check in listed]
    every = every[: len(every) - max(0, len(checks.pairs) - MOST_PAIRS)]  # the pairs are last, the worst of them first
    heads = ["of", "check", "table", "tables drawn", "95 %", "p-value"]
    yield Section("Beside tables drawn from the fit", words, (heads, [
        [
            Cell(kind), Cell(check.name), Cell(f"{check.observed:.3g}", check.observed),
            Cell(f"{check.replicated:.3g}", check.replicated), Cell(f"{check.lower:.3g} to {check.upper:.3g}"),
            Cell(checks.said(check.p_value), check.p_value),
        ]
        for kind, check in every
    ]))  # fmt: skip


def _items(found: "MixedSelection") -> Any:
    return next(iter(found.models.values())).items


def _fitted_rows(fit: "MixedClasses") -> Rows:
    """Means and intervals, unknown of a class that is not known."""
    heads = ["item", "quantity", *class_names(fit)]
    sizes = ("size", "share of rows", OF_SIZES, fit.sizes)
    of_items = [
        (item, what, fit.in_words, Summary(*(part[:, j] for part in fit.quantities)))
        for j, (item, what) in enumerate(fit.model.quantities)
    ]
    return heads, [
        [Cell(item), Cell(what), *map(Cell, in_cells(summary, form), summary.mean.tolist())]
        for item, what, form, summary in (sizes, *of_items)
    ]


def _classification_rows(found: "MixedSelection", k: int) -> Rows:
    table = found.fits[k].statistics.classification
    heads = ["most probable", *(f"class {c + 1}" for c in range(k)), "rows"]
    return heads, [
        [Cell(f"class {c + 1}"), *(number(float(value), 1) for value in row), number(float(row.sum()), 0)]
        for c, row in enumerate(table)
    ]


def _fit_rows(found: "MixedSelection", k: int) -> Rows:
    about, names = found.fits[k].statistics, list(found.labels)
    lines = [("distribution", name, value) for name, value in zip(names, about.misfits.tolist(), strict=True)]
    pairs = [
        ("dependence", f"{names[a]}, {names[b]}", float(about.residuals[a, b]))
        for a, b in combinations(range(len(names)), 2)
    ]
    pairs.sort(key=lambda pair: -np.nan_to_num(pair[2], nan=-1.0))
    lines = [line for line in lines if line[2] == line[2]] + [pair for pair in pairs[:MOST_PAIRS] if pair[2] == pair[2]]
    return ["of", "items", "statistic"], [[Cell(of), Cell(what), number(value, 1)] for of, what, value in lines]
