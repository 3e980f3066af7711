"""Fits beside the evidence are those of ``ockham.score``, and statistics are taken at the MAP fit.

Source of truth: ``ockham.score`` with the same seed.
"""

import numpy as np
import pytest

import ockham
from ockham.networks.classes.fits import ESTIMATES, fit
from ockham.networks.inference import em
from ockham.networks.inference.likelihoods import log_joints
from ockham.networks.scorers.em import Settings as Search
from ockham.streams import Stream

ROWS = np.random.default_rng(1).integers(0, 2, (30, 4))
NETWORK = ockham.naive_bayes([3], [2] * 4)["classes-3"]
DATA = ockham.UniqueRows.of(ROWS, [2] * 4)


@pytest.mark.filterwarnings("ignore:bicp?. unknown")
@pytest.mark.parametrize("n_classes", [1, 3])
def test_scores_are_those_of_score(n_classes):
    """But for what bounds say against one of them: numbers of classes are compared by a criterion all the same."""
    network = ockham.naive_bayes([n_classes], [2] * 4)[f"classes-{n_classes}"]
    found = fit(network, DATA, 7)
    expected = ockham.score(network, ROWS, "em", seed=7) | ockham.score(network, ROWS, "vb", seed=7)
    assert list(found.scores) == list(ESTIMATES) == ["map", "bic", "cheeseman_stutz", "variational_bayes"]
    for name in ESTIMATES:
        assert found.scores[name].log_evidence == expected[name].log_evidence
        assert found.scores[name].n_evaluations == expected[name].n_evaluations
        assert found.scores[name].doubt == expected[name].doubt & ~ockham.Doubt.BELOW_BOUND


def test_the_parameters_are_those_of_the_highest_posterior():
    runs = [em.search(NETWORK, DATA, Stream(7, "run", run), Search()) for run in range(3)]
    heights = log_joints(NETWORK, DATA, np.log([run.parameters for run in runs]))
    assert np.ptp(heights) > 0
    found = fit(NETWORK, DATA, 7).parameters
    assert log_joints(NETWORK, DATA, np.log(found[None]))[0] == heights.max()
