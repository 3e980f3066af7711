"""Claim: the sum by class sizes is the exact evidence of two classes of one variable, whatever the prior.

Truth: the sum over all completions; for many rows bridge sampling, which a wrong sum must be far from.
"""

import numpy as np
import pytest

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference import completions, two_classes
from ockham.networks.scorers import bridge
from ockham.streams import Stream

RANDOM = np.random.default_rng(5)
PRIORS = {
    "uniform": 1.0,
    "sparse": 1e-6,
    "strong": 200.0,
    "by entry": {"class": np.array([0.4, 2.0]), "value": RANDOM.gamma(1.0, size=(2, 4))},
}


def network_of(prior, n_values=4):
    return DiscreteNetwork.build({"class": 2, "value": n_values}, {"value": ["class"]}, ["class"], prior)


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_it_is_the_sum_over_completions(prior, n):
    network = network_of(prior)
    data = UniqueRows.of(np.random.default_rng(n).integers(0, 4, (n, 1)), [4])
    assert two_classes.takes(network, data)
    truth = completions.log_evidence(network, data)
    assert two_classes.log_evidence(network, data) == pytest.approx(truth, abs=1e-10, rel=1e-12)


def test_rows_without_a_value_sum_to_one():
    network, rows = network_of(1.0), np.array([[0], [3], [-1], [3], [-1]])
    known = two_classes.log_evidence(network, UniqueRows.of(rows[rows >= 0][:, None], [4]))
    assert two_classes.log_evidence(network, UniqueRows.of(rows, [4], missing=True)) == known


def test_many_rows_agree_with_bridge_sampling(monkeypatch):
    """And a sum that does not weigh how the cases are divided does not."""
    network, data = network_of(1.0, 3), UniqueRows.of(np.random.default_rng(3).integers(0, 3, (400, 1)), [3])
    exact = two_classes.log_evidence(network, data)
    monkeypatch.setattr(bridge, "_exact", lambda *_: None)
    found = bridge.score(network, data, bridge.Settings(), Stream(1))["bridge_sampling"]
    assert found.trusted
    assert abs(found.log_evidence - exact) < 4 * found.standard_error
    monkeypatch.setattr(two_classes, "log_rising", lambda start, n: completions.log_rising(start + 0.5, n))
    assert abs(two_classes.log_evidence(network, data) - exact) > 4 * found.standard_error


def test_terms_beyond_the_range_of_floats_are_unknown():
    assert np.isnan(two_classes.log_evidence(network_of(1e5), UniqueRows.of(np.repeat([[0], [1]], 2000, axis=0), [4])))


@pytest.mark.parametrize(
    ("cardinalities", "parents", "hidden"),
    [
        ({"class": 3, "value": 2}, {"value": ["class"]}, ["class"]),
        ({"class": 2, "value": 2}, {"class": ["value"]}, ["class"]),
        ({"class": 2, "value": 2}, {"value": ["class"]}, []),
        ({"class": 2, "value": 2, "other": 2}, {"value": ["class"], "other": ["class"]}, ["class"]),
    ],
)
def test_others_are_not_taken(cardinalities, parents, hidden):
    network = DiscreteNetwork.build(cardinalities, parents, hidden)
    n_columns = len(network.observed)
    assert not two_classes.takes(network, UniqueRows.of(np.zeros((3, n_columns), dtype=int), [2] * n_columns))
