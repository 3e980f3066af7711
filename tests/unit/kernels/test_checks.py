"""A kernel refuses arrays that would make it read or write outside of another: the process lives on to say so."""

import dataclasses

import numpy as np
import pytest

from ockham import families
from ockham.errors import DataError
from ockham.estimation.row_layout import Terms
from ockham.kernels import completions, em
from ockham.networks.data.unique_rows import UniqueRows
from ockham.networks.discrete_network import DiscreteNetwork
from ockham.networks.inference.expectation import layout
from ockham.networks.structure_space import bipartite_network
from ockham.streams import Stream

NETWORK = bipartite_network([[1, 2], [2]], [2, 2], [3, 2])
TERMS = Terms.of(NETWORK.prior, NETWORK.n_entries + 1)
PLAN = layout(NETWORK, UniqueRows.of([[0, 1], [2, 0], [1, 1], [0, 0], [1, 0], [2, 1], [2, 1]], [3, 2]))


def run(plan, row_starts=NETWORK.row_starts, terms=TERMS):
    size = NETWORK.n_entries + 2
    start = np.log(np.full(NETWORK.n_entries, 0.5))
    theta, counts, work = np.empty(size), np.empty(size), np.empty(10_000)
    return em.run(plan, row_starts, NETWORK.prior, terms, start, theta, counts, np.empty(0), 3, 0.0, 0.0, work)


def broken_copy(array, value):
    array = array.copy()
    array.flat[-1] = value
    return array


def test_the_right_arrays_are_accepted():
    assert np.isfinite(run(PLAN)[0])


@pytest.mark.parametrize("name", ["entry", "left_rows", "right_rows", "row_start", "row_right", "shared_rows"])
@pytest.mark.parametrize("value", [-1, 10**8])
def test_an_index_out_of_range_is_refused(name, value):
    with pytest.raises(ValueError, match="out of range"):
        run(dataclasses.replace(PLAN, **{name: broken_copy(getattr(PLAN, name), value)}))


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [("fillings", 0, -1), ("fillings", -1, 10**8), ("filling_start", 0, 1), ("filling_start", 1, 0),
     ("filling_start", 1, 10**8), ("filling_start", -1, 10**8), ("filling_start", -1, 3)],
)  # fmt: skip
def test_a_filling_out_of_range_is_refused(name, place, value):
    network = DiscreteNetwork.build({"a": 2, "b": 2}, {"b": ["a"]})
    plan = layout(network, UniqueRows.of([[-1, 0], [-1, 1], [0, 0]], [2, 2], missing=True))
    terms, array = Terms.of(network.prior, network.n_entries + 1), getattr(plan, name).copy()

    def start(plan):
        size, start = network.n_entries + 2, np.log(np.full(network.n_entries, 0.5))
        theta, counts, history, work = np.empty(size), np.empty(size), np.empty(0), np.empty(10_000)
        return em.run(plan, network.row_starts, network.prior, terms, start, theta, counts, history, 3, 0.0, 0.0, work)

    assert np.isfinite(start(plan)[0])
    array[place] = value
    with pytest.raises(ValueError, match="out of range"):
        start(dataclasses.replace(plan, **{name: array}))


@pytest.mark.parametrize("name", ["products", "singles"])
@pytest.mark.parametrize("value", [-1, 10**8])
def test_a_term_out_of_range_is_refused(name, value):
    def broken(terms):
        return dataclasses.replace(terms, **{name: broken_copy(getattr(terms, name), value)})

    with pytest.raises(ValueError, match="out of range"):
        run(dataclasses.replace(PLAN, terms=broken(PLAN.terms)))
    with pytest.raises(ValueError, match="out of range"):
        run(PLAN, terms=broken(TERMS))


@pytest.mark.parametrize("value", [-1, 0, 10**8])
def test_parameter_rows_that_do_not_follow_each_other_are_refused(value):
    with pytest.raises(ValueError, match="out of range"):
        run(PLAN, broken_copy(NETWORK.row_starts, value))


@pytest.mark.parametrize("broken", ["cells", "starts", "weights", "log_factorials", "position"])
def test_the_sum_over_completions_refuses_what_does_not_fit(broken):
    arrays = {
        "weights": np.array([2, 1]),
        "starts": np.array([0, 2, 4], dtype=np.int32),
        "cells": np.zeros((4, 1), dtype=np.int32),
        "log_factors": np.zeros((1, 4)),
        "log_factorials": np.zeros(3),
        "position": np.zeros(1, dtype=np.int32),
    }
    assert np.isfinite(completions.log_sum(*arrays.values()))
    arrays["position"] = np.zeros(1, dtype=np.int32)
    if broken == "log_factorials":
        arrays[broken] = np.zeros(1)
    else:
        arrays[broken] = arrays[broken] + 10**7
    with pytest.raises(ValueError, match=r"out of range|start at"):
        completions.log_sum(*(arrays[name] for name in arrays))


@pytest.mark.parametrize("broken", ["weights", "chosen", "temperatures", "work", "position"])
def test_annealed_completions_refuse_what_does_not_fit(broken):
    arrays = {
        "weights": np.array([2, 1]),
        "starts": np.array([0, 2, 4], dtype=np.int32),
        "cells": np.zeros((4, 1), dtype=np.int32),
        "log_factors": np.zeros((1, 4)),
        "position": np.zeros(1, dtype=np.int32),
        "temperatures": np.array([0.0, 1.0]),
    }

    def run(n_chosen=3, n_work=2):
        chosen, work = np.empty(n_chosen, dtype=np.int32), np.empty(n_work)
        generator = np.random.default_rng(0).bit_generator
        return completions.log_weight(generator, *arrays.values(), n_transitions=1, chosen=chosen, work=work)

    assert run() == 0.0
    arrays["position"] = np.zeros(1, dtype=np.int32)
    sizes = {f"n_{broken}": 1} if broken in ("chosen", "work") else {}
    if not sizes:
        arrays[broken] = arrays[broken][:1] if broken == "temperatures" else arrays[broken] + 10**7
    with pytest.raises(ValueError, match=r"out of range|start at|do not fit"):
        run(**sizes)


@pytest.mark.parametrize(
    ("rows", "counts"), [([[-100_000_000, 0]], [1]), ([[0, 0]], [0]), ([[0, 0]], [1, 1]), (np.zeros((0, 2)), [])]
)
def test_unique_rows_that_no_data_have_are_refused(rows, counts):
    with pytest.raises(DataError):
        UniqueRows(np.asarray(rows), np.asarray(counts))


@pytest.mark.parametrize("scorer", families.scorer_names("discrete_network"))
@pytest.mark.parametrize("rows", [[[3, 0]], [[0, 0, 0]]])
def test_every_scorer_refuses_data_of_another_model(scorer, rows):
    data = UniqueRows(np.array(rows), np.array([1]))
    module = families.scorer("discrete_network", scorer)
    with pytest.raises(DataError, match="the network observes 2 variables"):
        module.score(NETWORK, data, module.Settings(), Stream(1))
