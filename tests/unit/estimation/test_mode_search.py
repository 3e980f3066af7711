"""Claim: a search follows its first starts whatever they promise, and the best of the others.

Truth: fits whose heights are set by hand, some of which show late. A search by halving alone is the control.
"""

from typing import NamedTuple

import pytest

from ockham.estimation import mode_search
from ockham.estimation.mode_search import followed


class Fit(NamedTuple):
    """Where a start stands after some steps."""

    start: int
    n_iterations: int
    objective: float


def search(n_starts=64, n_modes=1, late=(2,)):
    """Starts are as high as their number, but some are the highest of all in the end."""

    def climb(start, n_iterations):
        return Fit(start, n_iterations, 1000.0 if start in late and n_iterations == 500 else float(start))

    return followed(list(range(n_starts)), climb, lambda start, _: start, n_modes=n_modes, last=500)


def test_an_eighth_is_followed_and_the_best_of_the_others():
    fits, n_passes = search()
    assert [fit.start for fit in fits] == [2, 63, 62, 61, 7, 6, 5, 4, 3, 1, 0]
    assert {fit.n_iterations for fit in fits} == {500}
    assert n_passes == 56 * 17 + 28 * 33 + 14 * 65 + 7 * 129


@pytest.mark.parametrize(("n_starts", "n_modes"), [(64, 3), (12, 3), (3, 3), (1, 1)])
def test_four_for_each_mode_are_followed_at_the_least(n_starts, n_modes):
    starts = {fit.start for fit in search(n_starts, n_modes)[0]}
    assert starts >= set(range(min(4 * n_modes, n_starts)))
    assert len(starts) <= 2 * 4 * n_modes


def test_a_search_that_only_halves_misses_what_shows_late(monkeypatch):
    late = tuple(range(4, 8))
    assert search(late=late)[0][0].start in late
    monkeypatch.setattr(mode_search, "FOLLOWED", 10**9)
    assert search(late=late)[0][0].start not in late
