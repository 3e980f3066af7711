"""Forbidden and required arcs that cannot be are refused in a sentence, before anything is computed.

Source of truth: what the sentence has to name.
"""

import numpy as np
import pytest

import ockham
from ockham.orders.constraints import arcs_between, masks_of

NAMES = ("rain", "wet", "slip", "sun")
ROWS = np.random.default_rng(1).integers(0, 2, (20, 4))
BAD = {
    "an unknown name": ({"forbidden": [("x1", "snow")]}, "forbidden: there is no variable 'snow'; there are x1, x2"),
    "a number": ({"required": [(0, 1)]}, "required: there is no variable 0; there are x1, x2, x3, x4"),
    "a list as a name": ({"required": [(["x1"], "x2")]}, r"required: there is no variable \['x1'\]"),
    "one pair": ({"forbidden": ("x1", "x2")}, "forbidden: every arc: 'x1' must be a list"),
    "three names": ({"forbidden": [("x1", "x2", "x3")]}, r"forbidden: \('x1', 'x2', 'x3'\) must be a pair"),
    "no list": ({"forbidden": 3}, "forbidden: 3 must be a list"),
    "a loop": ({"forbidden": [("x1", "x1")]}, "x1 -> x1: an arc has two ends"),
    "both": (
        {"forbidden": [("x1", "x2")], "required": [("x3", "x4"), ("x1", "x2")]},
        "x1 -> x2: is both forbidden and required; leave one out",
    ),
    "a cycle of two": ({"required": [("x1", "x2"), ("x2", "x1")]}, "x2 -> x1 -> x2: required arcs make a cycle"),
    "a cycle": (
        {"required": [("x4", "x1"), ("x1", "x2"), ("x2", "x3"), ("x3", "x1")]},
        "x3 -> x1 -> x2 -> x3: required arcs make a cycle; leave one out",
    ),
    "too many parents": (
        {"required": [("x1", "x4"), ("x2", "x4"), ("x3", "x4")], "max_indegree": 2},
        "x4: 3 parents are required, 2 are allowed: raise the largest indegree, or require fewer",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_refused(case, monkeypatch):
    arguments, message = BAD[case]
    monkeypatch.setattr("ockham.orders.learning.search", None)  # nothing is computed
    with pytest.raises(ockham.ModelError, match=message) as caught:
        ockham.arcs(ROWS, **arguments)
    assert "\n" not in str(caught.value)


def test_arcs_are_taken_once_and_in_one_order():
    assert arcs_between(NAMES, [("slip", "rain"), ["rain", "wet"], ("slip", "rain")], "required") == ((0, 1), (2, 0))
    assert arcs_between(NAMES, iter([]), "required") == ()
    assert masks_of(3, [(0, 1), (2, 1), (2, 0)]).tolist() == [4, 5, 0]


def test_a_space_has_them_by_number():
    space = ockham.OrderSpace(3, 2, forbidden=[(2, 0), [0, 1], (2, 0)], required=((np.int64(1), 2),))
    assert (space.forbidden, space.required) == (((0, 1), (2, 0)), ((1, 2),))
    assert space == ockham.OrderSpace(3, 2, forbidden=[(0, 1), (2, 0)], required=[(1, 2)])
    assert len({ockham.OrderSpace(3, 2, required=arcs).digest for arcs in ((), [(0, 1)], [(1, 0)])}) == 3
    assert ockham.OrderSpace(3, 2, forbidden=[(0, 1)]).digest != ockham.OrderSpace(3, 2, required=[(0, 1)]).digest
    with pytest.raises(ockham.ModelError, match="required: there is no variable 3; there are 0, 1, 2"):
        ockham.OrderSpace(3, 2, required=[(0, 3)])
    with pytest.raises(ockham.ModelError, match="node 1 -> node 0 -> node 1: required arcs make a cycle"):
        ockham.OrderSpace(3, 2, required=[(0, 1), (1, 0)])
