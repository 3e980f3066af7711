"""Claim: states that grow with the data are draws of the posterior of all of them.

Truth: the mean probability of each value under the posterior, by enumerated completions of a table of few rows.
"""

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import completions
from ockham.networks.inference.growing import grown, n_sizes
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

NETWORK = naive_bayes([2], [2, 2])["classes-2"]


@pytest.mark.parametrize(("n", "expected"), [(1, 1), (10, 1), (11, 2), (20, 2), (21, 3), (10_240, 11)])
def test_sizes_are_doubled_until_they_have_every_row(n, expected):
    assert n_sizes(UniqueRows.of(np.zeros((n, 2), dtype=int), [2, 2])) == expected


def distance(n_sweeps):
    """Of the predictive probability of a row, in standard errors."""
    rows = np.array([[0, 0]] * 9 + [[1, 1]] * 12 + [[0, 1]])
    states = grown(NETWORK, UniqueRows.of(rows, [2, 2]), Stream(1).generator(), 1000, n_sweeps)
    theta = np.exp(states)
    sizes, first, second = theta[:, :2], theta[:, [2, 4]], theta[:, [6, 8]]  # of the value 0 in each class
    predicted = (sizes * first * second).sum(axis=1)
    more = UniqueRows.of(np.concatenate([rows, [[0, 0]]]), [2, 2])
    before = completions.log_evidence(NETWORK, UniqueRows.of(rows, [2, 2]))
    truth = np.exp(completions.log_evidence(NETWORK, more) - before)
    return (predicted.mean() - truth) / (predicted.std() / np.sqrt(len(predicted)))


def test_states_are_draws_of_the_posterior():
    """Without a sweep they are draws of the prior, which is noticed."""
    assert abs(distance(20)) < 4
    assert abs(distance(0)) > 4
