"""Tables whose structure is known: two clusters of items with a hidden cause each, and items that are a plain chain."""

import numpy as np
import pytest
from reference.searches import strong_table

import ockham
from ockham.networks.family import Networks
from ockham.networks.searches import searching
from ockham.networks.searches.climbing import Limits

LIMITS = Limits(max_indegree=3, max_hidden=2, max_values=3)


@pytest.fixture(scope="session")
def limits():
    return LIMITS


@pytest.fixture(scope="session")
def of_class():
    """700 rows of six items with one hidden cause of three values, and of one more item that depends on an item."""
    parents = {**{f"x{k}": ["h"] for k in range(6)}, "x6": ["x0"]}
    return strong_table({"h": 3, **{f"x{k}": 2 + (k % 2) for k in range(7)}}, parents, ["h"], 700, 1)


@pytest.fixture(scope="session")
def of_chain():
    """700 rows of six items, each of which depends on the one before."""
    return strong_table({f"x{k}": 2 for k in range(6)}, {f"x{k}": [f"x{k - 1}"] for k in range(1, 6)}, [], 700, 2)


@pytest.fixture(scope="session")
def tiny():
    """A table of 12 rows of three items, some of whose cells are missing, one row without any value."""
    states = np.random.default_rng(3).integers(0, [2, 3, 2], size=(12, 3))
    states[1, 0] = states[4, 2] = states[5, 0] = states[5, 1] = -1
    states[7] = -1
    labels = tuple(tuple(map(str, range(r))) for r in (2, 3, 2))
    return ockham.CategoricalTable(("a", "b", "c"), labels, states.astype(np.int64))


@pytest.fixture(scope="session")
def quick(of_class):
    """A search on ``of_class``, or another table, whose evidences end without a check, or are not begun."""

    def searched(table=of_class, judging=True, **more):
        def compared(networks, read, error, left, *rest):
            return searching_compared(networks, read, error, left if judging else 0.0, *rest)

        searching_compared = searching.compared
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Networks, "plan", Networks.plan._replace(samplers=Networks.plan.samplers[:1]))
            patch.setattr(searching, "compared", compared)
            return searching.search(table, **{"error": 0.5, "seconds": 600.0, "progress": False} | more)

    return searched
