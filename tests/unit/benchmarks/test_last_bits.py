"""Claim: where the last bits of NumPy's functions are others, scores that enlarge no difference stay where they are.

Source of truth: the same scores without a change. Tempered chains, which enlarge it, are the control.
"""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from ockham.io.netcdf import provenance

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="module")
def benchmark():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
        yield runpy.run_path(str(BENCHMARKS / "last_bits.py"))


def test_one_in_eight_numbers_is_another_by_its_last_bit(benchmark):
    x = np.random.default_rng(0).uniform(1, 2, 10_000)
    before, out = np.log(x), np.empty(10_000)
    with benchmark["other_last_bits"]():
        after, first = np.log(x), np.log(x[0])
        assert np.log(x, out=out) is out
    np.testing.assert_array_equal(out, after)
    assert first == after[0]
    assert set(np.unique((after - before) / np.spacing(before))) == {0.0, 1.0}
    assert 0.11 < (after != before).mean() < 0.14
    np.testing.assert_array_equal(np.log(x), before)


@pytest.mark.parametrize("processor", ["as it is", "without"])
def test_numbers_of_avx512_differ_by_a_last_bit(benchmark, processor, monkeypatch):
    """Few of them, and none on a processor that does not have it."""
    for name, value in benchmark["WITHOUT"].items() if processor == "without" else ():
        monkeypatch.setenv(name, value)
    has_it = "X86_V4" in provenance()["numpy_simd"].split() and processor == "as it is"
    counts, most = benchmark["avx512"]()
    assert ((counts > 0) & (counts < 100_000)).all() == has_it
    assert most.tolist() == [has_it, has_it]


@pytest.mark.parametrize(("scorer", "moves"), [("candidate", False), ("tempered_smc", True)])
def test_scores_that_enlarge_a_difference_move(benchmark, scorer, moves):
    (model, data), *_ = benchmark["networks"](1)
    before, _ = benchmark["value"](model, data, scorer)
    with benchmark["other_last_bits"]():
        after, _ = benchmark["value"](model, data, scorer)
    assert (abs(after - before) > 1e-6) == moves
