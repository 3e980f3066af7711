"""What the heuristic leaves of the bias.

Sources of truth: exact posteriors, and the expected number of different draws.
"""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr
from reference.orders import random_scores

from ockham.contracts import Draw
from ockham.orders.data.complete_table import CompleteTable
from ockham.orders.inference.exact_structures import exact_graphs, exact_orders
from ockham.orders.inference.unique_graphs import list_space
from ockham.orders.measurements.order_bias import Settings, check, measure, of_special_graph, of_table
from ockham.orders.space import OrderSpace
from ockham.papers.claims.stored import read_stored
from ockham.papers.niinimaki_koivisto_2013 import PAPER
from ockham.papers.niinimaki_koivisto_2013.unique_graphs import special_graph, unique_graphs
from ockham.streams import Stream

STREAM = Stream(1, "test")
STUDY = SimpleNamespace(
    root_seed=1, paper=None, study="s", max_indegree=3, equivalent_sample_size=1.0, sizes=[40], n_variables=5
)


@pytest.fixture(scope="module")
def scores():
    return random_scores(3, 4, 3, 1.0)


@pytest.fixture(scope="module")
def found(scores):
    return of_table({9: list_space(scores)}, "abcd", [0.0, 0.2], [1, 3, 24], 400, STREAM)


def test_the_arc_is_the_one_with_the_largest_bias(found, scores):
    uniform, biased = exact_graphs(scores).arcs, exact_orders(scores).arcs
    u, v = found.arc.item().split(" -> ")
    at = "abcd".index(u), "abcd".index(v)
    assert found.exact.item() == pytest.approx(uniform[at], abs=1e-12)
    assert found.biased.item() == pytest.approx(biased[at], abs=1e-12)
    assert abs(biased - uniform)[at] == abs(biased - uniform).max() > 0.01


def test_means_are_within_their_errors_of_what_they_should_be(found):
    one = found.sel(rows=9, left_out=0.0, orders=1)
    assert abs(one.unique - one.biased) < 4 * one.unique_error
    assert abs(one.unique - one.exact) > 4 * one.unique_error
    assert abs(one.counted - one.biased) < 4 * one.counted_error  # a ratio from one graph is as biased
    many = found.sel(rows=9, orders=24)
    assert abs(many.counted - many.exact) < abs(many.biased - many.exact)
    assert (found.covered.diff("orders") > 0).all()
    assert (found.covered.sel(left_out=0.2) < found.covered.sel(left_out=0.0)).all()


def test_a_special_graph_among_others():
    draws, others = [0.25, 1.0, 4.0], 200
    found = of_special_graph(others, draws, 300, STREAM)
    for part in draws:
        different = others * (1 - (1 - 1 / (2 * others)) ** round(part * others))
        one = found.sel(draws=part)
        error = 4 * one.special_error + 0.002  # and of taking the mean of a ratio for the ratio of means
        assert abs(one.special - 0.5 / (0.5 + different / (2 * others))) < error
    assert abs(found.special.sel(draws=1.0) - 2 / 3) > 0.03  # as if no draw repeated another


def test_the_table_of_a_study_is_cut(found):
    states = np.random.default_rng(1).integers(0, 2, (40, 5))
    draw = Draw(1, np.empty(0), states, tuple("abcde"), (2,) * 5)
    made = measure(STUDY, draw, Settings(variables=3, rows=[10, 40], orders=[2], repeats=5, others=50, draws=[1.0]))
    table = CompleteTable(tuple("abc"), (2,) * 3, states[:10, :3])
    exact = exact_graphs(table.family_scores(OrderSpace(3, 2))).arcs
    u, v = (("abc").index(name) for name in made.arc.sel(rows=10).item().split(" -> "))
    assert made.exact.sel(rows=10) == pytest.approx(exact[u, v], abs=1e-12)
    assert dict(made.sizes) == {"rows": 2, "left_out": 2, "orders": 1, "draws": 1}


@pytest.mark.parametrize("changed", [{"rows": [41]}, {"rows": [10], "variables": 5}])
def test_more_than_the_table_has_is_refused(changed):
    study = SimpleNamespace(**vars(STUDY) | {"n_variables": 4})
    check(study, Settings(rows=[40], variables=4))
    with pytest.raises(ValueError, match=r"measurements.order_bias: the table has 40 rows of 4 variables"):
        check(study, Settings(**{"rows": [40]} | changed))


def test_the_tables_show_it(found):
    tree = xr.DataTree.from_dict({"order_bias": found.merge(of_special_graph(100, [0.5, 1.0], 50, STREAM))})
    table = unique_graphs(tree, PAPER)
    about = read_stored(PAPER).tables
    assert set(table.columns) == {*about["unique_graphs"].rows, *about["unique_graphs"].columns}
    assert len(table) == 2 * 3
    last = table.iloc[-1]
    chosen = found.sel(rows=9, left_out=0.2, orders=24)
    assert last[["heuristic", "counted"]].tolist() == [round(float(chosen[name]), 4) for name in ("unique", "counted")]
    other = special_graph(tree, PAPER)
    assert set(other.columns) == {*about["special_graph"].rows, *about["special_graph"].columns}
    assert other["as argued"].tolist() == [0.8, 0.6667]
    assert other["with repeats"].tolist() == pytest.approx([0.8185, 0.7172], abs=1e-12)
