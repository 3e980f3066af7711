"""Claim: without a strength AIS finds one by which a quarter of the proposals is accepted at every temperature, and
without a number of steps one by which nearly all chains count; the estimate stays unbiased.

Truth: the exact evidence. A strength that is not tuned misses the acceptance, and fewer steps the effective size.
"""

from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.scorers import ais, exact
from ockham.networks.structure_space import bipartite, bipartite_network
from ockham.streams import Stream

NAME = "annealed_importance_sampling"
NETWORK = bipartite_network([[1], [1, 2], [1, 2], [2]], [2, 2], [5] * 4)


def acceptances(n, **settings):
    """By quarter of the schedule, on n rows of the network."""
    rng = np.random.default_rng(1)
    rows = draw(NETWORK, np.exp(sample_log(NETWORK, rng)), n, rng)[:, list(NETWORK.observed)]
    found = ais.score(NETWORK, UniqueRows.of(rows, [5] * 4), ais.Settings(n_steps=4000, **settings), Stream(1))[NAME]
    return np.array([found.diagnostics[f"acceptance_quarter_{q}"] for q in (1, 2, 3, 4)])


@pytest.mark.parametrize("n", [1, 40, 480, 10_240])
def test_about_a_quarter_is_accepted_in_every_quarter_of_the_schedule(n):
    assert ((acceptances(n) > 0.12) & (acceptances(n) < 0.4)).all()


def test_a_strength_that_is_not_tuned_misses_it():
    assert acceptances(10_240, strength=2200.0)[3] < 0.12
    assert acceptances(40, strength=2200.0)[3] > 0.4


@pytest.mark.parametrize("steps", [{"n_steps": 512}, {}])
def test_the_estimate_is_unbiased(steps):
    network = bipartite([2, 2], [2, 2, 2])["12-12-12"]
    rows = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
    data = UniqueRows.of(rows, [2] * 3)
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    settings = ais.Settings(**steps)
    ratios = np.exp(
        [ais.score(network, data, settings, Stream(1, "run", r))[NAME].log_evidence - truth for r in range(120)]
    )
    assert abs(ratios.mean() - 1) < 4 * ratios.std(ddof=1) / np.sqrt(len(ratios))


def test_the_runs_of_a_cell_share_one_pilot(monkeypatch):
    """Of one model and data set, whatever a run's stream is called; another has its own, and a run alone finds it."""
    tuned, made = ais.annealing.tuned_strengths, []

    def counted(*arguments):
        found = tuned(*arguments)
        made.append(found(np.linspace(0, 1, 20)))
        return found

    monkeypatch.setattr(ais.annealing, "tuned_strengths", counted)
    ais._tuned.cache_clear()
    settings, data = ais.Settings(n_steps=20), [UniqueRows.of([[0, 1, 2, k]] * 30, [5] * 4) for k in (3, 4)]
    found = [ais.score(NETWORK, data[0], settings, Stream(1, "run", run))[NAME] for run in range(4)]
    assert len(made) == 1
    assert len({evidence.log_evidence for evidence in found}) == 4
    ais.score(NETWORK, data[1], settings, Stream(1, "run", 0))
    assert len(made) == 2
    assert (made[0] != made[1]).any()
    assert repr(ais.score(NETWORK, data[0], settings, Stream(1, "run", 3))[NAME]) == repr(found[3])


def spread_and_cost(**settings):
    """Standard deviation of log weights of eight rows, and how often the likelihood was evaluated for one of them."""
    network = bipartite([2, 2], [2, 2, 2])["12-12-12"]
    data, settings = UniqueRows.of(np.arange(24).reshape(8, 3) % 5 % 2, [2] * 3), ais.Settings(**settings)
    found = [ais.score(network, data, settings, Stream(1, "run", run))[NAME] for run in range(48)]
    return np.std([each.log_evidence for each in found], ddof=1), found[0].n_evaluations


def test_the_steps_are_as_many_as_leave_nine_tenths_of_the_chains(monkeypatch):
    """Log-normal weights of which they are left vary by .32; those of the least number of steps vary by more."""
    monkeypatch.setattr(ais, "LEAST_STEPS", 256)
    spread, cost = spread_and_cost()
    assert 0.2 < spread < 0.45
    assert spread_and_cost(n_steps=256)[0] > 0.6
    assert spread_and_cost(max_steps=ais.Settings().max_steps // 2) == (spread, cost)
    monkeypatch.setattr(ais, "LEAST_STEPS", 4096)
    assert spread_and_cost(max_steps=4096)[0] == spread_and_cost(n_steps=4096)[0]


def test_the_runs_of_a_cell_share_their_steps(monkeypatch):
    found, tuned = [], ais.tuned_steps
    monkeypatch.setattr(ais, "tuned_steps", lambda *given: found.append(tuned(*given)) or found[-1])
    ais._tuned.cache_clear()
    data = UniqueRows.of([[0, 1, 2, 3]] * 30, [5] * 4)
    alike = [replace(NETWORK) for _ in range(3)]  # as a study of random networks has them
    runs = [ais.score(alike[run], data, ais.Settings(), Stream(1, "run", run))[NAME] for run in range(3)]
    assert len(found) == 1
    assert len({run.n_evaluations for run in runs}) == 1
    ais._tuned.cache_clear()
    assert repr(ais.score(NETWORK, data, ais.Settings(), Stream(1, "run", 2))[NAME]) == repr(runs[2])
    ais.score(replace(NETWORK, prior=2 * NETWORK.prior), data, ais.Settings(), Stream(1, "run", 2))
    assert len(found) == 3  # another network has its own


def test_a_part_by_the_datum_without_a_strength_is_refused():
    for given in ({"strength_per_datum": 4.0}, {"strength_per_datum": 1e-9, "strength": None}):
        with pytest.raises(ValidationError, match=r"strength_per_datum: is added to a `strength`.*give one too"):
            ais.Settings(**given)
    assert ais.Settings(strength_per_datum=0.0).strength is None
    assert ais.Settings(strength_per_datum=4.0, strength=20.0).strength_per_datum == 4.0


def test_passes_of_tuning_are_counted():
    data = UniqueRows.of([[0, 1, 2, 3]], [5] * 4)
    tuned, given = (
        ais.score(NETWORK, data, ais.Settings(n_steps=100, **of), Stream(1))[NAME].n_evaluations
        for of in ({}, {"strength": 20.0})
    )
    assert tuned > given == 101
