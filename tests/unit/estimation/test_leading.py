"""Claim: a sampler that is made for a model goes on, and comes to its error, before others begin, within its share.

Without the share, or where it does not lead, the next begins after its first run.
"""

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.estimation import certifying
from ockham.estimation.sources import Source, Sources


def scorers(evidence_of_run, leads, other):
    """Those that were run, in their order, where the first has twice the work in every run."""
    first = Source(
        "ais",
        {"ais": Estimator("u", over_runs="mean")},
        lambda index: ({}, {"ais": evidence_of_run(index)}),
        grows=True,
        two_sided=True,
        leads=leads,
    )
    second = Source("bridge", {"bridge": Estimator("m", over_runs="median")}, lambda index: ({}, {"bridge": other}))
    (found,), _ = certifying.certify([Sources(None, [], [first, second])], 0.1, 60)
    return [run.scorer for run in found.runs]


def test_it_goes_on_while_it_is_doubted_and_its_runs_take_no_large_part_of_the_time(monkeypatch):
    def becomes_known(index):
        return Evidence(0.0, 0.05, doubt=NO_DOUBT if index >= 4 else Doubt.FEW_EFFECTIVE_SAMPLES)

    def ran(leads):
        return scorers(becomes_known, leads, Evidence(0.0, 0.05, doubt=Doubt.NOT_MIXED))

    assert ran(True)[:7] == ["ais"] * 6 + ["bridge"]  # of the last two that agree no doubt is left
    assert ran(False)[:2] == ["ais", "bridge"]
    monkeypatch.setattr(certifying, "LEADING_SHARE", 0.0)
    assert ran(True)[:2] == ["ais", "bridge"]


def test_it_comes_to_its_error_before_others_check_it():
    def ran(leads):
        return scorers(lambda index: Evidence(0.0, 0.3 * 0.5 ** (index / 2)), leads, Evidence(0.0, 0.05))

    assert ran(True)[:6] == ["ais"] * 5 + ["bridge"]
    assert ran(False)[:2] == ["ais", "bridge"]
