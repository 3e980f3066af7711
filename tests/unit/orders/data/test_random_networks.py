"""Tables of random networks are the same for the same stream, nested in their rows, and of dependent variables."""

import numpy as np

from ockham.orders.data.random_networks import sample_table
from ockham.streams import Stream


def test_more_rows_begin_with_the_fewer():
    few, more = (sample_table(7, n, Stream(1, "trial")) for n in (50, 400))
    assert few.names == more.names == ("x1", "x2", "x3", "x4", "x5", "x6", "x7")
    assert few.cardinalities == (2,) * 7
    assert (few.states == more.states[:50]).all()
    assert not np.array_equal(few.states, sample_table(7, 50, Stream(2, "trial")).states)


def test_variables_depend_on_each_other():
    """Most pairs of neighbours in the order are correlated by more than chance would have it."""
    states = sample_table(6, 4000, Stream(3, "trial")).states
    correlations = np.abs(np.corrcoef(states.T)[np.triu_indices(6, 1)])
    assert (correlations > 4 / np.sqrt(4000)).sum() >= 5
