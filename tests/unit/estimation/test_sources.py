"""What the runs of a source say together is made once after each run, however often it is asked for.

Truth: the same runs combined by hand; chains that found one of two modes, whose mean is known. Weights by the errors of
runs are the control that must fail.
"""

import numpy as np
import pytest

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation import sources
from ockham.estimation.certifying import certify
from ockham.estimation.combining import combine_runs
from ockham.estimation.growing import weighted_mean
from ockham.estimation.sources import Run, Source, Sources

MEAN = Estimator("AIS", over_runs="mean")


def run(index, value, error=0.1, doubt=NO_DOUBT):
    known = {"effective_sample_size": 40.0, "degrees_of_freedom": 10.0}
    return Run("ais", "ais", {}, index, Evidence(value, error, 2**index, doubt=doubt, **known), 1.0)


def grown(*runs, about=MEAN, two_sided=False):
    source = Source("ais", {"ais": about}, lambda index: ({}, {}), True, two_sided=two_sided)
    for index, each in enumerate(runs):
        source.add([run(index, *each)])
    return source.estimate


def test_runs_are_combined_once_after_each(monkeypatch):
    n_calls = 0

    def counted(*given):
        nonlocal n_calls
        n_calls += 1
        return combine_runs(*given)

    monkeypatch.setattr(sources, "combine_runs", counted)
    source = Source("ais", {"ais": MEAN}, lambda index: ({}, {}))
    for n, value in enumerate([-3.0, -3.1, -2.9]):
        source.add([run(n, value)])
        found = [source.estimate for _ in range(5)]
        alone = combine_runs(source.estimator, [each.evidence for each in source.runs])
        assert {each.log_evidence for each in found} == {alone.log_evidence}
    assert n_calls == 2


def test_the_last_three_runs_that_grow_stand_for_all_by_their_work():
    values, errors = np.array([-3.1, -3.0, -2.9]), np.array([0.08, 0.06, 0.04])
    found = grown((-9.0, 0.1), *zip(values, errors, strict=True))
    weights = np.array([1, 2, 4]) * np.exp(values)
    assert found.log_evidence == pytest.approx(np.log(weights.sum() / 7))
    assert found.standard_error == pytest.approx(np.sqrt(((weights * errors) ** 2).sum()) / weights.sum())
    parts = (weights * errors) ** 2
    assert found.degrees_of_freedom == pytest.approx(parts.sum() ** 2 / (parts**2 / 10).sum())
    assert found.effective_sample_size == pytest.approx(weights.sum() ** 2 / (weights**2 / 40).sum())
    assert found.n_evaluations == 2 + 4 + 8


@pytest.mark.parametrize(
    "first", [(-3.0, 0.1, Doubt.FEW_EFFECTIVE_SAMPLES), (-4.0, 0.1)], ids=["doubted", "another value"]
)
def test_where_one_of_them_is_of_no_use_the_last_stands_alone(first):
    assert grown(first, (-3.0, 0.1), (-2.9, 0.1)).log_evidence == -2.9
    assert grown((-3.0, 0.1), first, (-2.9, 0.1), (-2.9, 0.1)).log_evidence == -2.9


@pytest.mark.parametrize("more", [{"two_sided": True}, {"about": Estimator("Bridge", over_runs="median")}])
def test_what_errs_alike_in_every_run_is_not_made_smaller(more):
    assert grown((-3.0, 0.1), (-3.0, 0.1), (-2.9, 0.1), **more).standard_error == 0.1


def test_a_run_that_is_doubted_makes_all_unknown():
    assert not grown((-3.0, 0.1), (-3.0, 0.1), (-2.9, 0.1, Doubt.FEW_EFFECTIVE_SAMPLES)).trusted


def two_estimates(first, doubt=NO_DOUBT):
    """A bridge, and what is unbiased of the same chains."""
    estimators = {"bridge": Estimator("Bridge", over_runs="median"), "ais": MEAN}

    def each(index):
        return {}, {"bridge": Evidence(first, 0.1, doubt=doubt), "ais": Evidence(-4.0 + index, 0.1)}

    return Source("both", estimators, each)


def test_the_first_estimate_stands_for_a_source_and_the_unbiased_one_beside():
    source = two_estimates(-3.0)
    assert source.is_unbiased
    assert source.unbiased is None
    for index in range(2):
        source.add([Run("both", name, {}, index, each, 1.0) for name, each in source.run(index)[1].items()])
    assert source.estimate.log_evidence == -3.0
    assert source.unbiased.log_evidence == pytest.approx(np.log((np.exp(-4.0) + np.exp(-3.0)) / 2))
    assert len(source.runs) == 2


def test_an_unbiased_estimate_beside_a_doubted_one_is_a_bound():
    """By the inequality of Markov; the other is none, whatever it says."""
    found, _ = certify([Sources(None, [], [two_estimates(9.0, Doubt.NOT_MIXED)])], 0.1, 60)
    assert not found[0].trusted
    assert -8.0 < found[0].at_least < -2.0


def test_weights_by_work_have_no_bias_and_weights_by_errors_have():
    """Each of the twenty chains of a run finds a mode of a hundred times the mass of the other, or does not."""
    rng = np.random.default_rng(1)
    weights = np.where(rng.random((4000, 3, 20)) < 0.2, 5.0, 0.05)
    means, errors = weights.mean(axis=-1), weights.std(axis=-1, ddof=1) / np.sqrt(weights.shape[-1])
    truth = 0.2 * 5 + 0.8 * 0.05

    def deviate(of):
        """Of the mean evidence from the truth."""
        pooled = [
            np.exp(weighted_mean([Evidence(np.log(m), e / m) for m, e in zip(*each, strict=True)], w).log_evidence)
            for *each, w in zip(means, errors, of, strict=True)
        ]
        return (np.mean(pooled) - truth) / (np.std(pooled) / np.sqrt(len(pooled)))

    assert abs(deviate(np.tile([1.0, 2.0, 4.0], (4000, 1)))) < 4
    assert deviate(1 / np.maximum(errors, 1e-3) ** 2) < -20
