"""The likelihood and its derivatives are those of the sums over both layers.

Source of truth: tests/reference/boltzmann.py and central differences.
"""

import numpy as np
import pytest
from reference import boltzmann as reference

from ockham.errors import DataError
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.likelihood import check_fits, gradient, log_likelihood
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann

SHAPES = [(2, 1), (4, 2), (3, 4), (6, 3)]


def drawn(shape, seed=2):
    rng = np.random.default_rng(seed)
    model = RestrictedBoltzmann(*shape)
    return model, rng.normal(0, 1, model.n_parameters), rng.integers(0, 2, (20, shape[0]))


@pytest.mark.parametrize("shape", SHAPES)
def test_log_likelihood_is_the_sum_over_rows_and_layers(shape):
    model, theta, rows = drawn(shape)
    truth = reference.log_likelihood(*shape, theta, rows)
    assert log_likelihood(model, theta, BinaryRows.of(rows)) == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_gradient_is_the_derivative_of_the_log_likelihood(shape):
    model, theta, rows = drawn(shape)
    data = BinaryRows.of(rows)
    slope = reference.differences(lambda t: log_likelihood(model, t, data), theta)
    np.testing.assert_allclose(gradient(model, theta, data), slope, atol=1e-7)


def test_data_of_another_width_are_refused():
    with pytest.raises(DataError, match="2 columns, the model 3"):
        check_fits(RestrictedBoltzmann(3, 1), BinaryRows.of([[0, 1]]))
