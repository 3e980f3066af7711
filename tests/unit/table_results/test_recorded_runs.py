"""What stored runs say together is what ``certify`` says of them, also of an error that sees both directions."""

from ockham.contracts import Doubt, Evidence
from ockham.table_results.recorded_runs import RecordedRuns


def of_one_run(estimate):
    """Few passes, and nothing else, with a small error."""
    key = (estimate, 0)
    return RecordedRuns("discrete_network", {key: Evidence(-1.0, 0.05, degrees_of_freedom=7.0)}, {key: 1.0}, {})


def test_one_run_in_both_directions_may_stand_alone():
    found = of_one_run("tempered_sequential_monte_carlo").certified(0.1)
    assert (found.scorer, found.reached) == ("tempered_smc", True)


def test_one_run_in_one_direction_may_not():
    for estimate in ("sequential_monte_carlo", "ais_completions"):
        assert of_one_run(estimate).certified(0.1).doubt == Doubt.UNCHECKED
