"""Claim: ``ockham.evidence`` is the exact evidence within its error, on networks whose exact sum it may not make."""

import numpy as np
import pytest

import ockham
from ockham.networks.family import Networks
from ockham.networks.structure_space import naive_bayes
from ockham.orders.space import OrderSpace

NETWORK = naive_bayes([3], [2] * 4)["classes-3"]
DATA = np.random.default_rng(3).integers(0, 2, (9, 4))
TRUTH = ockham.score(NETWORK, DATA, "exact")["exact"].log_evidence


@pytest.fixture
def without_exact(monkeypatch):
    monkeypatch.setattr(Networks, "plan", Networks.plan._replace(exact=""))


def test_exact_where_that_is_cheap():
    found = ockham.evidence(NETWORK, DATA)
    assert (found.log_evidence, found.standard_error) == (TRUTH, 0.0)
    assert found.interval(0.0) == found.interval(1.0) == (TRUTH, TRUTH)


@pytest.mark.parametrize("probability", ["0.95", -0.1, 1.1, float("nan"), None, 1j])
def test_what_is_no_probability_is_refused(probability):
    with pytest.raises(ockham.ConfigError, match=r"probability: .* must be from 0 to 1"):
        ockham.evidence(NETWORK, DATA).interval(probability)


def test_within_its_error(without_exact):
    found = ockham.evidence(NETWORK, DATA, error=0.05, progress=False)
    assert found.reached
    assert {run.scorer for run in found.runs} == {"vb", "bridge", "tempered_smc"}
    assert found.checked_by
    assert found.at_least < TRUTH
    assert abs(found.log_evidence - TRUTH) < 4 * found.standard_error


def test_where_bridge_sampling_is_doubted_two_others_say_it(without_exact):
    """Under priors for pure classes."""
    network = naive_bayes([3], [2] * 4, prior=0.05)["classes-3"]
    truth = ockham.score(network, DATA, "exact")["exact"].log_evidence
    found = ockham.evidence(network, DATA, error=0.1)
    assert {found.scorer, found.checked_by} == {"smc", "ais_completions"}
    assert sum(run.scorer in ("bridge", "tempered_smc") for run in found.runs) <= 2  # none of which more would help
    assert abs(found.log_evidence - truth) < 4 * found.standard_error


@pytest.mark.filterwarnings("ignore::ockham.OckhamWarning")
def test_a_prior_of_one_in_a_million_is_right_or_unknown(without_exact):
    network = naive_bayes([3], [2] * 4, prior=1e-6)["classes-3"]
    truth = ockham.score(network, DATA, "exact")["exact"].log_evidence
    found = ockham.evidence(network, DATA, seconds=10)
    assert not found.trusted or abs(found.log_evidence - truth) < 4 * found.standard_error
    assert found.at_least < truth


def test_no_time_at_all_is_unknown(without_exact):
    with pytest.warns(ockham.OckhamWarning, match="not known"):
        found = ockham.evidence(NETWORK, DATA, seconds=0.001)
    assert not found.trusted


def test_a_family_without_a_plan_is_refused():
    with pytest.raises(ockham.ConfigError, match="node_order has no plan"):
        ockham.evidence(OrderSpace(3, 2), [[0, 1, 0], [1, 1, 0]])


@pytest.mark.parametrize(("name", "value"), [("error", 0), ("error", "a"), ("seconds", -1), ("seed", 1.5)])
def test_arguments_are_checked(name, value):
    with pytest.raises(ockham.ConfigError, match=name):
        ockham.evidence(NETWORK, DATA, **{name: value})


def test_a_machine_is_within_its_error():
    machine = ockham.RestrictedBoltzmann(3, 1)
    data = np.random.default_rng(1).integers(0, 2, (6, 3))
    found = ockham.evidence(machine, data, error=0.05, seconds=120)
    assert found.trusted
    assert found.scorer == "ais"
