"""Claim: missing cells that leave parameters open leave the error of a bridge right, for its chains go along them.

Source of truth: the quadrature of benchmarks/never_together.py, held here to the exact sum over few rows. Gibbs sweeps,
which hardly move along what is open, must be noticed.
"""

import runpy
from pathlib import Path

import numpy as np
import pytest

from ockham.networks.inference.effective_dimension import leaves_open
from ockham.networks.scorers import bridge, exact
from ockham.streams import Stream

FILE = Path(__file__).parents[3] / "benchmarks/never_together.py"
SETTINGS = bridge.Settings(n_starts=8)
N_TABLES, N = 12, 200_000


@pytest.fixture(scope="module")
def benchmark():
    return runpy.run_path(str(FILE))


@pytest.mark.parametrize("counts", [([3, 2], [4, 1]), ([0, 2], [3, 3]), ([5, 0], [0, 6])])
def test_the_quadrature_is_the_evidence_of_few_rows(benchmark, counts):
    data = benchmark["rows"](*counts)
    found = exact.score(benchmark["NETWORK"], data, exact.Settings(), Stream(0))["exact"].log_evidence
    assert benchmark["log_evidence"](*counts) == pytest.approx(found, abs=1e-6)


def z_scores(benchmark):
    """Distances from the evidence in standard errors, whether doubted or not."""
    found = []
    for seed in range(N_TABLES):
        counts = benchmark["counts"](seed, N)
        one = bridge.score(benchmark["NETWORK"], benchmark["rows"](*counts), SETTINGS, Stream(8, seed))
        found.append((one["bridge_sampling"].log_evidence - benchmark["log_evidence"](*counts),
                      one["bridge_sampling"].standard_error))  # fmt: skip
    errors, stated = np.array(found).T
    return errors / stated


def check(z):
    assert np.abs(z).max() < 4
    assert abs(z.sum()) / np.sqrt(len(z)) < 4
    assert (z**2).sum() < len(z) + 4 * np.sqrt(2 * len(z))


def test_chains_reach_all_that_missing_cells_leave_open(benchmark, monkeypatch):
    assert leaves_open(benchmark["NETWORK"], benchmark["rows"]([1, 1], [1, 1]))
    check(z_scores(benchmark))
    monkeypatch.setattr(bridge, "share_missing", lambda *_: (0.0, 0))  # the chains by themselves
    monkeypatch.setattr(bridge, "n_independent_visits", lambda *_: np.inf)
    check(z_scores(benchmark))
    monkeypatch.setattr(bridge, "leaves_open", lambda network, data: False)
    with pytest.raises(AssertionError):
        check(z_scores(benchmark))
