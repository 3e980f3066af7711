"""Claim: parts are put together, summed and found missing by what was counted. Truth: sums by hand, and draws."""

import numpy as np
import pytest

from ockham.estimation.posterior_parts import groups_of, share_missed, sum_of_parts


@pytest.mark.parametrize(
    ("hits", "places", "missing"),
    [
        ([4, 4, 4], ["a", "b", "c"], 0.0),
        ([1, 1, 1], ["a", "b", "c"], 1.0),
        ([1, 1, 1], ["a", "a", "b"], 0.2),  # two starts led to one part, another to one of its own
        ([1, 1, 2], ["a", "a", "a"], 0.0),  # a ridge
        ([4, 4, 4], ["a", "b", None], 0.2),
        ([4, 4, 1], ["a", "b", None], 0.4),  # is not there, and stands for as much that was not found
        ([1, 1, 4], [None, None, "a"], 1.0),
    ],
)
def test_modes_in_one_part_are_one_and_those_in_none_are_missing(hits, places, missing):
    found = share_missed(np.array([0.5, 0.3, 0.2]), np.array(hits), places)
    assert found == pytest.approx(missing + 2 / sum(hits))


def test_the_sum_of_parts_has_the_error_of_independent_ones():
    rng = np.random.default_rng(1)
    values, errors = np.array([3.0, 1.0, 0.2]), np.array([0.01, 0.05, 0.2])
    total, shares, error = sum_of_parts(np.log(values), errors)
    drawn = (values * (1 + errors * rng.standard_normal((100_000, 3)))).sum(axis=1)
    assert np.exp(total) == pytest.approx(values.sum())
    assert shares == pytest.approx(values / values.sum())
    assert error == pytest.approx(drawn.std() / drawn.mean(), rel=0.02)


def test_what_is_not_known_has_no_part():
    total, shares, error = sum_of_parts(np.array([0.5, np.nan, -np.inf]), np.array([0.1, np.inf, np.inf]))
    assert (total, list(shares), error) == (0.5, [1.0, 0.0, 0.0], pytest.approx(0.1))


def test_of_nothing_nothing_is_known():
    total, _, error = sum_of_parts(np.array([np.nan, -np.inf]), np.array([0.1, np.inf]))
    assert np.isnan(total)
    assert error == np.inf


def test_parts_are_one_by_way_of_others():
    """Normal proposals at 0, 2, 4 and 20, and draws of each."""
    centres = np.array([0.0, 2.0, 4.0, 20.0])
    draws = centres[:, None] + np.random.default_rng(2).standard_normal((4, 500))
    densities = [-0.5 * (own - centres[:, None]) ** 2 for own in draws]
    assert groups_of(densities) == [[0, 1, 2], [3]]
    assert groups_of([each[[0, 3]] for each in (densities[0], densities[3])]) == [[0], [1]]


def test_a_proposal_that_is_only_dense_at_few_draws_of_the_other_does_not_join_them():
    own, other = np.zeros(1000), np.full(1000, -1.0)
    other[:20] = 1.0
    assert groups_of([np.stack([own, other]), np.stack([other, own])]) == [[0], [1]]
    other[20] = 1.0
    assert groups_of([np.stack([own, other]), np.stack([other, own])]) == [[0, 1]]
