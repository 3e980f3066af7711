"""Claim: of the modes of a search those are missing that are in no part, and from which no chain comes to one at once.

Truth: shares by hand, of modes on a line whose parts and chains are made up.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.missing_modes import n_independent_visits, share_missing, share_unvisited
from ockham.networks.inference.modes import log_means

TOGETHER = ((0,),), (True,)
APART = ((0,), (1,)), (True, True)


def missing_of(shares, *orders, ends=None):
    """Modes at 0, 1, ...; part k is what is at k, and chains go where ``ends`` says."""
    asked = []
    search = SimpleNamespace(
        shares=np.array(shares),
        hits=np.full(len(shares), 10),
        log_means=np.arange(len(shares), dtype=float)[:, None],
    )

    def locator(groups, bridged):
        return lambda points: [int(at) if at < len(groups) and bridged[int(at)] else None for at in points[:, 0]]

    def settle(point):
        asked.append(int(point[0]))
        return np.array([(ends or {}).get(int(point[0]), point[0])]), 7

    found, n_passes = share_missing(search, orders, locator, settle)
    assert n_passes == 7 * len(asked)
    return found, asked


def test_a_mode_in_no_part_is_missing_unless_a_chain_leaves_it_for_one():
    assert missing_of([0.7, 0.3], TOGETHER) == (pytest.approx(0.3), [1])
    assert missing_of([0.7, 0.3], TOGETHER, ends={1: 0}) == (0, [1])
    assert missing_of([0.5, 0.3, 0.2], TOGETHER, ends={1: 0}) == (pytest.approx(0.2), [1, 2])


def test_a_mode_that_its_chain_left_is_missing():
    assert missing_of([0.7, 0.3], (((0, 1),), (True,))) == (pytest.approx(0.3), [1])


def test_no_chain_is_sent_from_a_mode_that_lies_in_a_part():
    assert missing_of([0.7, 0.3], APART) == (pytest.approx(2 / 20), [])


def test_modes_of_little_evidence_are_not_looked_for():
    assert missing_of([0.9991, 0.0009], TOGETHER) == (pytest.approx(0.0009), [])
    assert missing_of([0.9991, 0.0009], (((0,),), (False,))) == (1, [])


def test_the_worse_of_both_orders_counts_and_alike_ones_are_asked_once():
    without = ((0,), (1,)), (True, False)
    assert missing_of([0.7, 0.3], APART, without)[0] == pytest.approx(0.3 + 2 / 20)
    assert missing_of([0.7, 0.3], TOGETHER, TOGETHER)[1] == [1]


NETWORK = DiscreteNetwork.build({"h": 2, "a": 2, "b": 2}, {"a": ["h"], "b": ["h"]}, ["h"])
POSTERIORS = np.array(
    [
        [20, 20, 19, 1, 1, 19, 10, 10, 10, 10],
        [20, 20, 10, 10, 10, 10, 19, 1, 1, 19],
        [20, 20, 1, 19, 1, 19, 1, 19, 1, 19],
    ],
    dtype=float,
)
"""Two classes that tell a, or b, or nothing."""
RENAMED = POSTERIORS[:, [1, 0, 4, 5, 2, 3, 8, 9, 6, 7]]


def at(visits):
    return [np.array([log_means(NETWORK, each[k]) for each, k in of_one]) for of_one in visits]


def modes_of(shares=(0.6, 0.395, 0.005), hits=(9, 9, 30)):
    return SimpleNamespace(shares=np.array(shares), hits=np.array(hits), posteriors=POSTERIORS)


def unvisited(*visits, **about):
    return share_unvisited(NETWORK, modes_of(**about), at(visits))


FIRST, AS_FIRST, SECOND = (POSTERIORS, 0), (RENAMED, 0), (POSTERIORS, 1)


def test_major_modes_that_are_nearest_to_nothing_chains_saw_are_missing():
    """Under any name of the classes."""
    assert unvisited([FIRST, SECOND], [FIRST, AS_FIRST, SECOND]) == 0
    seen = pytest.approx(0.2 * (1 - 0.8**4))  # as likely four draws would have been near it
    assert unvisited([FIRST, SECOND], [FIRST, SECOND], shares=(0.5, 0.3, 0.2)) == seen
    assert unvisited([FIRST], shares=(0.995, 0.003, 0.002)) == 0


def test_where_most_chains_stay_at_a_mode_others_may_be_missing():
    assert unvisited([FIRST, AS_FIRST], [SECOND]) == pytest.approx(2 / 18)
    assert unvisited([FIRST], [FIRST]) == pytest.approx(0.395 + 2 / 18)
    assert unvisited([FIRST], [SECOND], hits=(9, 1, 30)) == pytest.approx(0.395 + 2 / 10)
    assert unvisited([FIRST], [FIRST, SECOND], [FIRST, SECOND], hits=(9, 1, 30)) == 0


def test_beside_a_single_mode_that_hardly_a_start_led_to_others_may_be_missing():
    assert unvisited([FIRST], shares=(0.995, 0.003, 0.002), hits=(2, 9, 9)) == pytest.approx(2 / 2)
    assert unvisited([FIRST], shares=(0.995, 0.003, 0.002), hits=(3, 10, 8)) == 0


def test_points_that_are_as_far_from_their_mode_as_it_is_from_another_are_near_both():
    between = np.log(np.exp([log_means(NETWORK, each) for each in POSTERIORS[:2]]).T @ [0.6, 0.4])
    points, search = [np.array([between])], modes_of(shares=(0.6, 0.3, 0.1))
    nearest_alone = share_unvisited(NETWORK, search, points)
    assert nearest_alone == pytest.approx(0.4 + 2 / 48)
    assert share_unvisited(NETWORK, search, points, farther=3.0) < nearest_alone


def test_chains_that_do_not_change_modes_are_few_draws_of_which_they_are_near():
    def visits(*chains, orders, **about):
        return n_independent_visits(NETWORK, modes_of(**about), at(chains), orders)

    stay, every = [[FIRST] * 200, [SECOND] * 200, [FIRST] * 200, [AS_FIRST] * 200], (((0, 1, 2, 3),),)
    rng = np.random.default_rng(0)
    go = [[(FIRST, SECOND)[i] for i in rng.integers(2, size=200)] for _ in range(4)]
    assert 1 <= visits(*stay, orders=every) < 10
    assert visits(*go, orders=every) > 100
    assert visits(*go[:2], *stay[:2], orders=(((0, 1), (2, 3)), ((0, 1, 2), (3,)))) < 10  # of the fewest
    assert visits(*stay, orders=(((0, 2, 3), (1,)),)) == np.inf
    assert visits(*stay, orders=every, shares=(0.998, 0.001, 0.001)) == np.inf
