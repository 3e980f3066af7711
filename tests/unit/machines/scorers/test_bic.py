"""Claim: the criterion is the highest log likelihood less half of ln n for every parameter.

Truth: data with the frequencies of independent units, whose ML fit is known in closed form.
"""

from math import log

import numpy as np
import pytest

from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, states
from ockham.machines.scorers import bic
from ockham.streams import Stream


def test_independent_units_have_a_closed_form():
    frequencies = np.array([0.2, 0.5, 0.75])
    rows = states(3)
    probabilities = np.prod(np.where(rows == 1, frequencies, 1 - frequencies), axis=1)
    data = BinaryRows(rows, np.round(400 * probabilities).astype(np.int64))
    assert data.n == 400
    model = RestrictedBoltzmann(3, 1)
    found = bic.score(model, data, bic.Settings(expectations="exact"), Stream(1, "bic"))
    highest = 400 * float(probabilities @ np.log(probabilities))
    assert found["bic_ml"].log_evidence == pytest.approx(highest - 7 / 2 * log(400), abs=1e-4)
    density = found["bic_ml_prior"].log_evidence - found["bic_ml"].log_evidence
    assert density < -7 / 2 * log(2 * np.pi)
