"""Scores of machines say when they are not to be trusted, and are not doubted where they are right.

Sources of truth: chains too short to agree; annealing too short to follow; a fit with too few steps; a chain that is
made to diverge.
"""

from dataclasses import replace
from math import nan

import numpy as np
import pytest

from ockham.contracts import Doubt
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import ais, bic, cross_validation, langevin, laplace
from ockham.streams import Stream

MODEL = RestrictedBoltzmann(2, 1)
ROWS = BinaryRows.of((np.random.default_rng(1).random((12, 2)) < [0.1, 0.6]).astype(int))
MANY = BinaryRows(ROWS.rows, 1000 * ROWS.counts)
AIS = "annealed_importance_sampling"
EXACT = {"expectations": "exact"}


def score(scorer, data=ROWS, **settings):
    return scorer.score(MODEL, data, scorer.Settings(**settings), Stream(1))


def test_chains_that_do_not_agree_are_doubted():
    short = {"n_chains": 4, "smallest_step": 0.3, "n_step_sizes": 1, "n_burn_in": 100, "interval": 10} | EXACT
    apart = score(langevin, largest_factor=1.001, n_draws=40, **short)
    for name, evidence in apart.items():
        few = Doubt.FEW_EFFECTIVE_SAMPLES if name.startswith("harmonic") else Doubt(0)
        assert evidence.doubt == Doubt.NOT_MIXED | few
    agreed = score(langevin, n_draws=300, **short)
    assert agreed["dic"].diagnostics["scale_reduction"] < 1.1
    assert all(evidence.trusted for name, evidence in agreed.items() if not name.startswith("harmonic"))


def test_chains_are_held_to_what_as_many_independent_draws_would_agree_by():
    """Ten chains of 30 draws of 65 parameters have a factor of 1.6 though far apart in time; stuck ones one of 100."""
    rng = np.random.default_rng(1)
    model, rows = RestrictedBoltzmann(10, 5), BinaryRows.of((rng.random((20, 10)) < 0.5).astype(int))

    def chains(step):
        lengths = {"n_draws": 30, "n_burn_in": 100, "interval": 100, "smallest_step": step, "n_step_sizes": 1}
        return langevin.score(model, rows, langevin.Settings(**lengths, **EXACT), Stream(1))["dic"]

    apart, stuck = chains(0.5), chains(0.02)
    assert apart.diagnostics["scale_reduction"] > 1.3
    assert Doubt.NOT_MIXED not in apart.doubt
    assert Doubt.NOT_MIXED in stuck.doubt
    assert stuck.diagnostics["independent_scale_reduction"] == apart.diagnostics["independent_scale_reduction"]


def test_harmonic_means_of_a_few_draws_are_doubted():
    """Where chains have mixed, and nothing else tells that these two are nats above what the bridges find."""
    few = BinaryRows.of((np.random.default_rng(1).random((40, 2)) < [0.02, 0.95]).astype(int))
    lengths = {"n_chains": 4, "smallest_step": 0.1, "n_step_sizes": 1, "n_burn_in": 100, "n_draws": 300}
    lengths |= {"n_prior_draws": 20_000}
    found = langevin.score(RestrictedBoltzmann(2, 1, 0.5), few, langevin.Settings(**lengths, **EXACT), Stream(1))
    for name in ("harmonic_1", "harmonic_4"):
        assert found[name].doubt == Doubt.FEW_EFFECTIVE_SAMPLES
        assert found[name].log_evidence > found["bridge_optimal"].log_evidence + 2
    assert found["harmonic_1"].effective_sample_size < 50
    assert found["bridge_optimal"].trusted
    weak = langevin.score(RestrictedBoltzmann(2, 1, 0.3), ROWS, langevin.Settings(**lengths, **EXACT), Stream(1))
    assert weak["harmonic_1"].effective_sample_size > 50
    assert all(evidence.trusted for evidence in weak.values())


def test_annealing_that_is_too_short_is_doubted():
    long = score(ais, n_steps=200, n_chains=60)[AIS]
    assert long.trusted
    assert long.degrees_of_freedom == 59
    short = score(ais, MANY, n_steps=3, n_chains=60)[AIS]
    assert short.doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert short.effective_sample_size < 30
    assert short.standard_error > 1


def test_a_chain_that_diverges_is_doubted(monkeypatch):
    right, runs = ais.run, []

    def broken(*arguments):
        runs.append(right(*arguments))
        return runs[-1] if len(runs) > 1 else replace(runs[-1], log_weight=nan)

    monkeypatch.setattr(ais, "run", broken)
    found = score(ais, n_steps=200, n_chains=60)[AIS]
    assert found.doubt == Doubt.RUN_FAILED
    assert np.isfinite(found.log_evidence)


@pytest.mark.parametrize("scorer", [bic, cross_validation, laplace])
def test_fits_that_are_stopped_are_doubted(scorer):
    folds = {"n_folds": 3} if scorer is cross_validation else {}
    stopped = score(scorer, max_iterations=1, **EXACT, **folds)
    assert all(Doubt.NOT_CONVERGED in evidence.doubt for evidence in stopped.values())
    if scorer is laplace:
        assert all(evidence.trusted for evidence in score(scorer, **EXACT).values())


def test_one_fold_that_is_stopped_is_enough(monkeypatch):
    right, fits = cross_validation.search, []

    def first_stopped(*given, **named):
        fits.append(right(*given, **named))
        return replace(fits[-1], converged=len(fits) > 1)

    monkeypatch.setattr(cross_validation, "search", first_stopped)
    (found,) = score(cross_validation, n_folds=3, **EXACT).values()
    assert len(fits) == 3
    assert found.doubt == Doubt.NOT_CONVERGED


def test_laplace_at_a_saddle_is_doubted(monkeypatch):
    """No fit stops at one, so the Hessian's eigenvalues are lowered."""
    right = np.linalg.eigh
    monkeypatch.setattr(laplace.np.linalg, "eigh", lambda m: (right(m)[0] - 10.0, right(m)[1]))
    for evidence in score(laplace, **EXACT).values():
        assert evidence.doubt == Doubt.NOT_A_MODE


@pytest.mark.parametrize("scorer", [bic, cross_validation, laplace])
def test_annealed_partition_functions_that_are_not_known_are_doubted(scorer):
    """The error of ln Z counts once for every row, so many rows need a longer schedule than few."""
    sampled = {"partition": "annealed", "n_steps": 100, "n_samples": 2000, "n_annealed": 100}
    sampled |= {"n_folds": 3} if scorer is cross_validation else {}
    for data, n_temperatures, known in ((ROWS, 1000, True), (MANY, 2, False)):
        for evidence in score(scorer, data, n_temperatures=n_temperatures, **sampled).values():
            assert (evidence.diagnostics["monte_carlo_error"] < 0.5) == known
            assert (Doubt.FEW_EFFECTIVE_SAMPLES in evidence.doubt) != known
            assert np.isnan(evidence.standard_error)


def test_the_spread_of_approximations_is_no_error():
    """Runs that end at other maxima, or with other samples, may agree on what is far from the evidence."""
    for scorer in (bic, cross_validation, langevin, laplace):
        assert {estimator.over_runs for estimator in scorer.ESTIMATES.values()} == {"median_without_error"}
