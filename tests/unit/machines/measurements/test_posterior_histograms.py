"""Claim: each density is one of the parameters of the same posterior, in the same bins.

Truth: a narrow prior, which a few rows leave as it is: a Gaussian of known deviation. A wider one is told apart.
"""

import numpy as np
import pytest

from ockham.contracts import Draw
from ockham.machines.family import FAMILY
from ockham.machines.measurements import posterior_histograms
from ockham.papers.chen_welling_2013.figure_5 import LOOKS
from ockham.studies.grids import study_class

ROWS = (np.random.default_rng(1).random((10, 3)) < 0.4).astype(np.int16)


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    monkeypatch.setattr(posterior_histograms, "N_DRAWS", 150)
    monkeypatch.setattr(posterior_histograms, "N_BURN_IN", 40)


def deviations(deviation):
    """Of every density, by its bins; shape (distribution, parameter)."""
    study = study_class(FAMILY)(
        study="narrow", root_seed=1, deviation=deviation, n_hidden=[1], sizes=[10], replicates={"prior_draws": 1},
        data={"source": "simulated", "n_visible": 3, "n_hidden": 1}, scorers={"laplace": {}},
    )  # fmt: skip
    draw = Draw(1, np.full(7, np.nan), ROWS)
    found = posterior_histograms.measure(study, draw, posterior_histograms.Settings())
    assert found.sizes == {"distribution": 3, "parameter": 6, "bin": 40}
    width = found.value.diff("bin").mean("bin")
    np.testing.assert_allclose((found.density * width).sum("bin"), 1, atol=0.01)
    mean = (found.density * found.value * width).sum("bin")
    return np.sqrt((found.density * (found.value - mean) ** 2 * width).sum("bin")).values


def test_all_three_find_a_posterior_that_is_the_prior():
    """Langevin sampling by a finite step is known to be wider by a thirtieth at this step."""
    found = deviations(0.05)
    np.testing.assert_allclose(found[0], 0.05, rtol=0.08)
    np.testing.assert_allclose(found[1], 0.05 / np.sqrt(1 - 0.5**2 / 4), rtol=0.15)
    np.testing.assert_allclose(found[2], 0.05, rtol=0.05)
    assert (deviations(0.06) > 0.05 * 1.08).any()


def test_every_density_has_a_look():
    assert tuple(LOOKS) == posterior_histograms.DISTRIBUTIONS
