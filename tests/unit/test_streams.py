"""A name and a root seed give one stream, whatever else is drawn; different names give independent ones."""

from hashlib import sha256
from itertools import combinations

import numpy as np
import pytest

from ockham.streams import Stream

NAMES = [
    (),
    ("data",),
    ("score",),
    ("data", 0),
    ("data", 1),
    ("data", "1"),
    ("data", 1, 0),
    ("data", 1, 0, 0),
    ("data", 0, 1),
    (1, "data"),
    ("data1",),
    ("",),
    ("", ""),
    (0,),
    (0, 0),
    ("0",),
    (2**31 - 1,),
    ("data", "beal_ghahramani_2006", 17),
    ("data", "beal_ghahramani_2006", 17, "ü"),
]


def first(stream):
    return tuple(stream.generator().integers(0, 2**63, 4))


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_a_name_gives_the_same_stream_every_time(name):
    stream = Stream(11, *name)
    assert first(stream) == first(stream) == first(Stream(11, *name))


def test_every_name_and_root_has_its_own_stream():
    draws = {(root, name): first(Stream(root, *name)) for root in (0, 1, 2**40) for name in NAMES}
    assert len(set(draws.values())) == len(draws)


def test_siblings_never_coincide():
    assert len({first(Stream(3, "data", i)) for i in range(2000)}) == 2000


def test_a_text_differs_from_the_number_that_it_spells():
    assert first(Stream(1, "run", 1)) != first(Stream(1, "run", "1"))


def test_no_number_shares_the_stream_of_a_text():
    """The number that a text's hash begins with is the likeliest to collide."""
    texts = [text for text in map(str, range(10)) if sha256(text.encode()).digest()[3] < 128]
    numbers = [int.from_bytes(sha256(text.encode()).digest()[:4], "little") for text in texts]
    assert texts
    assert all(first(Stream(1, a)) != first(Stream(1, b)) for a, b in zip(texts, numbers, strict=True))


def test_numpy_integers_count_as_integers():
    assert first(Stream(1, "run", np.int64(5))) == first(Stream(1, "run", 5))


def test_a_child_is_the_stream_of_the_longer_name():
    assert first(Stream(5).child("a").child(2, "b")) == first(Stream(5, "a", 2, "b"))
    parent = Stream(5, "a")
    before = first(parent)
    parent.child("b").generator().random(100)
    assert first(parent) == before
    assert parent.name == ("a",)


def test_order_of_use_does_not_matter():
    forwards = [first(Stream(2, "cell", i)) for i in range(10)]
    backwards = [first(Stream(2, "cell", i)) for i in reversed(range(10))]
    assert forwards == backwards[::-1]


def test_generators_of_one_stream_do_not_share_state():
    stream = Stream(4, "a")
    one, other = stream.generator(), stream.generator()
    one.random(1000)
    assert other.random() == stream.generator().random()


@pytest.mark.parametrize("part", [-1, -(2**40)])
def test_negative_integers_are_refused(part):
    with pytest.raises(ValueError, match=rf"non-negative integers, got .*{part}"):
        Stream(1, "data", part).generator()


def test_fractions_are_refused():
    """Truncated, 1.5 and 1 would share a stream."""
    with pytest.raises((TypeError, ValueError)):
        Stream(1, "data", 1.5).generator()


@pytest.mark.parametrize("lag", [0, 1])
def test_neighbours_are_uncorrelated(lag):
    """Sibling, parent and child streams: |r| < 4 standard errors, 1 / sqrt(n), for every pair."""
    n = 4000
    streams = [Stream(8, "cell"), *(Stream(8, "cell", i) for i in range(6)), Stream(8, "cell", 0, 0), Stream(9, "cell")]
    draws = [stream.generator().random(n + lag) for stream in streams]
    for a, b in combinations(draws, 2):
        assert abs(np.corrcoef(a[:n], b[lag:])[0, 1]) < 4 / np.sqrt(n)


def test_the_correlation_check_notices_a_shared_stream():
    a, b = (Stream(8, "cell", 0).generator().random(4000) for _ in range(2))
    assert abs(np.corrcoef(a, b)[0, 1]) > 4 / np.sqrt(4000)
