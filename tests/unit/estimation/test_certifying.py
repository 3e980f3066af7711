"""Claim: an evidence that is called known has an error that another estimator and the bounds bear out, and time up,
Ctrl-C, refusals and disagreement end in what is known, never in a number.

Sources are made up, so that the truth, 0, is known; the real ones are held against exact values in ``test_evidence``.
"""

import signal
import threading
import time
from math import exp, inf, isnan, log, nan

import pytest

from ockham.contracts import NO_DOUBT, Doubt, Estimator, Evidence
from ockham.errors import ModelError
from ockham.estimation import certifying
from ockham.estimation.sources import Source, Sources

MEDIAN, MEAN, LOWER = (
    Estimator("m", over_runs="median"),
    Estimator("u", over_runs="mean"),
    Estimator("b", bound="lower"),
)


def source(name, value=0.0, error=0.05, doubt=NO_DOUBT, about=MEDIAN, grows=False, before=lambda: None, always=False):
    """Every run has this value, and an error that falls with the square root of the work where the source grows.

    Of one that grows the error is that of four passes.
    """

    def run(index):
        before()
        own, freedom = (error * 0.5 ** (index / 2), 3.0) if grows else (error, inf)
        return {"work": 2**index}, {name: Evidence(value, own, doubt=doubt, degrees_of_freedom=freedom)}

    return Source(name, {name: about}, run, grows, always)


def bound(value):
    return Source("vb", {"vb": LOWER}, lambda index: ({}, {"vb": Evidence(value)}))


def certify(exact, bounds, samplers, *more):
    """The verdict on one model."""
    (found,), _ = certifying.certify([Sources(exact, bounds, samplers)], *more)
    return found


def refuses(index):
    raise ModelError("too much")


def test_two_that_agree_are_known_and_checked():
    found = certify(None, [bound(-3.0)], [source("bridge"), source("smc", 0.2, 0.3, about=MEAN, grows=True)], 0.1, 60)
    assert found.trusted
    assert (found.scorer, found.checked_by, found.check_error) == ("bridge", "smc", 0.3)
    assert found.reached
    assert found.standard_error <= 0.1
    assert found.at_least == pytest.approx(0.2 - 2.9957, abs=1e-3)  # of smc, by the inequality of Markov
    low, high = found.interval(0.95)
    assert low < 0 < high


def test_no_third_is_begun_where_two_agree():
    samplers = [source("bridge", error=0.4), source("tempered_smc", 0.1, 0.3, about=MEAN, grows=True), source("smc")]
    found = certify(None, [], samplers, 0.1, 60)
    assert found.reached
    assert {run.scorer for run in found.runs} == {"bridge", "tempered_smc"}


def test_a_third_is_asked_where_the_second_is_doubted():
    second = source("tempered_smc", doubt=Doubt.NOT_MIXED)
    found = certify(None, [], [source("bridge"), second, source("smc", 0.1, 0.3)], 0.1, 60)
    assert (found.scorer, found.checked_by) == ("bridge", "smc")


def test_a_bound_alone_is_not_shown_as_a_value():
    stop = threading.Event()
    found = certify(None, [bound(-2.0)], [source("bridge", before=stop.wait)], 0.1, 0.3)
    assert str(found) == "at least -2.00 (no run ended in time; allow more seconds)"
    assert found.at_least_probability == 1
    stop.set()


def test_what_came_too_late_is_not_laid_on_the_exact_sum():
    stop, exact = threading.Event(), Source("exact", {"exact": MEDIAN}, refuses)
    found = certify(exact, [], [source("bridge", before=stop.wait)], 0.1, 0.3)
    assert found.reasons == ("no run ended in time; allow more seconds",)
    assert found.refused == {"exact": "too much"}
    stop.set()
    assert certify(exact, [], [Source("bridge", {"bridge": MEDIAN}, refuses)], 0.1, 60).reasons == ("too much",) * 2


def test_what_is_exact_is_taken_alone():
    exact = Source("exact", {"exact": MEDIAN}, lambda index: ({}, {"exact": Evidence(-1.5)}))
    found = certify(exact, [bound(-3.0)], [source("bridge")], 0.1, 60)
    assert (found.log_evidence, found.standard_error, found.scorer) == (-1.5, 0.0, "exact")
    assert [run.scorer for run in found.runs] == ["exact"]
    assert "exact" in str(found)


def test_an_exact_sum_that_refuses_leaves_it_to_the_others():
    found = certify(Source("exact", {"exact": MEDIAN}, refuses), [], [source("bridge"), source("smc")], 0.1, 60)
    assert found.trusted
    assert found.refused == {"exact": "too much"}


def test_two_that_differ_by_more_than_their_errors_are_both_unknown():
    found = certify(None, [bound(-5.0)], [source("bridge"), source("smc", 2.0, 0.3, about=MEAN, grows=True)], 0.1, 60)
    assert isnan(found.log_evidence)
    assert Doubt.RUNS_DIFFER in found.doubt
    assert found.interval() == (found.at_least, inf)
    assert found.at_least == pytest.approx(2.0 - 2.9957, abs=1e-3)
    assert str(found).startswith("at least -1.00 at 95 % (")
    assert found.at_least_probability == 0.95


def test_two_that_differ_by_chance_go_on_until_they_agree():
    """The first run of the second one has too small an error, as a few passes may."""
    ran = iter([Evidence(value, error, degrees_of_freedom=3) for value, error in [(1.0, 0.2), (0.6, 0.1), (0.1, 0.1)]])
    again = Source("smc", {"smc": MEAN}, lambda index: ({}, {"smc": next(ran)}), grows=True)
    found = certify(None, [], [source("bridge"), again], 0.3, 60)
    assert (found.log_evidence, found.scorer, found.checked_by) == (0.0, "bridge", "smc")
    assert [run.evidence.log_evidence for run in found.runs if run.scorer == "smc"] == [1.0, 0.6, 0.1]


def test_two_that_go_on_differing_are_left_at_that():
    found = certify(None, [], [source("bridge"), source("ais", 2.0)], 0.1, 3600)
    assert found.doubt == Doubt.RUNS_DIFFER
    assert [sum(run.scorer == name for run in found.runs) for name in ("bridge", "ais")] == [6, 6]


def test_below_a_proven_bound_is_unknown():
    found = certify(None, [bound(1.0)], [source("bridge")], 0.1, 60)
    assert isnan(found.log_evidence)
    assert found.doubt == Doubt.BELOW_BOUND
    assert found.at_least == 1.0


def test_a_doubted_check_still_bounds_by_the_inequality_of_markov():
    low = source("smc", 5.0, 9.0, Doubt.FEW_EFFECTIVE_SAMPLES, MEAN, grows=True)
    found = certify(None, [], [source("bridge"), low], 0.1, 0.5)
    assert found.doubt == Doubt.BELOW_BOUND


def test_the_one_that_is_not_doubted_grows_until_it_has_the_error():
    doubted = source("bridge", doubt=Doubt.NOT_MIXED)
    found = certify(None, [], [doubted, source("smc", 0.0, 0.8, about=MEAN, grows=True)], 0.1, 60)
    assert (found.scorer, found.checked_by) == ("smc", "")
    assert found.standard_error <= 0.1
    assert [run.settings["work"] for run in found.runs if run.scorer == "smc"] == [1, 2, 4, 8, 16, 32, 64]
    assert sum(run.evidence.standard_error <= 0.2 for run in found.runs if run.scorer == "smc") == 3
    assert sum(run.scorer == "bridge" for run in found.runs) <= 3


ALWAYS = {"doubt": Doubt.NOT_MIXED, "always": True}


def scorers_of(found):
    return [run.scorer for run in found.runs]


def test_what_will_be_doubted_anyway_is_asked_once_and_last():
    """The unbiased one for the bound that its mean is; the other not, for there is nothing that it can tell."""
    late = source("tempered_smc", about=MEAN, grows=True, **ALWAYS)
    found = certify(
        None, [], [source("bridge", **ALWAYS), late, source("smc", error=0.8, about=MEAN, grows=True)], 0.1, 60
    )
    assert (found.scorer, found.checked_by, found.reached) == ("smc", "", True)
    assert scorers_of(found) == ["smc", "tempered_smc", *["smc"] * 6]
    before = certify(None, [], [source("bridge", doubt=Doubt.NOT_MIXED), source("smc", error=0.8, grows=True)], 0.1, 60)
    assert scorers_of(before).count("bridge") == 3  # as it is not known that these are in vain


def test_the_bound_of_what_will_be_doubted_speaks_against_the_others():
    high = source("tempered_smc", 5.0, about=MEAN, grows=True, **ALWAYS)
    found = certify(None, [], [high, source("bridge")], 0.1, 60)
    assert found.doubt == Doubt.BELOW_BOUND
    assert scorers_of(found).count("tempered_smc") == 1


def test_where_nothing_else_is_known_the_reasons_are_of_all():
    few = source("smc", doubt=Doubt.FEW_EFFECTIVE_SAMPLES)
    found = certify(None, [], [source("bridge", **ALWAYS), few], 0.1, 60)
    assert found.doubt == Doubt.FEW_EFFECTIVE_SAMPLES | Doubt.NOT_MIXED
    assert scorers_of(found) == ["smc", "smc", "smc", "bridge"]
    alone = certify(None, [], [source("bridge", **ALWAYS), Source("smc", {"smc": MEDIAN}, refuses)], 0.1, 60)
    assert alone.reasons == Doubt.NOT_MIXED.reasons


def test_all_doubted_is_unknown_with_their_reasons():
    found = certify(None, [], [source("bridge", doubt=Doubt.NOT_MIXED), source("ais", doubt=Doubt.RUN_FAILED)], 0.1, 60)
    assert isnan(found.log_evidence)
    assert found.doubt == Doubt.NOT_MIXED | Doubt.RUN_FAILED
    assert found.at_least == -inf
    assert "unknown" in str(found)


def test_two_runs_are_pooled_at_the_least():
    found = certify(None, [], [source("bridge")], 0.1, 60)
    assert scorers_of(found)[:2] == ["bridge"] * 2
    grown = certify(None, [], [source("smc", grows=True)], 0.1, 60)
    assert scorers_of(grown) == ["smc"] * 6  # each stands for those before, and nothing else checks them


def passes(*values, error=0.05, freedom=3.0):
    """Runs that grow, each with the next value and this error of so many degrees of freedom."""

    def run(index):
        value = values[min(index, len(values) - 1)]
        return {}, {"smc": Evidence(value, error, degrees_of_freedom=freedom)}

    return Source("smc", {"smc": MEAN}, run, grows=True)


def test_few_passes_that_nothing_checks_go_on_until_three_runs_agree():
    """The first ones have missed the other mode all together, and so have a small error; the truth is 0."""
    missed = [-0.5, -0.5, -0.5, -0.5, -0.5]
    found = certify(None, [], [passes(*missed, 0.0)], 0.1, 60)
    assert found.trusted
    assert found.log_evidence == 0
    assert len(found.runs) == 8
    checked = certify(None, [], [passes(*missed, 0.0), source("bridge", -0.45)], 0.1, 60)
    assert checked.trusted  # another that agrees, and is no such source, is what they would wait for
    assert scorers_of(checked) == ["smc", "bridge", "bridge"]
    vague = Source("ais", {"ais": MEAN}, lambda _: ({}, {"ais": Evidence(-0.4, 0.5, degrees_of_freedom=3.0)}), True)
    others = certify(None, [], [passes(*missed, 0.0), vague], 0.1, 60)
    assert (others.log_evidence, others.trusted) == (0.0, True)  # few passes with a large error are no such other
    both_ways = passes(*missed, 0.0)
    both_ways.two_sided = True
    assert scorers_of(certify(None, [], [both_ways], 0.1, 60)) == ["smc"] * 2  # its error shows what passes miss
    many = certify(None, [], [passes(*missed, 0.0, freedom=99.0)], 0.1, 60)
    assert scorers_of(many) == ["smc"]  # their own error is known well
    pooled = certify(None, [], [passes(0.0, freedom=31.0)], 0.1, 60)
    assert pooled.evidence.degrees_of_freedom > 50  # of three runs together, each of which has few
    assert scorers_of(pooled) == ["smc"] * 6


def test_runs_that_grow_are_quoted_together():
    """Three of them reach an error that the last alone has not reached."""
    found = certify(None, [], [passes(0.0, 0.0, 0.0, 0.0, -0.1, 0.0, error=0.12, freedom=31.0)], 0.1, 60)
    assert (len(found.runs), found.reached) == (6, True)
    assert found.log_evidence == pytest.approx(log((exp(0.0) + 2 * exp(-0.1) + 4 * exp(0.0)) / 7))


def test_what_is_quoted_is_what_ends_it():
    """A bridge with a large error checks few passes with a small one, and need not have it itself."""
    found = certify(None, [], [passes(0.0), source("bridge", 0.1, 0.45)], 0.1, 60)
    assert (found.scorer, found.checked_by, found.reached) == ("smc", "bridge", True)
    assert len(found.runs) == 2
    larger = certify(None, [], [passes(0.0, error=0.3), source("bridge", 0.1, 0.15)], 0.1, 60)
    assert (larger.scorer, larger.reached) == ("bridge", True)


def test_rounding_is_no_difference_and_no_bound():
    exact = [source("bridge", 1e-13, 0.0), source("ais", 0.0, 0.0, about=MEAN, grows=True)]
    found = certify(None, [bound(1e-12)], exact, 0.1, 60)
    assert (found.trusted, found.standard_error, found.checked_by != "") == (True, 0.0, True)
    few = certify(None, [], [source("ais", 0.0, 0.0, about=MEAN, grows=True)], 0.1, 60)
    assert scorers_of(few) == ["ais"] * 6  # for passes that are all alike may all lack the same
    assert certify(None, [bound(1e-6)], [source("bridge", 0.0, 0.0)], 0.1, 60).doubt == Doubt.BELOW_BOUND


def test_few_passes_that_nothing_checks_are_unknown_when_time_is_up():
    def slow(index):
        time.sleep(0.05 if index < 3 else 60)
        return {}, {"smc": Evidence(0.0, 0.01, degrees_of_freedom=3.0)}

    found = certify(None, [bound(-2.0)], [Source("smc", {"smc": MEAN}, slow, grows=True)], 0.1, 0.4)
    assert found.doubt == Doubt.UNCHECKED
    assert found.at_least == -2.0
    assert found.interval() == (-2.0, inf)
    assert "only few passes tell it" in str(found)


def test_the_shortest_run_comes_first_while_nothing_is_known():
    """One that takes long, and would take all of the time, holds up no other."""
    long = source("tempered_smc", doubt=Doubt.NOT_MIXED, grows=True, before=lambda: time.sleep(0.05))

    def becomes_known(index):
        return {}, {"ais": Evidence(0.0, 0.05, doubt=NO_DOUBT if index >= 9 else Doubt.FEW_EFFECTIVE_SAMPLES)}

    quick = Source("ais", {"ais": MEAN}, becomes_known, grows=True)
    found = certify(None, [], [long, quick], 0.1, 2.0)
    assert (found.scorer, found.reached) == ("ais", True)
    assert scorers_of(found)[:11] == ["tempered_smc", *["ais"] * 10]


def test_a_check_takes_no_more_than_some_times_what_it_checks(monkeypatch):
    def vague(index):
        time.sleep(0.005 * 2**index)
        return {}, {"smc": Evidence(0.0, 16.0 * 0.5 ** (index / 2), degrees_of_freedom=3.0)}

    def checked():
        return certify(None, [], [source("bridge"), Source("smc", {"smc": MEAN}, vague, grows=True)], 0.1, 60)

    monkeypatch.setattr(certifying, "CHECK_SECONDS", 0.1)
    found = checked()
    assert (found.scorer, found.checked_by, found.reached) == ("bridge", "", True)
    assert 1 <= scorers_of(found).count("smc") <= 5
    monkeypatch.setattr(certifying, "CHECK_SECONDS", 60.0)
    assert (checked().checked_by, checked().reached) == ("smc", True)


def test_no_run_is_begun_after_the_last_that_there_can_be():
    last = Source("smc", {"smc": MEAN}, source("smc", error=4.0, grows=True).run, grows=True, most=4)
    found = certify(None, [], [last], 0.1, 60)
    assert (len(found.runs), found.reached, found.doubt) == (4, False, Doubt.UNCHECKED | Doubt.FEW_EFFECTIVE_SAMPLES)
    assert found.seconds < 30


def test_an_exact_sum_has_half_of_the_time():
    """A kernel that is deaf to all goes on, but nobody waits for it, and what the others find is known."""
    stop = threading.Event()
    sums = [Source("exact", {"exact": MEDIAN}, lambda index: stop.wait()) for _ in range(2)]
    found, _ = certifying.certify([Sources(each, [bound(-3.0)], [source("bridge")]) for each in sums], 0.1, 2.0)
    stop.set()
    assert all(each.trusted and each.scorer == "bridge" for each in found)
    assert all(each.at_least == -3.0 and each.refused == {"exact": certifying.LEFT} for each in found)
    quick = Source("exact", {"exact": MEDIAN}, lambda index: ({}, {"exact": Evidence(-1.0)}))
    assert str(certify(quick, [], [source("bridge")], 0.1, 2.0)) == "-1.00 (exact)"


def test_bounds_hold_together():
    samplers = [
        source(name, value, about=MEAN, doubt=Doubt.FEW_EFFECTIVE_SAMPLES) for name, value in (("a", 0), ("b", -9))
    ]
    assert certify(None, [], samplers, 0.1, 60).at_least == pytest.approx(log(0.05 / 2))
    assert certify(None, [], samplers[:1], 0.1, 60).at_least == pytest.approx(log(0.05))


@pytest.mark.parametrize("about", [LOWER, MEAN])
@pytest.mark.parametrize(("value", "doubt"), [(5.0, Doubt.RUN_FAILED), (nan, NO_DOUBT)])
def test_runs_that_failed_are_no_bound(about, value, doubt):
    failed = source("vb", value, doubt=doubt, about=about)
    assert certify(None, [], [failed, source("ais", doubt=Doubt.NOT_MIXED)], 0.1, 60).at_least == -inf
    assert certify(None, [bound(-3.0)], [failed, source("bridge")], 0.1, 60).at_least == -3.0
    assert certify(None, [bound(nan), bound(-3.0)], [source("bridge")], 0.1, 60).at_least == -3.0


def test_a_value_without_an_error_is_not_known():
    assert not certify(None, [], [source("smc", error=nan, grows=True)], 0.1, 0.2).trusted


def test_an_error_above_half_a_nat_is_unknown():
    def found(error):
        return certify(None, [bound(-3.0)], [source("ais", error=error, before=lambda: time.sleep(0.3))], 0.1, 0.5)

    assert found(0.45).trusted
    assert found(0.55).doubt == Doubt.FEW_EFFECTIVE_SAMPLES
    assert isnan(found(0.55).log_evidence)
    assert str(found(0.55)).startswith("at least -3.00")


def test_an_error_that_is_doubted_falls_with_more_runs():
    found = certify(None, [], [source("ais", error=0.9)], 0.4, 60)
    assert (found.reached, len(found.runs) >= 5) == (True, True)
    assert certify(None, [], [source("ais", error=0.9)], 2.0, 60).trusted


def test_an_error_that_was_not_reached_is_said():
    slow = [
        source("smc", error=0.4, grows=True, before=lambda: time.sleep(0.5)),
        source("ais", error=0.45, before=lambda: time.sleep(0.5)),
    ]
    found = certify(None, [], slow, 0.1, 2.0)
    assert found.trusted
    assert not found.reached
    assert found.standard_error > 0.1
    assert str(found).endswith("; the error asked for was not reached)")
    assert "reached" not in str(certify(None, [], [source("bridge")], 0.1, 60))


def test_a_run_that_does_not_end_is_left_when_time_is_up():
    stop = threading.Event()
    found = certify(None, [], [source("bridge"), source("smc", before=stop.wait)], 0.1, 0.3)
    assert found.trusted
    assert found.checked_by == ""
    stop.set()


def test_ctrl_c_returns_what_is_known():
    begun, stop = threading.Event(), threading.Event()

    def wait():
        begun.set()
        stop.wait()

    def press():
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=press).start()
    found = certify(None, [bound(-2.0)], [source("bridge"), source("smc", before=wait)], 0.1, 3600)
    assert found.trusted
    assert found.at_least == -2.0
    stop.set()


def test_a_run_that_nobody_waits_for_ends():
    ended, steps = threading.Event(), []

    def work():
        try:
            while True:
                steps.append(0)
                time.sleep(0.001)
        finally:
            ended.set()

    certify(None, [], [source("bridge"), source("smc", before=work)], 0.1, 0.2)
    assert ended.wait(60)


def test_an_error_of_a_run_is_raised():
    def fails(index):
        raise ZeroDivisionError("a fault")

    with pytest.raises(ZeroDivisionError, match="a fault"):
        certify(None, [], [Source("bridge", {"b": MEDIAN}, fails)], 0.1, 60)


def test_another_with_a_large_error_is_no_check():
    found = certify(None, [], [source("bridge"), source("ais", error=5.0)], 0.1, 0.2)
    assert (found.scorer, found.checked_by) == ("bridge", "")


def test_progress_is_told():
    told = []
    certify(None, [], [source("bridge"), source("smc")], 0.1, 60, lambda elapsed, words: told.append((elapsed, words)))
    assert told[0][1] == "unknown"
    assert told[-1][1] in {
        "0.00 +- 0.05",
        "0.00 +- 0.04",
    }  # of one run, or of two: whichever scorer was quicker goes on


def several(*models, seconds=60.0, **more):
    return certifying.certify([Sources(None, [], samplers) for samplers in models], 0.1, seconds, **more)


def test_of_several_models_those_of_which_nothing_is_known_come_first():
    order = []

    def model(k):
        return [source(name, error=error, before=lambda name=name: order.append((name, k)))
                for name, error in (("bridge", 0.05), ("smc", 0.5))]  # fmt: skip

    models = [model(k) for k in range(3)]
    found, interrupted = several(*models)
    assert [each.scorer for each in found] == ["bridge"] * 3
    assert all(each.checked_by for each in found)
    assert not interrupted
    assert order[:3] == [("bridge", 0), ("bridge", 1), ("bridge", 2)]


def test_what_takes_long_holds_up_no_other_model():
    stop = threading.Event()
    found, _ = several([source("bridge", before=stop.wait)], [source("bridge")], n_threads=2, seconds=0.5)
    assert [each.trusted for each in found] == [False, True]
    stop.set()


@pytest.mark.parametrize("n_threads", [1, 2])
def test_no_more_runs_at_a_time_than_threads_and_none_of_one_model(n_threads):
    now, most, lock = [], [], threading.Lock()

    def model(k):
        def before():
            with lock:
                now.append(k)
                most.append(tuple(now))
            time.sleep(0.02)
            with lock:
                now.remove(k)

        return [source("bridge", before=before), source("smc", before=before)]

    several(*map(model, range(4)), n_threads=n_threads)
    assert max(map(len, most)) == n_threads
    assert all(len(set(each)) == len(each) for each in most)


def test_ctrl_c_keeps_what_is_known_of_every_model():
    stop = threading.Event()

    def press():
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        stop.wait()

    told = []
    found, interrupted = several(
        [source("bridge")], [source("bridge", before=press)], tell=lambda _, words: told.append(words), seconds=3600
    )
    assert interrupted
    assert [each.reasons for each in found] == [(), ("no run ended before Ctrl-C",)]
    assert told[0] == "0 of 2 known"
    stop.set()
