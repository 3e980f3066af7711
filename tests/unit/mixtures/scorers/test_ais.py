"""Claim: the mean weight of annealed importance sampling is the evidence of a mixture, on enumerable tables.

Sources of truth: the sum over all set partitions; the closed form of one class. Sweeps with cells that are not
tempered, and classes that are tempered as well, must be noticed.
"""

import os

import numpy as np
import pytest
from reference.mixed_items import ITEMS, mixture, prior_draws, small_table

from ockham.contracts import NO_DOUBT, Doubt
from ockham.errors import ModelError
from ockham.estimation import pilot_chains
from ockham.estimation.schedules import nonlinear_schedule
from ockham.mixtures.inference import annealing, completions
from ockham.mixtures.inference.design import Design
from ockham.mixtures.items.categorical import Categorical
from ockham.mixtures.scorers import ais, exact
from ockham.streams import Stream

N_SEEDS = int(os.environ.get("OCKHAM_TEST_SEEDS", "4"))
N_CHAINS, N_STEPS = 2000, 10


def deviation(seed, n_sweeps=1):
    """Of the mean weight from the evidence, in standard errors."""
    rng = np.random.default_rng(seed)
    items = dict(list(ITEMS.items())[seed % 3 : seed % 3 + 3])
    model = mixture(2 + seed % 2, items=items)
    design = Design.of(model, small_table(model, seed, 5))
    truth = completions.log_evidence(model, design) - design.log_base
    draws, temperatures = prior_draws(model, rng, N_CHAINS), nonlinear_schedule(N_STEPS, 0.2)
    weights = np.exp(annealing.run(model, design, draws, temperatures, rng, n_sweeps=n_sweeps) - truth)
    return (weights.mean() - 1) / (weights.std(ddof=1) / np.sqrt(N_CHAINS))


@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_the_mean_weight_is_the_evidence(seed):
    assert abs(deviation(seed, 1 + seed % 2)) < 4


def test_sweeps_with_cells_that_are_not_tempered_are_noticed(monkeypatch):
    monkeypatch.setattr(annealing, "_tempered_parameters", lambda parameters, temperature: parameters)
    assert max(abs(deviation(seed)) for seed in range(3)) > 4


def test_classes_that_are_tempered_as_cells_are_noticed(monkeypatch):
    right = annealing._tempered

    def wrong(sums, temperature):
        return right(sums, temperature)._replace(cases=temperature * sums.cases)

    monkeypatch.setattr(annealing, "_tempered", wrong)
    assert max(abs(deviation(seed)) for seed in range(3)) > 4


@pytest.mark.parametrize("n_steps", [1, 7])
def test_with_one_class_every_weight_is_the_evidence(n_steps):
    model, data = mixture(1), small_table(mixture(1), 1, 30)
    truth = exact.score(model, data, exact.Settings(), Stream(1))["exact"].log_evidence
    found = ais.score(model, data, ais.Settings(n_steps=n_steps), Stream(1))["annealed_importance_sampling"]
    assert found.log_evidence == pytest.approx(truth, rel=1e-10)
    assert found.diagnostics["spread"] < 1e-8


def test_the_estimate_is_within_its_error():
    found = []
    for seed in range(8):
        model, data = mixture(2 + seed % 2), small_table(mixture(2), seed, 8)
        truth = exact.score(model, data, exact.Settings(), Stream(seed))["exact"].log_evidence
        (one,) = ais.score(model, data, ais.Settings(n_steps=100), Stream(seed)).values()
        assert one.n_evaluations == 64 * 100
        if one.trusted:
            found.append((one.log_evidence - truth) / one.standard_error)
    assert len(found) > 3
    assert np.abs(found).max() < 5


def test_without_steps_pilot_chains_find_those_that_bring_the_weights_together(monkeypatch):
    """All runs have the same, and count them; log-normal weights of which nine tenths count vary by .32."""
    found = []
    monkeypatch.setattr(ais, "LEAST_STEPS", 4)
    monkeypatch.setattr(ais, "steps", lambda *of: found.append(pilot_chains.steps(*of)) or found[-1])
    model, data = mixture(3), small_table(mixture(3), 1, 8)

    def run(seed, **settings):
        stream = Stream(1, "run", seed)
        return ais.score(model, data, ais.Settings(**settings), stream)["annealed_importance_sampling"]

    assert run(1, n_steps=4).diagnostics["spread"] > 1
    first, second = run(1), run(2)
    given, (n_steps, n_pilot, _), of_second = found
    assert given == (4, 0, NO_DOUBT)
    assert of_second == (n_steps, n_pilot, NO_DOUBT)
    assert 4 < n_steps < 2**14
    assert first.n_evaluations == second.n_evaluations == 64 * n_steps + n_pilot > 64 * n_steps
    assert first.log_evidence == run(1, n_steps=n_steps).log_evidence != second.log_evidence
    assert 0.08 < first.diagnostics["spread"] < 0.32


def test_a_short_schedule_is_doubted():
    model = mixture(3)
    data = small_table(model, 1, 60)
    (one,) = ais.score(model, data, ais.Settings(n_steps=2), Stream(1)).values()
    assert one.doubt & Doubt.FEW_EFFECTIVE_SAMPLES
    assert one.degrees_of_freedom == 63


def test_chains_that_memory_has_no_room_for_are_refused():
    model = mixture(1000)
    with pytest.raises(ModelError, match="GB, 8 are allowed"):
        ais.score(model, small_table(mixture(2), 1, 12), ais.Settings(n_chains=10**5), Stream(1))


@pytest.mark.parametrize(("prior", "doubted"), [(0.1, False), (0.09, True)])
def test_sparse_priors_are_doubted_for_chains_see_few_of_their_modes(prior, doubted):
    model, data = mixture(2, items=ITEMS | {"category": Categorical(3, prior)}), small_table(mixture(2), 1, 6)
    found = ais.score(model, data, ais.Settings(n_steps=100), Stream(1))["annealed_importance_sampling"]
    assert bool(found.doubt & Doubt.NOT_MIXED) is doubted
