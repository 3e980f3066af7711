"""What items are like in a class, in their own units: probabilities of states, means and deviations, rates."""

from collections.abc import Mapping, Sequence
from functools import singledispatch

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.mixtures.items import Binomial, Categorical, Gaussian, Poisson
from ockham.mixtures.items.item import Item

__all__ = ["item_scores", "misfit_scores", "profile", "profiles", "quantity_names"]

LEAST = 1e-100
"""Rate or probability that scores are divided by."""


def quantity_names(model: FiniteMixture, labels: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Item and name of everything that ``profiles`` has; states are called by their labels."""
    natural, found = model.mode(model.nothing).natural, list[tuple[str, str]]()
    for (name, item), (_, at) in zip(model.items.items(), model.slices, strict=True):
        for what, values in profile(item, natural[:, at]).items():
            by_state = [f"{what} of {label}" for label in labels[name]] if values.ndim > 1 else [what]
            found += [(name, words.replace("_", " ", what.count("_"))) for words in by_state]
    return found


def profiles(model: FiniteMixture, natural: np.ndarray) -> np.ndarray:
    """The ``profile`` of every item, natural parameters of shape (..., n_classes, n_statistics).

    Shape (..., n_classes, n_quantities).
    """
    parts = [
        values if values.ndim == natural.ndim else values[..., None]
        for item, at in model.slices
        for values in profile(item, natural[..., at]).values()
    ]
    return np.concatenate(parts, axis=-1)


@singledispatch
def profile(item: Item, natural: np.ndarray) -> dict[str, np.ndarray]:
    """What an item is like by what it is called, each of shape (..., n_classes) or (..., n_classes, n_states)."""
    raise NotImplementedError(item.kind)


@profile.register
def _(item: Categorical, natural: np.ndarray) -> dict[str, np.ndarray]:
    return {"probability": np.exp(natural)}


@profile.register
def _(item: Gaussian, natural: np.ndarray) -> dict[str, np.ndarray]:
    mean, deviation = _moments(natural)
    return {"mean": item.centre + item.deviation * mean, "standard_deviation": item.deviation * deviation}


@profile.register
def _(item: Poisson, natural: np.ndarray) -> dict[str, np.ndarray]:
    return {"rate": np.exp(natural[..., 1])}


@profile.register
def _(item: Binomial, natural: np.ndarray) -> dict[str, np.ndarray]:
    return {"probability": np.exp(natural[..., 0])}


@singledispatch
def item_scores(item: Item, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Deviations of cells from what is expected in each class, of unit scale, shape (n_classes, n_cells, n_scores)."""
    raise NotImplementedError(item.kind)


@item_scores.register
def _(item: Categorical, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    probability = np.exp(natural)[:, None, 1:]
    return (cells[:, None] == np.arange(1, item.n_values)) - probability


@item_scores.register
def _(item: Gaussian, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    mean, deviation = _moments(natural)
    scaled = item.statistics(cells)[:, 1]
    return ((scaled - mean[:, None]) / deviation[:, None])[..., None]


@item_scores.register
def _(item: Poisson, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    rate = _positive(natural[:, 1])[:, None]
    return ((cells - rate) / np.sqrt(rate))[..., None]


@item_scores.register
def _(item: Binomial, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    expected = item.total * _positive(natural[:, :1])
    return ((cells - expected) / np.sqrt(expected * _positive(natural[:, 1:])))[..., None]


@singledispatch
def misfit_scores(item: Item, natural: np.ndarray, cells: np.ndarray) -> np.ndarray | None:
    """What is 0 in the mean inside a class of the item's distribution, and not of wider or skew ones.

    Of shape (n_classes, n_cells, n_scores); None for items that have every distribution.
    """
    return None


@misfit_scores.register
def _(item: Gaussian, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    z = item_scores(item, natural, cells)[..., 0]
    return np.stack([z**3 - 3 * z, z**4 - 6 * z**2 + 3], axis=-1)


@misfit_scores.register
def _(item: Poisson, natural: np.ndarray, cells: np.ndarray) -> np.ndarray:
    rate = _positive(natural[:, 1])[:, None]
    return (((cells - rate) ** 2 - cells) / rate)[..., None]


@misfit_scores.register
def _(item: Binomial, natural: np.ndarray, cells: np.ndarray) -> np.ndarray | None:
    if item.total == 1:
        return None
    success, failure = _positive(natural[:, :1]), _positive(natural[:, 1:])
    variance, above = item.total * success * failure, cells - item.total * success
    return ((above**2 - variance - (failure - success) * above) / variance)[..., None]


def _positive(logs: np.ndarray) -> np.ndarray:
    """Rates or probabilities, of which sparse priors draw some that are too small to be divided by."""
    return np.maximum(np.exp(logs), LEAST)


def _moments(natural: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of a Gaussian in deviations from its centre, shape (..., n_classes)."""
    precision = -2 * natural[..., 2]
    return natural[..., 1] / precision, 1 / np.sqrt(precision)
