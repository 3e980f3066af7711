"""Hamiltonian transitions leave the posterior as it is, and go along what the data do not identify.

Sources of truth: the prior, by Geweke's joint test, in which data are redrawn as well; the conservation of energy; the
exact posterior of the larger of two classes of one variable, a sum over completions. Other hyperparameters, and steps
that are too long, are the controls.
"""

import numpy as np
import pytest
from reference.network_cases import CASES, observed_cardinalities, random_data, random_parameters

from ockham.estimation.autocorrelation import autocorrelation_time
from ockham.kernels import hamiltonian as kernel
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import gibbs, hamiltonian
from ockham.networks.inference.expectation import layout
from ockham.networks.structure_space import naive_bayes

NAMES = ["asymmetric prior", "hidden chain", "hidden with observed parent", "bipartite 1-12-12-2"]
SMALL_PRIOR = sorted(name for name in CASES if "small prior" in name)


def transition(network, data, log_theta, rng, step_size, n_leapfrog, prior=None):
    """The next parameters, the shape that they have, and the probability that the end was taken with."""
    plan, state = layout(network, data), np.array(log_theta)
    draws, shapes, acceptance = np.empty((1, network.n_entries)), np.empty((1, network.n_entries)), np.empty(1)
    kernel.run(
        rng.bit_generator,
        plan,
        row_starts=network.row_starts,
        prior=network.prior if prior is None else prior,
        masses=1 + np.arange(network.n_entries) % 3.0,
        step_sizes=np.array([step_size]),
        n_leapfrog=np.array([n_leapfrog]),
        n_sweeps=0,
        log_theta=state,
        draws=draws,
        shapes=shapes,
        acceptance=acceptance,
        work=np.empty(kernel.work_size(plan, network.n_entries)),
    )
    return state, shapes[0], acceptance[0]


def case(name, n=15):
    network = CASES[name]
    data = UniqueRows.of(random_data(network, n, 2), observed_cardinalities(network))
    return network, data, np.log(random_parameters(network, 2))


@pytest.mark.parametrize("name", NAMES)
def test_short_steps_conserve_the_energy(name):
    """The error of a trajectory of one length falls with the square of the step; with another slope it would not."""
    network, data, log_theta = case(name)

    def lost(step, n=60):
        """Mean over draws of the posterior; where energy is gained it counts as none."""
        rng, found = np.random.default_rng(1), []
        for start in gibbs.run(network, data, log_theta, rng, n, keep=True).draws:
            found.append(-np.log(transition(network, data, start, rng, step, round(0.64 / step))[2]))
        return np.mean(found)

    assert 0 < lost(0.08) < 0.5
    assert lost(0.01) < lost(0.08) / 30


def geweke(name, factor=1.0, n=4000):
    """Deviations of the means of theta from the prior's, in standard errors; with the prior times a factor inside."""
    network, rng = CASES[name], np.random.default_rng(11)
    observed = list(network.observed)
    mean = np.empty((n, network.n_entries))
    for i in range(n):
        log_theta = sample_log(network, rng)
        rows = draw(network, np.exp(log_theta), 6, rng)[:, observed]
        data = UniqueRows.of(rows, observed_cardinalities(network))
        mean[i] = np.exp(transition(network, data, log_theta, rng, 0.7, 5, factor * network.prior)[0])
    totals = np.add.reduceat(network.prior, network.row_starts[:-1])[network.rows]
    expected = network.prior / totals
    variance = expected * (1 - expected) / (totals + 1)
    first = (mean.mean(axis=0) - expected) / (mean.std(axis=0, ddof=1) / np.sqrt(n))
    squares = (mean - expected) ** 2
    second = (squares.mean(axis=0) - variance) / (squares.std(axis=0, ddof=1) / np.sqrt(n))
    return np.concatenate([first, second])


@pytest.mark.parametrize("name", ["asymmetric prior", "hidden chain"])
def test_prior_and_data_redrawn_stay_the_prior(name):
    assert np.abs(geweke(name)).max() < 4.5


def test_another_prior_is_noticed():
    assert np.abs(geweke("asymmetric prior", factor=1.5)).max() > 4.5


@pytest.mark.parametrize("name", NAMES)
def test_the_shape_is_that_of_the_next_parameters(name):
    network, data, log_theta = case(name)
    state, shape, acceptance = transition(network, data, log_theta, np.random.default_rng(1), 0.05, 3)
    assert acceptance > 0.5
    np.testing.assert_allclose(np.add.reduceat(np.exp(state), network.row_starts[:-1]), 1.0)
    _, again, _ = transition(network, data, state, np.random.default_rng(1), 1e-12, 1)
    np.testing.assert_allclose(shape, again, rtol=1e-9)
    assert (shape >= network.prior).all()


@pytest.mark.parametrize("name", [*NAMES, *SMALL_PRIOR])
def test_steps_that_are_too_long_are_not_taken(name):
    """However far they lead, to no number at all, too; the state stays as it was."""
    network, data, log_theta = case(name)
    for step in (1e3, 1e100, 1e300):
        state, _, acceptance = transition(network, data, log_theta, np.random.default_rng(1), step, 20)
        assert acceptance < 1e-3
        np.testing.assert_allclose(state, log_theta, rtol=1e-12, atol=1e-12)


def larger_class(n=2000):
    """Two classes of one variable of two values, their rows, and the mean of max(w, 1 - w) of the class sizes w."""
    network = naive_bayes([2], [2])["classes-2"]
    counts = np.array([n // 4, n - n // 4])
    data = UniqueRows(np.array([[0], [1]]), counts)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    w, a = (1 + nodes) / 2, (1 + nodes) / 2
    grid = w[:, None, None] * a[:, None] + (1 - w[:, None, None]) * a
    with np.errstate(divide="ignore"):
        logs = counts[0] * np.log(grid) + counts[1] * np.log1p(-grid)
    density = np.exp(logs - logs.max()) * weights[:, None, None] * weights[:, None] * weights
    return network, data, float((density.sum(axis=(1, 2)) * np.maximum(w, 1 - w)).sum() / density.sum())


def chain(network, data, run, n_draws):
    """Larger class sizes along draws of a chain that begins at a mode, and their autocorrelation time."""
    rng = np.random.default_rng(5)
    begun = gibbs.run(network, data, sample_log(network, rng), rng, 500).log_parameters
    larger = np.exp(network.family(network.hidden[0], run(begun, rng, n_draws)))[:, 0].max(axis=1)
    return larger, autocorrelation_time([larger])


def test_chains_go_along_what_data_do_not_identify():
    """And the mean of what they see is the integral, by quadrature; Gibbs sweeps take many times as many draws."""
    network, data, truth = larger_class()

    def trajectories(begun, rng, n_draws):
        ready = hamiltonian.tuned(network, data, begun, rng, 400)
        found = hamiltonian.run(network, data, ready.log_parameters, rng, n_draws, ready.dynamics)
        assert 0.5 < found.acceptance < 0.95
        assert found.n_passes > 2 * n_draws
        return found.draws

    def sweeps(begun, rng, n_draws):
        return gibbs.run(network, data, begun, rng, n_draws, keep=True).draws

    larger, time = chain(network, data, trajectories, 4000)
    _, time_of_sweeps = chain(network, data, sweeps, 20_000)
    error = larger.std() * np.sqrt(time / len(larger))
    assert abs(larger.mean() - truth) < 4 * error
    assert error < 0.02
    assert time_of_sweeps > 5 * time


def test_masses_become_those_of_the_completed_data():
    network, data, _ = larger_class()
    ready = hamiltonian.tuned(network, data, np.log(random_parameters(network, 1)), np.random.default_rng(3), 400)
    sizes = network.prior.sum() + 2 * data.n
    assert ready.dynamics.masses.sum() == pytest.approx(sizes)
    assert ready.n_passes > 400
    same = hamiltonian.tuned(network, data, np.log(random_parameters(network, 1)), np.random.default_rng(3), 400)
    np.testing.assert_array_equal(ready.dynamics.masses, same.dynamics.masses)
    np.testing.assert_array_equal(ready.log_parameters, same.log_parameters)


@pytest.mark.parametrize("name", NAMES)
def test_a_sweep_before_a_trajectory_is_that_of_gibbs_sampling(name):
    """Number for number, and draws go on where the last one was."""
    network, data, log_theta = case(name)
    dynamics = hamiltonian.Dynamics(1 + np.arange(network.n_entries) % 3.0, 0.3)
    found = hamiltonian.run(network, data, log_theta, np.random.default_rng(8), 4, dynamics)
    rng, state = np.random.default_rng(8), log_theta
    n_leapfrog = rng.integers(1, hamiltonian.N_LEAPFROG + 1, 4)
    step_sizes = dynamics.step_size * np.sqrt(rng.random(4))
    for draw_of, step_size, n in zip(found.draws, step_sizes, n_leapfrog, strict=True):
        swept = gibbs.run(network, data, state, rng, 1).log_parameters
        state, _, _ = transition(network, data, swept, rng, step_size, n)
        np.testing.assert_array_equal(draw_of, state)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("masses", np.ones(3)), ("shapes", np.empty((2, 3))), ("draws", np.empty((3, 1))), ("log_theta", np.zeros(3)),
        ("acceptance", np.empty(1)), ("step_sizes", np.ones(3)), ("n_leapfrog", np.ones(1, dtype=np.int64)),
        ("work", np.empty(40)),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(name, value):
    with pytest.raises(ValueError, match="do not fit together"):
        run_kernel(**{name: value})


def test_trajectories_without_a_step_are_refused():
    with pytest.raises(ValueError, match="out of range"):
        run_kernel(n_leapfrog=np.array([2, 0]))


def run_kernel(**changed):
    network, data, log_theta = case("hidden chain")
    plan, n = layout(network, data), network.n_entries
    arrays = {
        "masses": np.ones(n), "shapes": np.empty((2, n)), "draws": np.empty((2, n)), "acceptance": np.empty(2),
        "step_sizes": np.full(2, 0.1), "n_leapfrog": np.full(2, 2), "log_theta": np.array(log_theta),
        "work": np.empty(kernel.work_size(plan, n)),
    }  # fmt: skip
    kernel.run(
        np.random.default_rng(1).bit_generator, plan, row_starts=network.row_starts, prior=network.prior, n_sweeps=1,
        **arrays | changed,
    )  # fmt: skip
