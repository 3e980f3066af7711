"""Kernels of Boltzmann machines: sums beyond the range of products, rows without units, arrays that do not fit.

Source of truth: tests/reference/boltzmann.py, which visits every state of both layers, and NumPy's sums in logs.
"""

import numpy as np
import pytest
from reference import boltzmann as reference

from ockham.kernels import boltzmann, hamiltonian_annealing
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.likelihood import gradient, log_likelihood
from ockham.machines.restricted_boltzmann import (
    RestrictedBoltzmann,
    expected_features,
    features_given,
    log_unnormalised,
    states,
)

UNITS = 3, 2
THETA = np.linspace(-1, 1, 11)
DATA = BinaryRows.of([[0, 0, 0], [1, 0, 1], [1, 1, 1], [1, 0, 1]])


def likelihood(**changes):
    starts, units, counts = DATA.sparse
    arrays = {
        "theta": THETA, "starts": starts, "units": units, "counts": counts, "gradient": np.empty(11),
        "work": np.empty(boltzmann.work_size(*UNITS, 3)),
    }  # fmt: skip
    return boltzmann.likelihood(*UNITS, *(arrays | changes).values())


def anneal(**changes):
    arrays = dict(zip(("starts", "units", "counts"), DATA.sparse, strict=True)) | {
        "precision": 1.0, "temperatures": np.linspace(0, 1, 4), "step_sizes": np.full(3, 0.1), "n_leapfrog": 2,
        "theta": THETA.copy(), "accepted": np.zeros(4, dtype=np.int64),
        "work": np.empty(hamiltonian_annealing.work_size(*UNITS, 3, 11)),
    }  # fmt: skip
    return hamiltonian_annealing.run(np.random.PCG64(1), *UNITS, *(arrays | changes).values())


@pytest.mark.parametrize("scale", [20.0, 70.0, 90.0, 300.0, 1000.0])
@pytest.mark.parametrize("shape", [(9, 3), (3, 9), (10, 1)])
def test_large_parameters_give_the_sums_in_logs(shape, scale):
    model = RestrictedBoltzmann(*shape)
    theta = np.random.default_rng(1).uniform(-scale, scale, model.n_parameters)
    rows = states(model.n_visible)
    log_terms = log_unnormalised(model, theta, rows)
    log_total = np.logaddexp.reduce(log_terms)
    found, means = expected_features(model, theta)
    assert found == pytest.approx(log_total, rel=1e-13)
    np.testing.assert_allclose(means, features_given(model, theta, rows, np.exp(log_terms - log_total)), atol=1e-10)


def test_rows_without_units_count_too():
    truth = reference.log_likelihood(*UNITS, THETA, np.repeat(DATA.rows, DATA.counts, axis=0))
    assert likelihood() == pytest.approx(truth, rel=1e-13)
    empty = BinaryRows.of(np.zeros((4, 3)))
    model = RestrictedBoltzmann(*UNITS)
    slope = reference.differences(lambda t: log_likelihood(model, t, empty), THETA)
    np.testing.assert_allclose(gradient(model, THETA, empty), slope, atol=1e-8)


@pytest.mark.parametrize(
    "changes",
    [
        {"theta": np.zeros(10)},
        {"gradient": np.zeros(10)},
        {"work": np.zeros(10)},
        {"counts": np.zeros(2)},
        {"starts": DATA.sparse[0][:-1].copy()},
    ],
)
def test_arrays_that_do_not_fit_are_refused(changes):
    with pytest.raises(ValueError, match="do not fit together"):
        likelihood(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"units": np.array([0, 2, 0, 1, 3, 0], dtype=np.int32)},
        {"units": np.array([0, -1, 0, 1, 2, 0], dtype=np.int32)},
        {"units": DATA.sparse[1][:-1].copy()},
        {"starts": np.array([1, 0, 2, 5], dtype=np.int32)},
        {"starts": np.array([0, 3, 2, 5], dtype=np.int32)},
    ],
)
def test_indices_out_of_range_are_refused(changes):
    for kernel in (likelihood, anneal):
        with pytest.raises(ValueError, match="out of range"):
            kernel(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"theta": np.zeros(12)},
        {"temperatures": np.zeros(3)},
        {"n_leapfrog": 0},
        {"accepted": np.zeros(3, dtype=np.int64)},
        {"work": np.zeros(hamiltonian_annealing.work_size(*UNITS, 3, 11) - 1)},
    ],
)
def test_annealing_of_arrays_that_do_not_fit_is_refused(changes):
    assert np.isfinite(anneal())
    with pytest.raises(ValueError, match="do not fit together"):
        anneal(**changes)


def test_layers_out_of_range_are_refused():
    for shape in ((0, 2), (60, 60)):
        with pytest.raises(ValueError, match="layers of a Boltzmann machine"):
            boltzmann.partition(*shape, THETA, np.empty(0), np.empty(1000))
    with pytest.raises(ValueError, match="do not fit together"):
        boltzmann.partition(*UNITS, THETA, np.empty(3), np.empty(1000))
