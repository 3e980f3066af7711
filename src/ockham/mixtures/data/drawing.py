"""Rows drawn from a finite mixture, some of their cells missing completely at random."""

import numpy as np

from ockham.mixtures.finite_mixture import FiniteMixture, Parameters
from ockham.mixtures.items.categorical import sample_states
from ockham.streams import Stream

__all__ = ["draw_rows"]


def draw_rows(model: FiniteMixture, parameters: Parameters, n: int, missing: float, stream: Stream) -> np.ndarray:
    """Cells of n rows, NaN where missing, shape (n, n_items); more rows of the same stream begin with the fewer.

    Classes, every item and what is missing have streams of their own, so that each is decided by itself.
    """
    shares = np.broadcast_to(parameters.log_weights, (n, model.n_classes))
    classes = sample_states(shares, stream.child("classes").generator()).astype(np.int64)
    cells = np.empty((n, len(model.items)))
    for column, (item, at) in enumerate(model.slices):
        rng = stream.child("item", column).generator()
        cells[:, column] = item.sample_cells(parameters.natural[:, at][classes], rng)
    cells[stream.child("missing").generator().random(cells.shape) < missing] = np.nan
    return cells
