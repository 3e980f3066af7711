"""What stored runs say together is what ``certify`` says of them, also of an error that sees both directions."""

import pytest

from ockham.contracts import Doubt, Evidence
from ockham.table_results.recorded_runs import RecordedRuns


def of_runs(estimate, n):
    """Few passes, and nothing else, with a small error; n times."""
    keys = [(estimate, k) for k in range(n)]
    each = Evidence(-1.0, 0.05, degrees_of_freedom=7.0)
    return RecordedRuns("discrete_network", dict.fromkeys(keys, each), dict.fromkeys(keys, 1.0), {})


def test_two_runs_in_both_directions_may_stand_alone():
    found = of_runs("tempered_sequential_monte_carlo", 2).certified(0.1)
    assert (found.scorer, found.reached) == ("tempered_smc", True)


@pytest.mark.parametrize(
    ("estimate", "n"),
    [("tempered_sequential_monte_carlo", 1), ("sequential_monte_carlo", 2), ("ais_completions", 2)],
)
def test_one_run_or_two_in_one_direction_may_not(estimate, n):
    assert of_runs(estimate, n).certified(0.1).doubt == Doubt.UNCHECKED
