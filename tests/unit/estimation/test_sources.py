"""What the runs of a source say together is made once after each run, however often it is asked for."""

from ockham.contracts import Estimator, Evidence
from ockham.estimation import sources
from ockham.estimation.combining import combine_runs
from ockham.estimation.sources import Run, Source


def run(index, value):
    return Run("ais", "ais", {}, index, Evidence(value, 0.1), 1.0)


def test_runs_are_combined_once_after_each(monkeypatch):
    n_calls = 0

    def counted(*given):
        nonlocal n_calls
        n_calls += 1
        return combine_runs(*given)

    monkeypatch.setattr(sources, "combine_runs", counted)
    source = Source("ais", {"ais": Estimator("AIS", over_runs="mean")}, lambda index: ({}, {}))
    for n, value in enumerate([-3.0, -3.1, -2.9]):
        source.runs.append(run(n, value))
        found = [source.estimate for _ in range(5)]
        alone = combine_runs(source.estimator, [each.evidence for each in source.runs])
        assert {each.log_evidence for each in found} == {alone.log_evidence}
    assert n_calls == 2
