"""Claims: chains that were found together stay together, and are bridged as if they had been found so again; points are
in the part of the chains that came to them, or in none.

Truth: the same estimate with the chains compared anew; where the chains were sent.
"""

import numpy as np
import pytest

from ockham.estimation import posterior_parts
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.dirichlet import sample_log
from ockham.networks.inference import gibbs, parts
from ockham.networks.inference.relabellings import relabellings
from ockham.networks.structure_space import naive_bayes
from ockham.streams import Stream

NETWORK = naive_bayes([2], [2] * 3)["classes-2"]
DATA = UniqueRows.of(np.random.default_rng(1).integers(0, 2, (12, 3)), [2] * 3)


@pytest.fixture(scope="module")
def chains():
    rng = Stream(3).generator()
    return [gibbs.run(NETWORK, DATA, sample_log(NETWORK, rng), rng, 600, keep=True).draws for _ in range(3)]


def estimate(chains, together=()):
    return parts.estimate(NETWORK, DATA, relabellings(NETWORK), chains, Stream(4).generator(), together)


def test_what_was_found_together_is_not_looked_for_again(chains, monkeypatch):
    found = estimate(chains)
    assert found.together == (((0, 1, 2),), ((0, 1, 2),))
    monkeypatch.setattr(parts, "groups_of", lambda _: pytest.fail("compared"))
    again = estimate(chains, found.together)
    assert (again.log_evidence, again.relative_error) == (found.log_evidence, found.relative_error)


def test_parts_that_were_apart_can_be_joined(chains, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(posterior_parts, "TOGETHER", 2.0)
        apart = estimate(chains)
    assert apart.together == (((0,), (1,), (2,)),) * 2
    assert estimate(chains, apart.together).together == (((0, 1, 2),),) * 2


FAR_APART = np.repeat([[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0]], 150, axis=0)
ITEMS = naive_bayes([2], [2] * 8)["classes-2"]


@pytest.fixture(scope="module")
def at_two_places():
    """A chain of the posterior of either kind of rows."""
    rng = Stream(5).generator()
    halves = [UniqueRows.of(FAR_APART[at], [2] * 8) for at in (slice(0, 150), slice(150, 300))]
    return [gibbs.run(ITEMS, half, sample_log(ITEMS, rng), rng, 600, keep=True).draws[200:] for half in halves]


def places_of(chains, points):
    groups = tuple((c,) for c in range(len(chains)))
    return parts.locator(ITEMS, relabellings(ITEMS), chains, groups, (True,) * len(groups), parts.Proposal.fit)(points)


def test_points_are_in_the_part_of_the_chain_that_came_to_them(at_two_places):
    one, other = at_two_places
    assert places_of([one, other], np.array([one[100], one[300], other[100], other[300]])) == [0, 0, 1, 1]


def test_a_point_that_no_chain_came_near_is_in_none(at_two_places):
    one, other = at_two_places
    assert places_of([one], other[[100, 300]]) == [None, None]


def test_the_check_notices_a_part_without_an_edge(at_two_places, monkeypatch):
    one, other = at_two_places
    monkeypatch.setattr(np, "quantile", lambda *_: -np.inf)
    with pytest.raises(AssertionError):
        assert places_of([one], other[[100, 300]]) == [None, None]
