"""Claim: tables whose sums lose digits that evidences are made of are refused, and no others.

Source of truth: the closed forms in decimals of 60 digits.
"""

from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import ockham
from ockham.mixtures.data import rounding as rounding_module
from ockham.mixtures.data.rounding import MOST, rounding
from ockham.mixtures.items import Gaussian, Poisson

getcontext().prec = 60
TWO_PI = Decimal("6.28318530717958647692528676655900576839433879875021")
LARGE = {
    "numbers": (Gaussian(0.0, 1.0, mean_weight=0.25), [49999.875, 50000.125, 50000.0], 3 * 10**7),
    "fewer numbers": (Gaussian(0.0, 1.0, mean_weight=0.25), [49999.875, 50000.125, 50000.0], 10**7),
    "years": (Gaussian(0.0, 1.0, mean_weight=0.25), [2019.0, 2020.0, 2021.0], 3 * 10**7),
    "counts": (Poisson(1e6, 1.0), [999990.0, 1e6], 5 * 10**7),
    "fewer counts": (Poisson(1e6, 1.0), [999990.0, 1e6], 10**7),
}
SMALL = {
    "numbers": (Gaussian(), [-1.0, 0.0, 1.0], 3 * 10**7),
    "years": (Gaussian(2020.0), [2019.0, 2020.0, 2021.0], 3 * 10**7),
    "far numbers": (Gaussian(), [49999.875, 50000.125, 50000.0], 1000),
    "counts": (Poisson(1.0), [0.0, 1.0, 2.0], 3 * 10**7),
}


def decimal(number):
    exact = Fraction(number)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def log_gamma(x):
    """Stirling's series, for 1 and 2 and from a thousand on."""
    return Decimal(0) if x in (1, 2) else (x - Decimal("0.5")) * x.ln() - x + TWO_PI.ln() / 2 + 1 / (12 * x)


def exact(item, cells, weight):
    """ln of the evidence of one class but for base measures, nats."""
    cells = [Fraction(x) - Fraction(getattr(item, "centre", 0.0)) for x in cells]  # in units of 1
    n, total = weight * len(cells), weight * sum(cells)
    if isinstance(item, Poisson):
        shape, before = Fraction(item.shape) + total, Fraction(item.shape) / Fraction(item.mean)
        rate = before + n
        last = decimal(item.shape) * decimal(before).ln()
    else:
        squares, before = weight * sum(x**2 for x in cells), Fraction(item.shape)
        updated = Fraction(item.mean_weight) + n
        shape = before + Fraction(n, 2)
        rate = before + (squares - total**2 / updated) / 2
        last = (decimal(Fraction(item.mean_weight) / updated).ln() - n * TWO_PI.ln()) / 2
        last += decimal(before) * decimal(before).ln()
    return last - decimal(shape) * decimal(rate).ln() + log_gamma(decimal(shape)) - log_gamma(decimal(item.shape))


def error(item, cells, weight):
    sums = weight * len(cells) * item.statistics(np.array(cells)).mean(axis=0)
    return abs(float(Decimal(float(item.log_marginal(sums))) - exact(item, cells, weight)))


MANY = {  # different numbers, whose sums stray at every step: centre, deviation, the prior's mean_weight, rows
    "far": (1000.0, 0.1, 1e-5, 200_000),
    "far, fewer": (1000.0, 0.1, 1e-5, 20_000),
    "very far": (9e4, 1.0, 1e-6, 50_000),
    "far, under the default prior": (1000.0, 1.0, 1 / 3, 200_000),
    "near": (3.0, 1.0, 1 / 3, 200_000),
}


@pytest.mark.parametrize("case", MANY)
def test_the_error_of_many_different_numbers_is_below_what_is_said(case):
    centre, deviation, weight, n = MANY[case]
    item, cells = Gaussian(0.0, 1.0, weight), np.random.default_rng(1).normal(centre, deviation, n)
    lost = rounding(item, cells, np.ones(n, dtype=np.int64))
    one_class = ockham.FiniteMixture(1, {"a": item})
    if lost > MOST:
        with pytest.raises(ockham.DataError, match="the data: item 'a': its evidence would be off by about"):
            ockham.score(one_class, cells[:, None], "exact")
    else:
        found = ockham.score(one_class, cells[:, None], "exact", runs=1)["exact"].log_evidence
        assert abs(Decimal(found) - exact(item, cells, 1)) < lost
    sums = item.statistics(cells).sum(axis=0)
    in_turn = np.array([np.add.accumulate(each)[-1] for each in item.statistics(np.sort(cells)).T])
    for each in (sums, in_turn):
        assert abs(float(Decimal(float(item.log_marginal(each))) - exact(item, cells, 1))) < lost
    assert (lost > MOST) == (case in ("far", "far, fewer", "very far"))


def test_the_last_digit_of_a_sum_alone_is_not_enough(monkeypatch):
    monkeypatch.setattr(rounding_module, "STRAY", 0.0)
    with pytest.raises(AssertionError):
        test_the_error_of_many_different_numbers_is_below_what_is_said("far")


@pytest.mark.parametrize(("item", "cells", "weight"), LARGE.values(), ids=LARGE)
def test_a_table_that_loses_digits_is_refused(item, cells, weight):
    lost = rounding(item, np.array(cells), np.full(len(cells), weight))
    assert lost > MOST
    assert error(item, cells, weight) < lost
    table = pd.DataFrame({"a": cells, "times": [weight] * len(cells)})
    with pytest.raises(ockham.DataError, match=r"the data: item 'a': its evidence would be off by about .* fewer rows"):
        ockham.read_mixed_table(table, types={"a": item}, weights="times")


@pytest.mark.parametrize(("item", "cells", "weight"), SMALL.values(), ids=SMALL)
def test_a_table_that_does_not_is_read(item, cells, weight):
    lost = rounding(item, np.array(cells), np.full(len(cells), weight))
    assert error(item, cells, weight) < MOST > lost
    table = pd.DataFrame({"a": cells, "times": [weight] * len(cells)})
    assert ockham.read_mixed_table(table, types={"a": item}, weights="times").rows.n == weight * len(cells)
