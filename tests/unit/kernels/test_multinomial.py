"""Copies of a row are divided among hidden configurations by the multinomial distribution.

Source of truth: scipy.stats. A multinomial number is a chain of binomial ones, each of what those before it leave; so
their randomised distribution functions are uniform and independent, whatever the number of copies and the
probabilities. Pearson's chi-square of both, and the totals over all draws, may be as far from what is expected as one
of 30,000 is. Few copies, many and more are drawn in three ways, of which every size here takes one; which numbers of
the stream decide in the first two is what a slow twin says. Controls: a probability that is 5 % off, rows that repeat,
copies that know of each other, and probabilities of 15 bits.
``OCKHAM_TEST_SEEDS`` sets how many seeds are tried.
"""

import os

import numpy as np
import pytest
from scipy.stats import binom, chi2

from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.inference import gibbs
from ockham.networks.structure_space import naive_bayes

SEEDS = range(int(os.environ.get("OCKHAM_TEST_SEEDS", "2")))
SIZES = [1, 2, 5, 6, 7, 8, 15, 16, 17, 33, 100, 511, 512, 513, 1000, 20_000, 10**9]
EVEN = [0.25] * 4
PROBABILITIES = {
    "even": EVEN,
    "uneven": [0.61, 0.27, 0.08, 0.04],
    "two": [0.37, 0.63],
    "first rare": [1e-5, 2e-5, 0.3, 1 - 0.3 - 3e-5],
    "last rare": [0.5, 0.49997, 2e-5, 1e-5],
    "rarest": [1e-12, 1.0, 1e-9],
    "one alone": [0.0, 1.0, 0.0],
    "some impossible": [0.0, 0.3, 0.0, 0.7, 0.0],
    "nine": [0.02, 0.3, 0.01, 0.15, 1e-4, 0.4, 0.05, 0.0699, 0.0],
    "forty": np.arange(1, 41) / 820,
}
N_ROWS = 1000
ALPHA = 3e-5


def draw(n, probabilities, seed, n_rows=N_ROWS):
    """Counts of every part, shape (n_rows, n_parts), in rows that differ in the scale of their probabilities."""
    n_parts = len(probabilities)
    network = naive_bayes([n_parts], [n_rows + 1])[f"classes-{n_parts}"]
    data = UniqueRows(np.arange(n_rows)[:, None], np.full(n_rows, n))
    scale = 10.0 ** -np.linspace(0, 270, n_rows + 1)  # the smallest are computed in logs
    with np.errstate(divide="ignore"):
        theta = np.log(np.concatenate([np.ones(n_parts), np.outer(probabilities, scale).ravel()]))
    rng = np.random.default_rng([seed, n, n_parts])
    return gibbs.run(network, data, theta, rng, 1).best_counts[n_parts:].reshape(n_parts, n_rows + 1).T[:n_rows]


def significance(observed, expected):
    return chi2.sf(((observed - expected) ** 2 / expected).sum(), observed.size - 1)


def smallest(counts, n, probabilities, seed=0):
    """The smallest significance of all checks of some draws, times their number."""
    probabilities = np.asarray(probabilities) / np.sum(probabilities)
    assert counts.sum(axis=1).tolist() == [n] * len(counts)
    assert (counts >= 0).all()
    assert (counts[:, probabilities == 0.0] == 0).all()
    totals, n_all, rng = counts.sum(axis=0), n * len(counts), np.random.default_rng(seed)
    found, uniform, left, rest = [], [], np.full(len(counts), n), 1.0
    for k in np.flatnonzero(probabilities):
        lower, upper = binom.cdf(totals[k], n_all, probabilities[k]), binom.sf(totals[k] - 1, n_all, probabilities[k])
        found.append(2 * min(lower, upper))
        share = min(1.0, probabilities[k] / rest)
        before, here = binom.cdf(counts[:, k] - 1, left, share), binom.pmf(counts[:, k], left, share)
        uniform.append(np.minimum(before + rng.random(len(counts)) * here, 1 - 1e-12))
        left, rest = left - counts[:, k].astype(int), max(rest - probabilities[k], 1e-300)
    uniform = np.array(uniform)
    for one in uniform:
        found.append(significance(np.histogram(one, 20, (0, 1))[0], np.full(20, len(counts) / 20)))
        found.append(significance(np.histogram2d(one[1:], one[:-1], 5, [(0, 1)] * 2)[0], (len(counts) - 1) / 25))
    for one, other in zip(uniform[1:], uniform[:-1], strict=True):
        found.append(significance(np.histogram2d(one, other, 5, [(0, 1)] * 2)[0], len(counts) / 25))
    return min(found) * len(found)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PROBABILITIES)
@pytest.mark.parametrize("n", SIZES)
def test_counts_have_the_multinomial_distribution(n, name, seed):
    assert smallest(draw(n, PROBABILITIES[name], seed), n, PROBABILITIES[name]) > ALPHA


def twin(n, probabilities, rng):
    """Counts of every part in one row."""
    cumulative = np.cumsum(probabilities)
    if n > 6:
        drawn = rng.bit_generator.random_raw((n + 3) // 4).astype(np.uint64)
        copies = (drawn[:, None] >> np.arange(0, 64, 16, dtype=np.uint64) & np.uint64(0x7FFF)).ravel()[:n].astype(float)
        for bound in np.unique(np.floor(cumulative[cumulative < cumulative[-1]] / cumulative[-1] * 32768)):
            copies[copies == bound] += rng.random((copies == bound).sum())
        copies /= 32768
    else:
        copies = rng.random(n)
    return np.diff((copies[:, None] * cumulative[-1] < cumulative).sum(axis=0), prepend=0)


@pytest.mark.parametrize("name", PROBABILITIES)
@pytest.mark.parametrize("n", [n for n in SIZES if n <= 512])  # more are NumPy's binomials
def test_counts_are_those_of_a_slow_twin(n, name):
    for seed in range(10):
        rng = np.random.default_rng([seed, n, len(PROBABILITIES[name])])
        expected = twin(n, np.array(PROBABILITIES[name]), rng)
        np.testing.assert_array_equal(draw(n, PROBABILITIES[name], seed, n_rows=1)[0], expected)


@pytest.mark.parametrize("n", [100, 512])
def test_probabilities_have_all_their_bits(n):
    """Parts within one 32,768th, two of which are together in it, by the totals of millions of copies."""
    probabilities = np.array([1e-5, 1.1e-5, 0.25 - 1e-5, 1.2e-5, 0.75 - 2.3e-5])
    counts = np.concatenate([draw(n, probabilities, seed) for seed in range(30_000 // n)])
    assert smallest(counts, n, probabilities) > ALPHA
    rounded = np.diff(np.round(probabilities.cumsum() * 32768), prepend=0.0) / 32768
    control = np.random.default_rng(n).multinomial(n, rounded, len(counts))
    assert smallest(control, n, probabilities) < ALPHA


@pytest.mark.parametrize("n", SIZES)
def test_other_distributions_are_noticed(n):
    rng, right = np.random.default_rng(n), np.array(PROBABILITIES["uneven"])
    repeated = np.repeat(draw(n, right, 0, 10), N_ROWS // 10, axis=0)
    assert smallest(repeated, n, right) < ALPHA
    n_rows = max(N_ROWS, 100_000 // n)
    off = right * [1.05, 1, 1, 1]
    assert smallest(rng.multinomial(n, off / off.sum(), n_rows), n, right) < ALPHA
    assert smallest(rng.multinomial(n, right, n_rows), n, right) > ALPHA
    if n > 1:
        assert smallest(rng.multinomial(n, rng.dirichlet(2 * right, n_rows)), n, right) < ALPHA


def test_a_row_that_no_configuration_makes_possible_is_given_to_the_first():
    for n in (1, 100, 1000):
        assert (draw(n, [0.0, 0.0, 0.0], 0, 5) == [n, 0, 0]).all()
