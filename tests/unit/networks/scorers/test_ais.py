"""Claim: without a strength AIS finds one by which a quarter of the proposals is accepted at every temperature, and the
estimate stays unbiased.

Truth: the exact evidence. A strength that is not tuned misses the acceptance.
"""

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


def test_the_estimate_is_unbiased():
    network = bipartite([2, 2], [2, 2, 2])["12-12-12"]
    rows = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
    data = UniqueRows.of(rows, [2] * 3)
    truth = exact.score(network, data, exact.Settings(), Stream(0))["exact"].log_evidence
    settings = ais.Settings(n_steps=512)
    ratios = np.exp(
        [ais.score(network, data, settings, Stream(1, "run", r))[NAME].log_evidence - truth for r in range(120)]
    )
    assert abs(ratios.mean() - 1) < 4 * ratios.std(ddof=1) / np.sqrt(len(ratios))


def test_the_runs_of_a_cell_share_one_pilot(monkeypatch):
    """Of one model and data set, whatever a run's stream is called; another has its own, and a run alone finds it."""
    tuned, made = ais.annealing.tuned_strengths, []

    def counted(network, data, *arguments):
        made.append((network, data, tuned(network, data, *arguments)))
        return made[-1][-1]

    monkeypatch.setattr(ais.annealing, "tuned_strengths", counted)
    ais._tuned.cache_clear()
    settings, data = ais.Settings(n_steps=20), [UniqueRows.of([[0, 1, 2, k]] * 30, [5] * 4) for k in (3, 4)]
    found = [ais.score(NETWORK, data[0], settings, Stream(1, "run", run))[NAME] for run in range(4)]
    assert len(made) == 1
    assert len({evidence.log_evidence for evidence in found}) == 4
    ais.score(NETWORK, data[1], settings, Stream(1, "run", 0))
    assert len(made) == 2
    assert (made[0][-1] != made[1][-1]).any()
    assert repr(ais.score(NETWORK, data[0], settings, Stream(1, "run", 3))[NAME]) == repr(found[3])


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
