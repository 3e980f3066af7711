"""Claim: the log permanent is the sum over all permutations. Source of truth: that sum, term by term."""

from itertools import permutations

import numpy as np
import pytest
from scipy.special import logsumexp

from ockham.estimation.class_names import log_permanent


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_sum_over_all_names(k):
    logs = np.random.default_rng(k).normal(scale=20.0, size=(3, 2, k, k))
    by_name = [logs[..., np.arange(k), list(names)].sum(axis=-1) for names in permutations(range(k))]
    assert log_permanent(logs) == pytest.approx(logsumexp(by_name, axis=0), rel=1e-12)
