"""Claim: the bridges find the evidence of a machine whose posterior the chains can visit; the smallest step is taken.

Truth: averages over draws of the prior, with their standard error; the settings themselves. The same check fails for a
machine with a narrower prior.
"""

import numpy as np
import pytest

from ockham.contracts import Doubt
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.likelihood import log_likelihood
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import langevin
from ockham.streams import Stream

FEW = BinaryRows.of((np.random.default_rng(1).random((12, 2)) < [0.1, 0.6]).astype(int))
MODEL = RestrictedBoltzmann(2, 1)
LENGTHS = {"n_chains": 4, "smallest_step": 0.3, "n_step_sizes": 1, "n_burn_in": 100, "n_draws": 300, "interval": 10}


def run(seed=1, model=MODEL, **settings):
    chosen = langevin.Settings(**{"expectations": "exact", "likelihood": "exact"} | LENGTHS | settings)
    return langevin.score(model, FEW, chosen, Stream(seed, "langevin"))


def by_prior(n):
    rng = np.random.default_rng(2)
    values = np.array([log_likelihood(MODEL, MODEL.sample(rng), FEW) for _ in range(n)])
    weights = np.exp(values - values.max())
    return values.max() + np.log(weights.mean()), weights.std() / weights.mean() / np.sqrt(n)


def misses(model, truth, error, n_runs=3):
    """Which bridges are off by more than 4 standard errors over runs, and a tenth of a nat for brief sampling."""
    runs, found = [run(seed, model) for seed in range(n_runs)], set()
    for name in ("bridge_geometric", "bridge_optimal"):
        values = np.array([evidences[name].log_evidence for evidences in runs])
        allowed = 0.1 + 4 * np.hypot(values.std(ddof=1) / np.sqrt(n_runs), error)
        assert allowed < 0.4
        if abs(values.mean() - truth) > allowed:
            found.add(name)
    return found


def test_bridges_find_the_evidence_of_a_tiny_machine():
    truth = by_prior(20_000)
    assert misses(MODEL, *truth) == set()
    assert misses(RestrictedBoltzmann(2, 1, 0.3), *truth) == {"bridge_geometric", "bridge_optimal"}


def test_belief_propagation_is_exact_for_one_hidden_unit():
    exact, bethe = run(likelihood="exact"), run(likelihood="bethe")
    for name, evidence in exact.items():
        assert bethe[name].log_evidence == pytest.approx(evidence.log_evidence, abs=1e-6)
    assert bethe["dic"].diagnostics["unsettled"] == 0


def test_the_smallest_step_that_converges_is_taken():
    found = run(smallest_step=0.05, n_step_sizes=5)["dic"].diagnostics
    assert found["scale_reduction"] < 1.1
    assert found["step_size"] > 0.05
    smaller = run(smallest_step=found["step_size"] / 2, n_step_sizes=1)["dic"].diagnostics
    assert smaller["scale_reduction"] > 1.1


def test_without_convergence_the_nearest_is_taken():
    short = {"n_draws": 20, "interval": 2}
    alone = {
        step: run(smallest_step=step, n_step_sizes=1, **short)["dic"].diagnostics["scale_reduction"]
        for step in (0.02, 0.04, 0.08)
    }
    assert min(alone.values()) > 1.1
    found = run(smallest_step=0.02, n_step_sizes=3, **short)["dic"].diagnostics
    assert found["scale_reduction"] == min(alone.values())
    assert alone[found["step_size"]] == found["scale_reduction"]


@pytest.mark.parametrize("n_prior_draws", [2000, 100])
def test_errors_of_the_sampling_are_the_spread_of_runs(n_prior_draws):
    """Chi-square of 24 runs at one in ten thousand; of few draws of the prior bridges have most of their error."""
    runs = [run(seed, n_prior_draws=n_prior_draws) for seed in range(24)]
    for name in langevin.ESTIMATES:
        values = np.array([found[name].log_evidence for found in runs])
        errors = np.array([found[name].diagnostics[f"{name}_monte_carlo_error"] for found in runs])
        if name != "harmonic_1":  # whose variance is infinite
            assert 0.3 < values.var(ddof=1) / np.mean(errors**2) < 3


def test_bridges_have_no_error_where_chains_have_no_share_of_the_draws_of_the_prior():
    found = run(n_prior_draws=3)
    for name, evidence in found.items():
        assert np.isnan(evidence.diagnostics[f"{name}_monte_carlo_error"]) == name.startswith("bridge")
    assert Doubt.FEW_EFFECTIVE_SAMPLES in found["bridge_optimal"].doubt
    assert found["dic"].trusted


@pytest.mark.parametrize(("error", "doubted"), [(0.4, False), (0.6, True)])
def test_an_error_of_more_than_half_a_nat_is_doubted(monkeypatch, error, doubted):
    monkeypatch.setattr(langevin, "jackknife_errors", lambda *_: dict.fromkeys(langevin.ESTIMATES, error))
    found = run()
    for name in ("bridge_geometric", "bridge_optimal", "dic"):
        assert found[name].doubt == (Doubt.FEW_EFFECTIVE_SAMPLES if doubted else Doubt(0))


def test_bridges_are_worth_no_more_draws_than_their_poorest_mean():
    """Three draws of the prior are alike, and the others nothing beside them; then those of the posterior."""
    posterior, prior = np.full(400, -10.0), np.array([-10.0] * 3 + [-900.0] * 97)
    sizes = langevin._effective_sizes(posterior, prior, -13.0)
    assert sizes["bridge_geometric"] == pytest.approx(3)
    assert sizes["bridge_optimal"] == pytest.approx(3)
    swapped = langevin._effective_sizes(prior, posterior, -10.0)
    assert swapped["bridge_geometric"] == pytest.approx(97)
    assert swapped["bridge_optimal"] == pytest.approx((3 + 97 * 1.25) ** 2 / (3 + 97 * 1.25**2))  # 1/500 and 1/400


def test_bridges_that_hardly_overlap_are_doubted_whatever_their_error():
    """Of 4,000 rows the draws of the prior know next to nothing."""
    many = BinaryRows(FEW.rows, 4000 * FEW.counts)
    settings = langevin.Settings(**{"expectations": "exact", "likelihood": "exact"} | LENGTHS | {"smallest_step": 0.01})
    found = langevin.score(MODEL, many, settings, Stream(1))
    for name in ("bridge_geometric", "bridge_optimal"):
        assert found[name].effective_sample_size < langevin.FEWEST
        assert Doubt.FEW_EFFECTIVE_SAMPLES in found[name].doubt
