"""Successive halving, against the same done by hand, and the scores of an ML fit where nothing is hidden."""

import numpy as np
import pytest
from scipy.special import xlogy

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_starts
from ockham.networks.inference import em
from ockham.networks.inference.em import Search
from ockham.networks.scorers import em_ml, exact
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

NETWORK = naive_bayes([3], [2, 3, 2, 2], 0.3)["classes-3"]
ROWS = np.random.default_rng(5).integers(0, [2, 3, 2, 2], size=(40, 4))
DATA = UniqueRows.of(ROWS, [2, 3, 2, 2])


@pytest.mark.parametrize("starts", ["prior", "uniform"])
@pytest.mark.parametrize("maximum_likelihood", [False, True])
def test_the_better_half_goes_on_after_1_2_and_4_steps(starts, maximum_likelihood):
    settings = Search(n_starts=8, starts=starts, max_iterations=30, tolerance=1e-9, relative_tolerance=1e-7)
    prior = np.zeros(NETWORK.n_entries) if maximum_likelihood else NETWORK.prior
    width = NETWORK.prior if starts == "prior" else np.ones(NETWORK.n_entries)
    kept = list(sample_starts(NETWORK, Stream(4), 8, width))
    for n_steps in (1, 2, 4):
        fits = [em.run(NETWORK, DATA, start, prior, max_iterations=n_steps, tolerance=0.0) for start in kept]
        best = np.argsort([-fit.objective for fit in fits], kind="stable")[: len(fits) // 2]
        kept = [fits[i].log_parameters for i in best]
    expected = em.run(NETWORK, DATA, kept[0], prior, **settings.limits(DATA.n))
    found = em.search(NETWORK, DATA, Stream(4), settings, prior)
    assert found.objective == expected.objective
    assert found.n_evaluations == 8 * 2 + 4 * 3 + 2 * 5 + expected.n_iterations + 1


def test_scores_of_an_ml_fit_without_hidden_variables_have_closed_forms():
    network = naive_bayes([1], [2, 3, 2, 2], 0.3)["classes-1"]
    found = em_ml.score(network, DATA, em_ml.Settings(), Stream(1))
    likelihood = sum(xlogy(c, c / 40).sum() for c in (np.bincount(column) for column in ROWS.T))
    assert found["maximum_likelihood"].log_evidence == pytest.approx(likelihood, rel=1e-12)
    assert found["bic_ml"].log_evidence == pytest.approx(likelihood - 5 / 2 * np.log(40), rel=1e-12)
    closed = exact.score(network, DATA, exact.Settings(), Stream(1))["exact"].log_evidence
    assert found["cheeseman_stutz_ml"].log_evidence == pytest.approx(closed, rel=1e-12)
