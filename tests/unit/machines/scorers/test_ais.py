"""Claim: without a number of steps, pilot chains find one that most chains count with, the same for all runs.

A few steps, with which two of twenty chains count, must not pass for it; nor must a pilot go the other way for chains
from a draw of the posterior.
"""

import numpy as np

from ockham.contracts import NO_DOUBT
from ockham.estimation import pilot_chains
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import ais
from ockham.streams import Stream


def test_steps_are_found_once_for_all_runs_and_both_directions(monkeypatch):
    found, rng = [], np.random.default_rng(1)
    monkeypatch.setattr(ais, "LEAST_STEPS", 4)
    monkeypatch.setattr(ais, "steps", lambda *of: found.append(pilot_chains.steps(*of)) or found[-1])
    model, data = RestrictedBoltzmann(3, 2), BinaryRows.of((rng.random((30, 3)) < [0.2, 0.5, 0.9]).astype(np.int8))

    def run(seed, start=None, **settings):
        settings = ais.Settings(n_chains=20, **settings)
        return ais.score(model, data, settings, Stream(1, "run", seed), start)["annealed_importance_sampling"]

    few = run(1, n_steps=4)
    first, second = run(1), run(2)
    pilot_chains._found.cache_clear()
    back = run(3, model.sample(rng))
    given, (n_steps, n_pilot, _), *others = found
    assert given == (4, 0, NO_DOUBT)
    assert others == [(n_steps, n_pilot, NO_DOUBT)] * 2
    assert few.effective_sample_size < 5
    assert min(first.effective_sample_size, second.effective_sample_size) > 16
    assert 4 < n_steps < 2**14
    assert first.n_evaluations == back.n_evaluations == 20 * (10 * n_steps + 1) + 10 * n_pilot
    assert first.log_evidence == run(1, n_steps=n_steps).log_evidence != second.log_evidence
