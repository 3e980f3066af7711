"""Claim: rows are drawn with the parameters of the mixture, and cells are missing with the stated probability.

Source of truth: the log likelihood of the mixture, whose mean over rows has a derivative of 0 at the true parameters;
here by its simplest case, the means of the statistics of every item. Rows of other parameters must be noticed.
"""

import numpy as np
from reference.mixed_items import mixture

from ockham.mixtures.data.drawing import draw_rows
from ockham.streams import Stream

MODEL = mixture(3)


def deviations(parameters, source, n=20_000):
    """Of the means of the statistics from those of a mixture's classes, in standard errors."""
    rows = draw_rows(MODEL, source, n, 0.1, Stream(1))
    weights = np.exp(parameters.log_weights)
    found = []
    for column, (item, at) in zip(rows.T, MODEL.slices, strict=True):
        statistics = item.statistics(column[~np.isnan(column)])
        each = []
        for natural in parameters.natural[:, at]:
            cells = item.sample_cells(np.broadcast_to(natural, (n, item.n_statistics)), np.random.default_rng(2))
            each.append(item.statistics(cells))
        expected = sum(weight * of.mean(axis=0) for weight, of in zip(weights, each, strict=True))
        error = np.sqrt(2 * statistics.var(axis=0) / len(statistics)) + 1e-12
        found.append(np.abs((statistics.mean(axis=0) - expected) / error).max())
    return max(found)


def test_items_have_the_means_of_their_classes():
    rng = np.random.default_rng(7)
    truth, other = MODEL.sample(MODEL.nothing, rng), MODEL.sample(MODEL.nothing, rng)
    assert deviations(truth, truth) < 5
    assert deviations(truth, other) > 5


def test_the_share_that_is_missing():
    truth = MODEL.sample(MODEL.nothing, np.random.default_rng(7))
    gaps = np.isnan(draw_rows(MODEL, truth, 5000, 0.2, Stream(1)))
    assert np.abs(gaps.mean(axis=0) - 0.2).max() < 4 * np.sqrt(0.16 / 5000)
    assert not np.isnan(draw_rows(MODEL, truth, 50, 0.0, Stream(1))).any()
