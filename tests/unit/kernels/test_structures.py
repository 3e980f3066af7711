"""The kernels over structures refuse arrays that do not fit together, and states out of range."""

import numpy as np
import pytest

from ockham.kernels import bdeu, exact_structures, linear_extensions


def families(**changed):
    arrays = {
        "states": np.zeros((3, 4), dtype=np.int32),
        "cardinalities": np.full(3, 2, dtype=np.int32),
        "equivalent_sample_size": 1.0,
        "max_indegree": 2,
        "log_scores": np.zeros((3, 4)),
        "work": np.zeros(bdeu.work_size(4, 2, 2), dtype=np.int32),
    }
    bdeu.log_scores(*(arrays | changed).values())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("states", np.full((3, 4), 2, dtype=np.int32), "out of range"),
        ("states", np.full((3, 4), -1, dtype=np.int32), "out of range"),
        ("cardinalities", np.full(2, 2, dtype=np.int32), "do not fit"),
        ("max_indegree", 3, "do not fit"),
        ("max_indegree", -1, "do not fit"),
        ("max_indegree", 1, "do not fit"),
        ("log_scores", np.zeros((3, 5)), "do not fit"),
        ("work", np.zeros(36, dtype=np.int32), "do not fit"),
    ],
)
def test_families(name, value, message):
    families()
    with pytest.raises(ValueError, match=message):
        families(**{name: value})


def extensions(**changed):
    arrays = {
        "parents": np.zeros((2, 3), dtype=np.uint64),
        "max_sets": 10,
        "counts": np.zeros((2, 1), dtype=np.uint64),
        "n_sets": np.zeros(2, dtype=np.int64),
    }
    linear_extensions.count(*(arrays | changed).values())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("parents", np.zeros((3, 3), dtype=np.uint64)),
        ("parents", np.zeros((2, 65), dtype=np.uint64)),
        ("max_sets", 0),
        ("counts", np.zeros((2, 6), dtype=np.uint64)),
        ("n_sets", np.zeros(1, dtype=np.int64)),
    ],
)
def test_linear_extensions(name, value):
    extensions()
    with pytest.raises(ValueError, match="do not fit"):
        extensions(**{name: value})


@pytest.mark.parametrize(("n_forward", "n_backward", "n_columns"), [(16, 16, 4), (8, 4, 4), (8, 8, 8)])
def test_sums_over_orders(n_forward, n_backward, n_columns):
    with pytest.raises(ValueError, match="do not fit"):
        exact_structures.sum_orders(np.zeros((3, n_columns)), np.zeros(n_forward), np.zeros(n_backward))


@pytest.mark.parametrize(("n_work", "n_powers"), [(2, 8), (3, 7)])
def test_sums_over_graphs(n_work, n_powers):
    exponents, powers = np.zeros(8, dtype=np.int32), np.zeros(n_powers, dtype=np.int32)
    with pytest.raises(ValueError, match="do not fit"):
        exact_structures.sum_graphs(
            np.zeros((3, 4)), np.zeros(8), exponents, np.zeros(8), np.zeros((n_work, 8)), powers
        )
