"""Minus WBIC is the mean log likelihood at 1 / ln n within its Monte Carlo error, which is no error of the evidence.

Chains that differ are doubted.

Sources of truth: the closed form where nothing is hidden, beside the exact evidence; draws of the prior weighted by the
likelihood; chains of which one is elsewhere. A mean at another temperature misses both.
"""

from math import isnan, log

import numpy as np
import pytest
from reference.enumeration import complete_log_evidence
from reference.network import rows_of_cells
from scipy.special import digamma

import ockham
from ockham.contracts import Doubt
from ockham.networks.data.ancestral_sampling import draw
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.likelihoods import log_likelihoods
from ockham.networks.scorers import wbic
from ockham.networks.structure_space import bipartite, naive_bayes
from ockham.streams import Stream

COMPLETE = DiscreteNetwork.build({"a": 2, "b": 3, "c": 2}, {"b": ["a"], "c": ["a", "b"]})
HIDDEN = bipartite([2, 2], [2, 2, 2])["12-12-12"]


def scored(network, data, seed=1, **settings):
    return wbic.score(network, data, wbic.Settings(**settings), Stream(seed, "wbic"))["wbic"]


def error_of(found):
    return found.diagnostics["monte_carlo_error"]


def complete(n):
    """Rows of ``COMPLETE``, and its counts."""
    rng = np.random.default_rng(3)
    states = draw(COMPLETE, np.exp(sample_log(COMPLETE, rng, np.full(COMPLETE.n_entries, 5.0))), n, rng)
    counts = np.zeros(COMPLETE.n_entries)
    np.add.at(counts, COMPLETE.offsets[:-1] + states @ COMPLETE.strides.T, 1.0)
    return UniqueRows.of(states, COMPLETE.cardinalities), counts


def tempered(counts, beta):
    """The mean log likelihood of complete data."""
    posterior = COMPLETE.prior + beta * counts
    return sum(
        counts[row] @ (digamma(posterior[row]) - digamma(posterior[row].sum())) for row in rows_of_cells(COMPLETE)
    )


def table():
    rng = np.random.default_rng(4)
    return UniqueRows.of(draw(HIDDEN, np.exp(sample_log(HIDDEN, rng)), 30, rng)[:, HIDDEN.observed], [2] * 3)


def by_weighted_draws(network, data, beta, n=300_000):
    rng = np.random.default_rng(5)
    logs = log_likelihoods(network, data, np.array([sample_log(network, rng) for _ in range(n)]))
    weights = np.exp(beta * (logs - logs.max()))
    mean = float(weights @ logs / weights.sum())
    return mean, float(np.sqrt((weights**2) @ (logs - mean) ** 2) / weights.sum())


@pytest.mark.parametrize("n", [2, 20, 500])
def test_without_hidden_variables_it_is_the_closed_form(n):
    data, counts = complete(n)
    found = scored(COMPLETE, data, error=0.1)
    assert found.trusted
    assert error_of(found) <= 0.1
    assert abs(found.log_evidence - tempered(counts, 1 / log(n))) < 4 * error_of(found)
    if n > 2:
        assert abs(found.log_evidence - tempered(counts, 1.0)) > 4 * error_of(found)


def test_of_a_regular_model_its_distance_from_the_evidence_does_not_grow_with_ln_n():
    """That of the highest likelihood does, by 11 / 2 ln 100 here; what is left is of the order of sqrt(ln n)."""
    apart, likelihood = [], []
    for n in (500, 50_000):
        counts = complete(n)[1]
        evidence = complete_log_evidence(COMPLETE, counts)
        apart.append(tempered(counts, 1 / log(n)) - evidence)
        highest = sum(counts[row] @ np.log(counts[row] / counts[row].sum()) for row in rows_of_cells(COMPLETE))
        likelihood.append(highest - evidence)
    assert np.ptp(likelihood) == pytest.approx(11 / 2 * log(100), rel=0.1)
    assert np.ptp(apart) < np.ptp(likelihood) / 5


def test_its_error_holds():
    """Over streams: z values of mean 0 and standard deviation 1, about."""
    data = table()
    truth, error = by_weighted_draws(HIDDEN, data, 1 / log(30))
    assert error < 0.03
    found = [scored(HIDDEN, data, seed, error=0.25) for seed in range(40)]
    z = np.array([(each.log_evidence - truth) / np.hypot(error_of(each), error) for each in found])
    assert abs(z.mean()) < 4 / np.sqrt(len(z))
    assert 0.6 < z.std(ddof=1) < 1.5
    assert all(each.trusted for each in found)


def test_it_has_no_error_of_the_evidence():
    """Neither a run nor several together: that of its mean is a small part of how far it is from the evidence."""
    data, counts = complete(500)
    found = scored(COMPLETE, data, error=0.1)
    assert isnan(found.standard_error)
    assert abs(found.log_evidence - complete_log_evidence(COMPLETE, counts)) > 4 * error_of(found)
    several = ockham.score(HIDDEN, np.random.default_rng(6).integers(0, 2, (20, 3)), "wbic", runs=3)["wbic"]
    assert several.trusted
    assert isnan(several.standard_error)


def test_another_temperature_is_noticed(monkeypatch):
    data = table()
    truth, error = by_weighted_draws(HIDDEN, data, 1 / log(30))
    monkeypatch.setattr(wbic, "log", lambda n: 1.3 * log(n))
    found = scored(HIDDEN, data, error=0.1)
    assert abs(found.log_evidence - truth) > 4 * np.hypot(error_of(found), error)


def test_chains_go_on_until_the_error_is_reached():
    data = table()
    rough, fine, stopped = (
        scored(HIDDEN, data, **given) for given in ({"error": 1.0}, {"error": 0.05}, {"error": 0.05, "max_steps": 100})
    )
    assert rough.diagnostics["n_steps"] == 50 < fine.diagnostics["n_steps"]
    assert error_of(fine) <= 0.05 < error_of(stopped)
    assert stopped.diagnostics["n_steps"] == 100
    assert rough.n_evaluations < stopped.n_evaluations < fine.n_evaluations


def test_chains_that_differ_are_doubted(monkeypatch):
    """One of them at other log likelihoods, as if it kept to a mode of its own."""
    right, calls = wbic.tempered_gibbs.run, []

    def run(*given):
        calls.append(given)
        end = right(*given)
        apart = 3.0 if len(calls) % 4 == 0 else 0.0
        return wbic.tempered_gibbs.State(end.log_parameters, end.log_likelihoods + apart, end.share)

    monkeypatch.setattr(wbic.tempered_gibbs, "run", run)
    found = scored(HIDDEN, table(), max_steps=200)
    assert Doubt.NOT_MIXED in found.doubt
    assert found.diagnostics["scale_reduction"] > 1.05
    assert found.diagnostics["n_steps"] == 200


def test_few_effective_draws_are_doubted():
    short, long = (scored(HIDDEN, table(), n_steps=10, max_steps=steps, error=10.0) for steps in (10, 3200))
    assert Doubt.FEW_EFFECTIVE_SAMPLES in short.doubt
    assert short.effective_sample_size < 100 < long.effective_sample_size
    assert long.trusted


def test_sparse_priors_are_doubted():
    sparse, flat = (naive_bayes([2], [2, 2], prior)["classes-2"] for prior in (0.05, 1.0))
    assert wbic.doubted(sparse) == Doubt.NOT_MIXED
    data = UniqueRows.of(np.tile([[0, 1], [1, 1], [1, 0]], (4, 1)), [2, 2])
    assert Doubt.NOT_MIXED in scored(sparse, data).doubt
    assert not wbic.doubted(flat)
    assert not wbic.doubted(naive_bayes([1], [2, 2], 0.05)["classes-1"])


def test_of_one_row_there_is_none_and_of_no_value_it_is_0():
    one = UniqueRows.of([[0, 1, 1]], [2] * 3)
    assert isnan(scored(HIDDEN, one).log_evidence)
    with pytest.warns(ockham.OckhamWarning, match="wbic"):
        assert not ockham.score(HIDDEN, [[0, 1, 1]], "wbic")["wbic"].trusted
    nothing = UniqueRows.of(np.full((3, 3), -1), [2] * 3, missing=True)
    assert scored(HIDDEN, nothing).log_evidence == 0.0


def test_hidden_variables_without_observed_descendants_change_nothing():
    more = DiscreteNetwork.build({"g": 3, "h": 2, "x": 3, "y": 2}, {"x": ["h"], "y": ["h"]}, ["g", "h"])
    less = DiscreteNetwork.build({"h": 2, "x": 3, "y": 2}, {"x": ["h"], "y": ["h"]}, ["h"])
    data = UniqueRows.of(np.random.default_rng(1).integers(0, [3, 2], (12, 2)), [3, 2])
    assert repr(scored(more, data)) == repr(scored(less, data))  # NaN is not equal to NaN
