"""Claim: the steps of annealing are as many as chains need that vary by twice as much as the pilot's, and where these
never come close, what rests on them is doubted.

Source of truth: weights made by hand whose spread is known at every number of steps; each scorer that takes the doubt.
"""

from math import ceil, log

import numpy as np
import pytest
from reference.mixed_items import mixture, small_table

from ockham.contracts import NO_DOUBT, Doubt, Settings
from ockham.estimation import completion_annealing, pilot_chains
from ockham.estimation.pilot_chains import Pilot, Steps, steps
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import ais as machines_ais
from ockham.mixtures.scorers import ais as mixtures_ais
from ockham.mixtures.scorers import ais_completions
from ockham.streams import Stream

UNIT = np.array([-1.0, 1.0] * 4) * np.sqrt(7 / 8)
"""Eight weights of the standard deviation 1."""


def pilot(spread, most=10**6, name="a"):
    return Pilot(lambda n_steps, stream: UNIT * spread(n_steps), Settings(), 16, most, 1, (name,))


def test_steps_are_four_times_those_of_the_pilots_own_spread():
    """Of variance 1 / n x 100, nine tenths are effective with 100 / -ln .9 steps."""
    pilot_chains._found.cache_clear()
    found = steps(None, pilot(lambda n_steps: 10 / np.sqrt(n_steps)))
    assert found.n_steps == pytest.approx(4 * 100 / -log(0.9), abs=1)
    assert found.n_pilot == 8 * (16 + 64 + 256)
    assert found.doubt == NO_DOUBT


@pytest.mark.parametrize(("spread", "doubt"), [(0.9, NO_DOUBT), (1.1, Doubt.NOT_MIXED), (np.nan, Doubt.NOT_MIXED)])
def test_a_pilot_that_never_comes_close_is_doubted(spread, doubt):
    """However many the steps; one that is close but wants more than there may be is not."""
    pilot_chains._found.cache_clear()
    found = steps(None, pilot(lambda _: spread, most=100))
    assert found.doubt == doubt
    assert found.n_steps == (64 if doubt else min(100, ceil(16 * (2 * 0.9) ** 2 / -log(0.9))))


def test_given_steps_take_no_pilot():
    assert steps(7, pilot(None)) == Steps(7, 0, NO_DOUBT)


def test_streams_have_the_names_of_the_pilot_and_the_steps():
    found = []
    pilot_chains._found.cache_clear()
    steps(None, Pilot(lambda n, stream: found.append(stream) or UNIT / n, Settings(), 16, 99, 5, ("of", "what")))
    assert [(each.root, each.name) for each in found] == [(5, ("of", "what", 16))]


@pytest.mark.parametrize("n_chains", [1, 2])
@pytest.mark.parametrize("doubt", [NO_DOUBT, Doubt.NOT_MIXED])
@pytest.mark.parametrize(
    ("module", "scorer"),
    [(completion_annealing, ais_completions), (mixtures_ais, mixtures_ais), (machines_ais, machines_ais)],
)
def test_scorers_take_the_doubt(monkeypatch, module, scorer, doubt, n_chains):
    monkeypatch.setattr(module, "steps", lambda *of: Steps(64, 0, doubt))
    model, data = mixture(2), small_table(mixture(2), 1, 4)
    if module is machines_ais:
        model, data = RestrictedBoltzmann(2, 1), BinaryRows.of(np.array([[0, 1], [1, 1]], dtype=np.int8))
    if n_chains == 1 and module is not completion_annealing:
        n_chains = 8  # one chain there is none
    (found,) = scorer.score(model, data, scorer.Settings(n_chains=n_chains), Stream(1)).values()
    assert found.doubt & Doubt.NOT_MIXED == doubt
