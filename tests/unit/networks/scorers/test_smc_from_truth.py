"""Claim: the inverse of what a pass from the true parameters finds is an unbiased estimate of the inverse evidence,
over data and parameters that are drawn from the prior; so passes with and without them enclose the evidence.

Truth: the exact evidence. A path that ends in other parameters, or whose chains stand still, must be noticed.
"""

import numpy as np
import pytest

from ockham.estimation import waste_free
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import gibbs
from ockham.networks.inference.particles import Parameters
from ockham.networks.scorers import exact, smc
from ockham.streams import Stream

NETWORK = DiscreteNetwork.build(
    {"s": 2, "x": 2, "y": 3, "z": 2}, {"x": ["s"], "y": ["s"], "z": ["s", "x"]}, hidden=["s"]
)
CARDINALITIES = [2, 3, 2]
N_ROWS, ENDS = 10, [1, 2, 4, 10]


def drawn(seed):
    """True parameters in logs, rows, and the exact evidence."""
    rng = np.random.default_rng(seed)
    log_parameters = sample_log(NETWORK, rng)
    rows = draw(NETWORK, np.exp(log_parameters), N_ROWS, rng)[:, list(NETWORK.observed)]
    truth = exact.score(NETWORK, UniqueRows.of(rows, CARDINALITIES), exact.Settings(), Stream(0))["exact"]
    return log_parameters, rows, truth.log_evidence, rng


def deviation(end=lambda true, rng: true, n_data_sets=400):
    """Of the mean of Z / (what a pass finds) from 1, in standard errors."""
    ratios = []
    for seed in range(n_data_sets):
        log_parameters, rows, truth, rng = drawn(seed)
        distinct, places = np.unique(rows, axis=0, return_inverse=True)
        found = waste_free.run(
            Parameters(NETWORK, distinct), places, [N_ROWS], rng, ends=ENDS, n_chains=4, n_states=5,
            posterior_draw=end(log_parameters, rng),
        )  # fmt: skip
        ratios.append(np.exp(truth - found.log_evidences[0]))
    return (np.mean(ratios) - 1) / (np.std(ratios, ddof=1) / np.sqrt(n_data_sets))


def test_the_inverse_is_unbiased():
    assert abs(deviation()) < 4


def test_a_path_from_another_draw_of_the_prior_is_noticed():
    with pytest.raises(AssertionError):
        assert abs(deviation(lambda true, rng: sample_log(NETWORK, rng))) < 4


def test_a_path_whose_chains_stand_still_is_noticed(monkeypatch):
    right = waste_free._path
    monkeypatch.setattr(
        waste_free, "_path", lambda *arguments: [np.tile(chain[0], (len(chain), 1)) for chain in right(*arguments)]
    )
    with pytest.raises(AssertionError):
        assert abs(deviation()) < 4


def test_both_values_agree_with_the_truth():
    z = []
    for seed in range(6):
        log_parameters, rows, truth, _ = drawn(seed)
        data, settings = UniqueRows.of(rows, CARDINALITIES), smc.Settings(n_passes=12, n_states=20)
        for start in (None, np.exp(log_parameters)):
            found = smc.score(NETWORK, data, settings, Stream(seed), start)["sequential_monte_carlo"]
            assert found.trusted
            z.append((found.log_evidence - truth) / found.standard_error)
    assert np.abs(z).max() < 5


def test_passes_that_cannot_leave_the_truth_find_too_much(monkeypatch):
    """Without any sweeps: the particles are draws of the prior, and the true parameters."""
    monkeypatch.setattr(gibbs, "run", _stay)
    above = []
    for seed in range(20):
        log_parameters, rows, truth, _ = drawn(seed)
        data, settings = UniqueRows.of(rows, CARDINALITIES), smc.Settings(n_chains=2, n_states=2)
        found = smc.score(NETWORK, data, settings, Stream(seed), np.exp(log_parameters))["sequential_monte_carlo"]
        above.append(found.log_evidence - truth)
    assert np.mean(above) > 0.2


def _stay(network, data, start, rng, n_sweeps, *, keep):
    return gibbs.State(start, start, np.empty(0), np.tile(start, (n_sweeps, 1)))
