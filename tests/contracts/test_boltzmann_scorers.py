"""Every scorer of restricted Boltzmann machines keeps the contract of test_scorers.py, with a machine for a network.

Sources of truth: the declarations in ``ESTIMATES``; the same data in another order. A scorer added to the registry is
tested without a line here but for settings that make it quick.
"""

from math import isfinite, isnan

import numpy as np
import pytest

from ockham.contracts import Evidence
from ockham.errors import DataError
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.machines.scorers import BOLTZMANN_SCORERS
from ockham.streams import Stream

every_scorer = pytest.mark.parametrize("scorer", BOLTZMANN_SCORERS)
MODEL = RestrictedBoltzmann(3, 2)
ROWS = (np.random.default_rng(1).random((30, 3)) < [0.2, 0.5, 0.6]).astype(int)
FIT = {"n_steps": 300, "n_samples": 1000}
QUICK = {
    "ais": {"n_steps": 20, "n_chains": 3, "n_tuning": 4},
    "laplace": FIT,
    "bic": FIT,
    "cross_validation": FIT,
    "langevin": FIT | {"n_step_sizes": 1, "n_burn_in": 50, "n_draws": 20, "interval": 2, "n_prior_draws": 100},
}


def run(scorer, rows=ROWS, run=0):
    module = BOLTZMANN_SCORERS[scorer]
    settings = module.Settings(**QUICK.get(scorer, {}))
    return module.score(MODEL, BinaryRows.of(rows), settings, Stream(5, "contract", run))


def values(evidences):
    """Bits of every number of a result."""
    return {
        name: (float(e.log_evidence).hex(), float(e.standard_error).hex(), e.n_evaluations, dict(e.diagnostics))
        for name, e in evidences.items()
    }


def test_no_two_scorers_share_the_name_of_an_estimate():
    names = [name for module in BOLTZMANN_SCORERS.values() for name in module.ESTIMATES]
    assert len(names) == len(set(names))


@every_scorer
def test_results_are_named_and_typed_and_decided_by_the_stream(scorer):
    found = run(scorer)
    assert set(found) == set(BOLTZMANN_SCORERS[scorer].ESTIMATES)
    for evidence in found.values():
        assert isinstance(evidence, Evidence)
        assert isfinite(evidence.log_evidence)
        assert isnan(evidence.standard_error) or evidence.standard_error >= 0
        assert isinstance(evidence.n_evaluations, int)
        assert evidence.n_evaluations > 0
        assert all(isinstance(name, str) and isfinite(value) for name, value in evidence.diagnostics.items())
    assert values(run(scorer)) == values(found)
    assert values(run(scorer, np.random.default_rng(2).permutation(ROWS))) == values(found)
    assert values(run(scorer, run=1)) != values(found)


@every_scorer
def test_data_of_another_width_are_refused(scorer):
    with pytest.raises(DataError, match="2 columns, the model 3 visible units"):
        run(scorer, ROWS[:, :2])
