"""Claim: parts are put together, summed and found missing by what was counted. Truth: sums by hand, and draws."""

import numpy as np
import pytest

from ockham.contracts import Doubt
from ockham.estimation.posterior_parts import doubt_of_part, groups_of, places, share_missed, sum_of_parts


@pytest.mark.parametrize(
    ("hits", "places", "missing"),
    [
        ([4, 4, 4], [0, 1, 2], 0.0),
        ([1, 1, 1], [0, 1, 2], 1.0),
        ([1, 1, 1], [0, 0, 1], 0.2),  # two starts led to one part, another to one of its own
        ([1, 1, 2], [0, 0, 0], 0.0),  # a ridge
        ([4, 4, 4], [0, 1, None], 0.2),
        ([4, 4, 1], [0, 1, None], 0.4),  # is not there, and stands for as much that was not found
        ([4, 1, 4], [1, 0, None], 0.5),  # the part has the number of the mode that is in none
        ([1, 1, 4], [None, None, 0], 1.0),
    ],
)
def test_modes_in_one_part_are_one_and_those_in_none_are_missing(hits, places, missing):
    found = share_missed(np.array([0.5, 0.3, 0.2]), np.array(hits), places, 3)
    assert found == pytest.approx(min(1.0, missing + 2 / sum(hits)))


def test_starts_to_minor_modes_do_not_tell_how_easily_a_part_is_found():
    """A part, and the whole posterior, may be hidden behind many of these."""
    shares, hits = np.array([0.6, 0.396, 0.004]), np.array([1, 9, 40])
    assert share_missed(shares, hits, [0, 1, 0], 2) == pytest.approx(0.604 + 2 / 10)
    assert share_missed(shares, hits, [0, 1, 1], 2) == pytest.approx(0.6 + 2 / 10)
    assert share_missed(shares + np.array([0, 0, 0.01]), hits, [0, 1, 0], 2) == pytest.approx(2 / 50)


def test_of_one_part_only_modes_that_are_not_in_it_are_missing():
    shares, hits = np.array([0.5, 0.3, 0.2]), np.array([1, 1, 4])
    assert share_missed(shares, hits, [0, 0, 0], 1) == 0
    assert share_missed(shares, hits, [0, None, None], 1) == pytest.approx(0.5)


@pytest.mark.parametrize(("hits", "missing"), [([4, 28], 0.0), ([3, 28], 2 / 3), ([1, 30], 1.0)])
def test_of_one_part_that_hardly_a_start_led_to_others_are_missing(hits, missing):
    """An eighth of all starts is enough."""
    assert share_missed(np.array([0.996, 0.004]), np.array(hits), [0, 0], 1) == pytest.approx(missing)


NORMAL_DRAWS = np.random.default_rng(3).standard_normal((2, 1000)) + np.array([[0.0], [10.0]])


def places_of(points, bridged=(True, True), draws=NORMAL_DRAWS):
    """Among normal proposals at 0 and 10, by draws of both."""

    def log_densities(at):
        return -0.5 * (np.ravel(at) - np.array([[0.0], [10.0]])) ** 2

    return places(log_densities(points), log_densities(draws), np.array(bridged))


def test_points_are_in_the_part_that_is_the_densest_there_or_in_none():
    assert places_of([0.0, 2.0, 4.0, 6.0, 8.0, 10.0]) == [0, 0, None, None, 1, 1]


def test_nothing_is_in_a_part_that_was_not_bridged():
    assert places_of([0.0, 10.0], (False, True)) == [None, 1]


def test_nothing_is_in_a_part_that_no_draw_lies_in():
    """The proposal of the second part is nowhere the densest among the draws."""
    assert places_of([0.0, 10.0], draws=NORMAL_DRAWS[:1]) == [0, None]


def test_draws_that_strayed_into_another_part_make_none_wider():
    """A fifth of the draws of the first chain are in the second part."""
    strayed = NORMAL_DRAWS.copy()
    strayed[0, :200] = NORMAL_DRAWS[1, :200]
    assert places_of([0.0, 4.0, 6.0, 10.0], draws=strayed) == [0, None, None, 1]


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


@pytest.mark.parametrize(
    ("n_draws", "time", "overlap", "doubt"),
    [
        (400, 2.0, 0.2, Doubt(0)),
        (400, 2.0, 0.199, Doubt.FEW_EFFECTIVE_SAMPLES),
        (399, 2.0, 0.5, Doubt.NOT_MIXED),  # as of any bridge
        (400, 2.0, np.nan, Doubt.FEW_EFFECTIVE_SAMPLES),
        (0, np.nan, np.nan, Doubt.FEW_EFFECTIVE_SAMPLES | Doubt.NOT_MIXED),
    ],
)
def test_draws_that_the_proposal_could_hardly_make_are_doubted(n_draws, time, overlap, doubt):
    assert doubt_of_part(0.1, n_draws, time, overlap) == doubt
