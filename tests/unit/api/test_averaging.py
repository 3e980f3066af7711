"""Claim: predictions are averaged over draws and over the number of classes with the weights given.

Truth: the exact predictive probability of a row, p(y, D) / p(D), under each number of classes, and their mean.
"""

import warnings

import numpy as np
import pytest

from ockham.api.fitting import fit_classes
from ockham.contracts import Doubt
from ockham.errors import ConfigError, DataError, OckhamWarning
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference.completions import log_evidence
from ockham.networks.structure_space import naive_bayes
from ockham.table_results.fitted.averaging import average_classes

NETWORKS = naive_bayes([1, 2, 3], [2, 2, 3])
ROWS = np.array([[0, 1, 2], [0, 1, 1], [1, 0, 0], [-1, 0, 0], [0, 1, 2]])
NEW = np.array([[0, 1, 2], [1, -1, 0]])


@pytest.fixture(scope="module")
def fits():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)
        return [fit_classes(network, ROWS, n_draws=4000) for network in NETWORKS.values()]


def exact(network, *rows):
    return log_evidence(network, UniqueRows.of(np.concatenate([ROWS, *rows]), [2, 2, 3], missing=True))


def test_the_mean_of_exact_predictions_is_found(fits):
    evidence = np.array([exact(network) for network in NETWORKS.values()])
    weights = np.exp(evidence - evidence.max()) / np.exp(evidence - evidence.max()).sum()
    longer = [[exact(network, row[None]) for row in NEW] for network in NETWORKS.values()]
    each = np.exp(longer - evidence[:, None])
    found = np.exp(average_classes(fits, weights).log_predictive(NEW))
    np.testing.assert_allclose(found, weights @ each, rtol=0.02)
    assert np.abs(weights @ each / each[0] - 1).min() > 0.02  # or one class alone would do


def test_a_weight_of_one_leaves_one_fit(fits):
    found = average_classes(fits, [0, 1, 0])
    np.testing.assert_allclose(found.log_predictive(NEW), fits[1].log_predictive(NEW))
    assert repr(found) == "AveragedClasses: p(K = 1) = 0, p(K = 2) = 1, p(K = 3) = 0"


def test_doubt_is_that_of_the_fits_that_count(fits):
    object.__setattr__(fits[2], "unseen", True)
    assert average_classes(fits, [0.5, 0, 0.5]).doubt & Doubt.NOT_MIXED
    assert average_classes(fits, [1, 0, 0]).doubt == fits[0].doubt == Doubt(0)


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.5, 0.5, 0.5], [-1, 1, 1], [np.nan, 0.5, 0.5], 3, "abc", ["a"] * 3])
def test_weights_that_are_no_probabilities_are_refused(fits, weights):
    with pytest.raises(ConfigError, match="weights"):
        average_classes(fits, weights)


def test_what_are_no_fits_of_one_data_set_are_refused(fits):
    with pytest.raises(ConfigError, match="fits: 'a' is no FittedClasses"):
        average_classes(["a"], [1.0])
    with pytest.raises(ConfigError):
        average_classes([], [])
    other = fit_classes(NETWORKS["classes-1"], ROWS[:3])
    with pytest.raises(DataError, match="different data"):
        average_classes([fits[0], other], [0.5, 0.5])
    with pytest.raises(DataError, match="rows: row 0, column 2 holds state 3"):
        average_classes(fits[:1], [1.0]).log_predictive([[0, 0, 3]])
