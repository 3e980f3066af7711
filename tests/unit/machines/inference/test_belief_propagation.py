"""Claim: belief propagation ends at Bethe's approximation to the partition function.

Truth: sums over every state where a layer has one unit, for there it is exact; the known order of its error for weak
weights, where the partition function of independent units has another.
"""

import numpy as np
import pytest

from ockham.machines.inference.belief_propagation import bethe_log_partition
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, log_partition, softplus


def drawn(model, n, seed, deviation=1.0):
    return np.random.default_rng(seed).normal(0, deviation, (n, model.n_parameters))


def exact(model, thetas):
    return np.array([log_partition(model, theta) for theta in thetas])


@pytest.mark.parametrize("shape", [(1, 1), (6, 1), (1, 5)])
@pytest.mark.parametrize("deviation", [0.3, 2.0, 6.0])
def test_it_is_exact_on_trees(shape, deviation):
    model = RestrictedBoltzmann(*shape)
    thetas = drawn(model, 20, 1, deviation)
    found, settled = bethe_log_partition(model, thetas)
    assert settled.all()
    np.testing.assert_allclose(found, exact(model, thetas), rtol=1e-10, atol=1e-8)


def test_its_error_vanishes_as_the_fourth_power_of_weak_weights():
    """The shortest loop has four edges; without loops, or to lower order, nothing is missed."""
    model = RestrictedBoltzmann(4, 3)
    theta, errors, of_independent = drawn(model, 1, 2)[0], [], []
    for scale in (0.4, 0.2, 0.1):
        weak = theta.copy()
        model.unpack(weak)[0][:] *= scale
        errors.append(float(bethe_log_partition(model, weak[None], tolerance=1e-13)[0][0] - log_partition(model, weak)))
        _, visible, hidden = model.unpack(weak)
        of_independent.append(softplus(visible).sum() + softplus(hidden).sum() - log_partition(model, weak))
    assert abs(errors[0]) > 1e-6
    np.testing.assert_allclose(np.array(errors[:-1]) / errors[1:], 16, rtol=0.35)
    assert max(np.array(of_independent[:-1]) / of_independent[1:]) < 8


def test_exchanging_the_layers_changes_nothing():
    model = RestrictedBoltzmann(5, 3)
    thetas = drawn(model, 10, 3)
    found = bethe_log_partition(model, thetas, tolerance=1e-12)[0]
    swapped = bethe_log_partition(model.swapped, thetas[:, model.swap], tolerance=1e-12)[0]
    np.testing.assert_allclose(swapped, found, rtol=1e-9)


def test_each_of_several_parameters_gets_its_own_value():
    model = RestrictedBoltzmann(5, 3)
    thetas = drawn(model, 10, 4)
    alone = [bethe_log_partition(model, theta[None])[0][0] for theta in thetas]
    np.testing.assert_allclose(bethe_log_partition(model, thetas)[0], alone, rtol=1e-13)


def test_messages_that_do_not_come_to_rest_are_told():
    model = RestrictedBoltzmann(5, 3)
    thetas = np.concatenate([drawn(model, 3, 5), np.zeros((1, model.n_parameters))])
    assert bethe_log_partition(model, thetas, max_iterations=2)[1].tolist() == [False, False, False, True]
