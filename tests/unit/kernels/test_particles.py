"""Claim: rows are added to particles by the predictive probabilities that the header states, with one uniform number
each, and chains are left as they are in distribution; arrays that do not fit together are refused.

Source of truth: the header's formula in NumPy with the same random numbers, entries found one state at a time, and all
completions of three rows.
"""

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp
from scipy.stats import chisquare

from ockham.kernels import particles as kernel
from ockham.networks.data.unique_rows import MISSING, UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout
from ockham.networks.inference.particles import Completions
from ockham.networks.structure_space import naive_bayes

TWO_HIDDEN = DiscreteNetwork.build(
    {"s": 2, "t": 3, "x": 2, "y": 3, "z": 2},
    {"t": ["s"], "x": ["s", "t"], "y": ["t", "x"], "z": ["y"]},
    ["s", "t"],
    0.7,
)
ROWS = np.array([[0, 1, 1], [0, 0, 1], [1, MISSING, 0], [MISSING, 2, MISSING], [MISSING, MISSING, MISSING], [1, 1, 1]])
ADDED = np.array([5, 0, 2, 4, 1, 0, 3, 2, 5, 3])


def ways(network, row):
    """The entries of the variables in every way to complete a row; a missing cell without known children has none."""
    given = dict(zip(network.observed, row, strict=True))
    left_out = set()
    for i in reversed(network.topological_order):
        children = [c for c, parents in enumerate(network.parents) if i in parents]
        if given.get(i) == MISSING and all(c in left_out for c in children):
            left_out.add(i)
    open_states = [
        range(network.cardinalities[i])
        if given.get(i, MISSING) == MISSING and i not in left_out
        else [max(given.get(i, 0), 0)]
        for i in (*network.observed, *network.hidden)
    ]
    for states in product(*open_states):
        at = dict(zip((*network.observed, *network.hidden), states, strict=True))
        state = np.array([at[i] for i in range(network.n_variables)])
        yield [network.offsets[i] + network.strides[i] @ state for i in range(network.n_variables) if i not in left_out]


def added(network, rows, counts, uniforms):
    """By the header: ln w and the counts of one particle."""
    counts, log_weight = counts.copy(), 0.0
    for row, uniform in zip(rows, uniforms, strict=True):
        size = network.prior + counts
        log_theta = np.log(size) - np.log(np.bincount(network.rows, size))[network.rows]
        choices = list(ways(network, row))
        logs = np.array([log_theta[entries].sum() for entries in choices])
        log_weight += logsumexp(logs)
        shares = np.exp(logs - logsumexp(logs)).cumsum()
        counts[choices[min(int(np.searchsorted(shares, uniform, side="right")), len(choices) - 1)]] += 1
    return log_weight, counts


@pytest.mark.parametrize("n_items", [3, 700])
def test_rows_are_added_as_the_header_says(n_items):
    """Of 700 items the probability of a row is below what a double can hold."""
    rows, network = ROWS, TWO_HIDDEN
    if n_items > 3:
        network = naive_bayes([3], [4] * n_items, 0.7)["classes-3"]
        rows = np.random.default_rng(3).integers(0, 4, (6, n_items))
    target, rng = Completions.of(network, rows), np.random.default_rng(1)
    begun = rng.integers(0, 5, (4, network.n_entries)).astype(float)
    known = [k for k in ADDED if (rows[k] != MISSING).any()]
    uniforms = np.random.default_rng(2).random((4, len(known)))
    log_weights, counts = target.extend(ADDED, begun, np.random.default_rng(2))
    for k in range(4):
        log_weight, expected = added(network, rows[known], begun[k], uniforms[k])
        assert log_weights[k] == pytest.approx(log_weight, rel=1e-12)
        np.testing.assert_array_equal(counts[k], expected)
    assert len(known) == (9 if n_items == 3 else 10)


def test_sweeps_leave_the_posterior_of_completions_as_it_is():
    """Counts of three rows, by how often chains are at each; those of another prior must be noticed."""
    network, rows = naive_bayes([2], [2, 2], 0.7)["classes-2"], np.array([[0, 0], [0, 1], [1, 1]])
    target = Completions.of(network, rows)
    weights = {}
    for classes in product(range(2), repeat=3):
        counts = np.zeros(network.n_entries)
        for row, k in zip(rows, classes, strict=True):
            np.add.at(counts, network.offsets[:-1] + network.strides @ np.array([k, *row]), 1)
        size, totals = network.prior + counts, np.bincount(network.rows, network.prior + counts)
        weights[tuple(counts)] = np.exp(gammaln(size).sum() - gammaln(totals).sum())
    start = np.tile(max(weights), (1, 1)).astype(float)
    found = target.sweep(np.arange(3), start, 60_000, np.random.default_rng(1))[::6]
    observed = np.array([(found == counts).all(axis=1).sum() for counts in weights])
    assert observed.sum() == len(found)
    expected = np.array(list(weights.values()))
    assert chisquare(observed, expected / expected.sum() * len(found)).pvalue > 1e-3
    assert chisquare(observed, expected**0.8 / (expected**0.8).sum() * len(found)).pvalue < 1e-3


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("row_of", -1, "out of range"), ("row_starts", 99, "out of range"), ("rows", 6, "out of range"),
        ("starts", 99, "out of range"), ("bases", 99, "out of range"), ("shifts", 99, "out of range"),
        ("shifts", -1, "out of range"), ("prior", None, "do not fit"), ("counts", None, "do not fit"),
        ("log_weights", None, "do not fit"), ("work", None, "do not fit"),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(name, value, message):
    target, network = Completions.of(TWO_HIDDEN, ROWS), TWO_HIDDEN
    arrays = {
        "row_of": network.rows, "row_starts": network.row_starts, "prior": network.prior,
        "rows": np.array([0, 1], dtype=np.int32), "starts": target.starts, "bases": target.bases,
        "shifts": target.shifts, "counts": np.zeros((2, network.n_entries)), "log_weights": np.empty(2),
        "work": np.empty(1000),
    }  # fmt: skip
    kernel.extend(np.random.default_rng(1).bit_generator, **{**arrays, "counts": arrays["counts"].copy()})
    broken = arrays[name].copy()
    if value is None:
        broken = np.ascontiguousarray(broken[..., :1])
    else:
        broken.flat[-1] = value
    with pytest.raises(ValueError, match=message):
        kernel.extend(np.random.default_rng(1).bit_generator, **{**arrays, name: broken})


@pytest.mark.parametrize("name", ["row_starts", "prior", "counts", "found", "work"])
def test_arrays_of_chains_that_do_not_fit_are_refused(name):
    network, data = TWO_HIDDEN, UniqueRows.of(ROWS, [2, 3, 2], missing=True)
    plan = layout(network, data)
    arrays = {
        "row_starts": network.row_starts, "prior": network.prior, "counts": np.zeros((2, network.n_entries)),
        "found": np.empty((4, network.n_entries)), "work": np.empty(kernel.sweep_work_size(plan, network.n_entries)),
    }  # fmt: skip
    kernel.sweep(np.random.default_rng(1).bit_generator, plan, **arrays)
    with pytest.raises(ValueError, match=r"do not fit|out of range"):
        kernel.sweep(
            np.random.default_rng(1).bit_generator,
            plan,
            **{**arrays, name: np.ascontiguousarray(arrays[name][..., :-1])},
        )
