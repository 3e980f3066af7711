"""Claim: the scorer returns the exact evidence, and refuses a sum that is too long. Truth: the twin; binomials."""

import tracemalloc
from math import isnan

import numpy as np
import pytest
from pydantic import ValidationError
from reference.enumeration import log_evidence as twin

from ockham.errors import ModelError
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import completions
from ockham.networks.scorers import exact
from ockham.networks.structure_space import bipartite_network, naive_bayes
from ockham.streams import Stream

STREAM = Stream(1, "exact")


def score(network, data, settings):
    unique = UniqueRows.of(data, [network.cardinalities[i] for i in network.observed])
    return exact.score(network, unique, settings, STREAM)


def test_score():
    network = bipartite_network([[1], [1, 2], [2]], [2, 2], [2, 3, 2])
    data = np.array([[0, 1, 1], [1, 2, 0], [0, 1, 1], [0, 0, 1]])
    result = score(network, data, exact.Settings())
    assert set(result) == set(exact.ESTIMATES) == {"exact"}
    assert result["exact"].log_evidence == pytest.approx(twin(network, data), abs=1e-10)
    assert result["exact"].n_evaluations == 10 * 4 * 4
    assert isnan(result["exact"].standard_error)


def test_a_sum_that_is_too_long_is_refused():
    network = naive_bayes([4], [3, 3, 3])["classes-4"]
    data = np.array(np.meshgrid(*[range(3)] * 3)).reshape(3, -1).T
    seconds = 4**27 * exact.NANOSECONDS_PER_COMPLETION // 10**9
    with pytest.raises(ModelError, match=rf"1\.8e\+16 completions.* {seconds:,} seconds.*100,000,000.*max_completions"):
        score(network, data, exact.Settings())
    with pytest.raises(ModelError, match=r"sums 16 completions .* 0 seconds; the limit is 15"):
        score(network, data[:2], exact.Settings(max_completions=15))
    assert score(network, data[:2], exact.Settings(max_completions=16))["exact"].n_evaluations == 16


def test_a_prediction_beyond_the_range_of_floats_is_still_told():
    network = naive_bayes([2], [2] * 11)["classes-2"]
    data = np.array(list(np.ndindex(*[2] * 11)))
    with pytest.raises(ModelError, match=r"3\.2e\+616 completions"):
        score(network, data, exact.Settings())


def test_digits_that_nobody_needs_are_not_found():
    network = naive_bayes([64], [2] * 14)["classes-64"]
    with pytest.raises(ModelError, match=r"sums 1e\+990 or more completions .* about 1e\+990 or more seconds"):
        score(network, np.array(list(np.ndindex(*[2] * 14))), exact.Settings())


@pytest.mark.parametrize(("n_classes", "n_values", "n"), [(4000, [2, 2], 2), (1500, [2] * 10, 1), (2, [2], 20_000)])
def test_the_memory_is_as_predicted(n_classes, n_values, n, monkeypatch):
    """To within a factor of two, with many completions, families or counts."""
    network, predicted = naive_bayes([n_classes], n_values)[f"classes-{n_classes}"], []
    monkeypatch.setattr(completions, "check_memory", lambda n_numbers, *_: predicted.append(8 * n_numbers))
    exact.check(network, n, exact.Settings())
    tracemalloc.start()
    score(network, np.arange(n)[:, None] % 2 * np.ones(len(n_values), dtype=int) if n < 9 else np.zeros((n, 1), int),
          exact.Settings())  # fmt: skip
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(predicted) / 2 < peak < 2 * max(predicted)


def test_rows_that_have_too_many_terms_even_if_all_alike_are_refused_before_they_are_drawn():
    network = naive_bayes([3], [2, 2])["classes-3"]
    n_terms = 101 * 102 // 2
    exact.check(network, 100, exact.Settings(max_completions=n_terms))
    assert score(network, np.zeros((100, 2), dtype=int), exact.Settings())["exact"].n_evaluations == n_terms
    with pytest.raises(ModelError, match="sums 5,151 completions"):
        exact.check(network, 100, exact.Settings(max_completions=n_terms - 1))


def test_settings_are_bounded():
    with pytest.raises(ValidationError):
        exact.Settings(max_completions=0)
