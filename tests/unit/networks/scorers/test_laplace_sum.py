"""Claim: Laplace summed over local maxima counts every maximum once, and nothing else.

Truth: single fits from the same starts, each scored by ``curvature``. A sum that counts each fit must fail.
"""

import numpy as np
import pytest

from ockham.contracts import Doubt, Evidence
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_starts
from ockham.networks.inference import curvature, em
from ockham.networks.scorers import laplace, laplace_sum
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

ROWS = np.random.default_rng(3).integers(0, 2, (40, 6))
DATA = UniqueRows.of(ROWS, [2] * 6)
SETTINGS = laplace_sum.Settings(n_maxima=60, n_starts=8, tolerance=1e-10)


def network(k):
    return naive_bayes([k], [2] * 6)[f"classes-{k}"]


def by_hand(k, decimals):
    """Log of the sum over fits whose objectives differ when rounded."""
    net, stream = network(k), Stream(1)
    fits = [em.search(net, DATA, stream, SETTINGS)] + [
        em.run(net, DATA, start, net.prior, **SETTINGS.limits(DATA.n))
        for start in sample_starts(net, stream.child("maxima"), 60)
    ]
    distinct = {round(fit.objective, decimals): fit for fit in fits}
    found = [curvature.laplace_scores(net, DATA, fit)["laplace"] for fit in distinct.values()]
    return len(distinct), np.logaddexp.reduce([e.log_evidence for e in found if Doubt.NOT_A_MODE not in e.doubt])


def test_every_maximum_counts_once():
    n, expected = by_hand(3, 2)
    found = laplace_sum.score(network(3), DATA, SETTINGS, Stream(1))["laplace_sum"]
    assert 1 < n < 60
    assert found.log_evidence == pytest.approx(expected, abs=0.05)
    assert 1 < found.diagnostics["n_maxima"] <= n


def test_a_sum_over_fits_is_noticed(monkeypatch):
    _, expected = by_hand(2, 2)
    monkeypatch.setattr(laplace_sum, "ALIKE", -1.0)
    found = laplace_sum.score(network(2), DATA, SETTINGS, Stream(1))["laplace_sum"]
    assert found.log_evidence > expected + 1


def test_it_is_at_least_its_highest_term_which_is_at_least_that_of_the_fit():
    one = laplace.score(network(3), DATA, laplace.Settings(n_starts=8, tolerance=1e-10), Stream(1))
    many = laplace_sum.score(network(3), DATA, SETTINGS, Stream(1))
    for name, evidence in one.items():
        highest, total = (many[f"{name}_{kind}"].log_evidence for kind in ("highest", "sum"))
        assert evidence.log_evidence - laplace_sum.ALIKE <= highest < total  # fits to one maximum end so near to it
        assert total < highest + np.log(many["laplace_sum"].diagnostics["n_maxima"])


def test_what_is_no_maximum_is_no_term():
    found = laplace_sum._highest([Evidence(-1.0, doubt=Doubt.NOT_A_MODE), Evidence(float("nan"))])
    assert np.isnan(found.log_evidence)
    assert found.doubt == Doubt.NOT_A_MODE
    assert laplace_sum._highest([Evidence(-1.0, doubt=Doubt.NOT_A_MODE), Evidence(-2.0)]).log_evidence == -2.0
