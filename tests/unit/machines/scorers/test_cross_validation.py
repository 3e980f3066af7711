"""Claim: every row is held out once, and scored by a fit to the other folds.

Truth: the rows counted one by one; the limit of a narrow prior, where every fit is uniform; likelihoods by enumeration.
"""

from math import log

import numpy as np
import pytest

from ockham.errors import DataError
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import cross_validation
from ockham.streams import Stream

ROWS = (np.random.default_rng(1).random((53, 3)) < [0.1, 0.5, 0.7]).astype(int)


def run(model, rows=ROWS, seed=1, **settings):
    settings = cross_validation.Settings(expectations="exact", **settings)
    return cross_validation.score(model, BinaryRows.of(rows), settings, Stream(seed, "folds"))["cross_validation"]


@pytest.mark.parametrize("counts", [[1] * 12, [53], [7, 1, 0, 30], [625_000, 3]])
def test_folds_are_a_division_of_the_rows(counts):
    counts = np.array(counts)
    folds = cross_validation.split(counts, 10, np.random.default_rng(2))
    np.testing.assert_array_equal(folds.sum(axis=0), counts)
    assert folds.min() >= 0
    assert np.ptp(folds.sum(axis=1)) <= 1


def test_every_row_is_equally_likely_in_every_fold():
    """Three rows of one kind among twelve, in four folds of three: a hypergeometric mean of 3/4 each."""
    rng = np.random.default_rng(3)
    found = np.array([cross_validation.split(np.array([3, 9]), 4, rng)[:, 0] for _ in range(4000)])
    z = (found.mean(axis=0) - 0.75) / (found.std(axis=0) / np.sqrt(len(found)))
    assert abs(z).max() < 4


def test_machines_and_runs_share_the_folds_of_a_data_set(monkeypatch):
    """Other folds of other machines would be part of what differs between them."""
    divisions, split = [], cross_validation.split

    def seen(*given):
        divisions.append(split(*given))
        return divisions[-1]

    monkeypatch.setattr(cross_validation, "split", seen)
    for n_hidden, name in ((1, "first"), (2, "first"), (1, "second")):
        stream, model = Stream(4, "cell", name, n_hidden), RestrictedBoltzmann(3, n_hidden)
        cross_validation.score(model, BinaryRows.of(ROWS), cross_validation.Settings(expectations="exact"), stream)
    np.testing.assert_array_equal(divisions[1:], [divisions[0]] * 2)
    run(RestrictedBoltzmann(3, 1), ROWS[1:])
    run(RestrictedBoltzmann(3, 1), seed=5)
    assert divisions[3].sum() == 52
    assert (divisions[4] != divisions[0]).any()


def test_a_narrow_prior_makes_every_row_equally_probable():
    found = run(RestrictedBoltzmann(3, 2, 1e-5))
    assert found.log_evidence == pytest.approx(-53 * 3 * log(2), abs=1e-3)
    assert found.diagnostics["held_out_mean"] == pytest.approx(-3 * log(2), abs=1e-4)
    assert found.diagnostics["held_out_deviation"] < 1e-3


def test_fitted_rows_are_not_among_the_held_out_ones():
    """A row that occurs once can not be learned without the prior: then its probability goes to nothing."""
    rows = np.array([[0, 0, 0]] * 50 + [[1, 1, 1]])
    learned = run(RestrictedBoltzmann(3, 1), np.concatenate([rows, rows[-1:]]), with_prior=False, n_folds=52)
    found = run(RestrictedBoltzmann(3, 1), rows, with_prior=False, n_folds=51)
    assert found.log_evidence < learned.log_evidence - 5


def test_more_folds_than_rows_are_refused():
    with pytest.raises(DataError, match="53 rows cannot make 54 folds"):
        run(RestrictedBoltzmann(3, 1), n_folds=54)
