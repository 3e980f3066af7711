"""Claim: of several starts the better half goes on each time, for twice as many steps, until few enough are left.

Source of truth: a race whose every state is known in advance.
"""

from dataclasses import dataclass

import pytest

from ockham.estimation.successive_halving import halved


@dataclass
class Stand:
    name: str
    n_iterations: int
    objective: float


def race(rates, **settings):
    """What is left of starts that climb by their own rate at every step, the passes, and who climbed how far."""
    climbed = []

    def climb(start, n_steps):
        name, height = start
        climbed.append((name, n_steps))
        return Stand(name, n_steps, height + rates[name] * n_steps)

    left, n_passes = halved([(name, 0.0) for name in rates], climb, lambda _, s: (s.name, s.objective), **settings)
    return left, n_passes, climbed


def test_one_is_left_after_one_two_and_four_steps():
    left, n_passes, climbed = race({name: rate for rate, name in enumerate("abcdefgh")})
    assert left == [("h", 7 * (1 + 2 + 4))]
    assert n_passes == 8 * 2 + 4 * 3 + 2 * 5
    assert climbed[8:] == [("h", 2), ("g", 2), ("f", 2), ("e", 2), ("h", 4), ("g", 4)]


def test_several_are_left_the_best_first():
    left, n_passes, _ = race({"a": 1, "b": 3, "c": 2, "d": 0}, n_steps=16, n_left=2)
    assert [name for name, _ in left] == ["b", "c"]
    assert n_passes == 4 * 17


def test_those_of_equal_objectives_keep_their_order():
    assert race({"a": 1, "b": 1, "c": 1, "d": 1})[0][0][0] == "a"


@pytest.mark.parametrize("n_left", [1, 4])
def test_few_enough_do_not_climb(n_left):
    rates = dict.fromkeys("abcd"[:n_left], 1)
    left, n_passes, climbed = race(rates, n_left=n_left)
    assert [name for name, _ in left] == list(rates)
    assert (n_passes, climbed) == (0, [])
