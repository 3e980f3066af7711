"""Times of counting linear extensions: the graphs that are counted, and what the figure shows of them."""

import numpy as np
import pytest
import xarray as xr

from ockham.estimation import timing
from ockham.orders.data.random_graphs import random_graph
from ockham.orders.inference.ideals import table_bytes
from ockham.orders.inference.linear_extensions import log_counts
from ockham.orders.measurements.linear_extensions import extension_times
from ockham.papers.niinimaki_koivisto_2013.figure_1 import figure_1
from ockham.streams import Stream

STREAM = Stream(1, "test")


@pytest.fixture(scope="module")
def found():
    with pytest.MonkeyPatch.context() as patch:  # a clock that moves by a second at every look
        ticks = iter(range(10**6))
        patch.setattr(timing, "process_time", lambda: float(next(ticks)))
        return extension_times([5, 12], [1, 3], 2, STREAM)


def test_every_graph_has_its_time_and_its_numbers(found):
    assert (found.seconds == 1.0).all()
    assert (found.table_seconds == 1.0).all()
    graph = random_graph(12, 3, STREAM.child("graph", 3, 12, 1).generator())
    last = found.sel(max_indegree=3, n=12, graph=1)
    assert last.log_count == log_counts(graph[None])[0]
    assert last.table_bytes == table_bytes(12, int(last.n_ideals))
    assert (found.n_ideals > found.n).all()
    assert all(found[name].attrs["units"] for name in found)


def test_a_count_without_enough_memory_has_no_time(found):
    short = extension_times([5, 12], [1, 3], 2, STREAM, max_bytes=100)
    assert np.isnan(short.seconds.sel(max_indegree=3, n=12)).any()
    np.testing.assert_array_equal(short.n_ideals, found.n_ideals)
    lines = figure_1(xr.DataTree.from_dict({"linear_extensions": short})).axes[0].lines
    known = short.seconds.sel(max_indegree=3).notnull().all("graph")
    np.testing.assert_array_equal(np.isfinite(lines[3].get_ydata()), known)


def test_tables_of_a_size_are_timed_where_all_of_them_fit(found):
    largest = found.table_bytes.max("graph")
    limit = float(found.table_bytes.sel(max_indegree=3, n=12).min())
    short = extension_times([5, 12], [1, 3], 2, STREAM, table_limit=limit)
    assert 0 < (largest > limit).sum() < largest.size
    timed = short.table_seconds.notnull()
    np.testing.assert_array_equal(timed.all("graph"), largest <= limit)
    np.testing.assert_array_equal(timed.any("graph"), largest <= limit)


def test_a_graph_does_not_depend_on_what_else_is_timed(found):
    alone = extension_times([12], [3], 1, STREAM)
    assert alone.log_count.item() == found.log_count.sel(max_indegree=3, n=12, graph=0)


def test_the_figure_has_a_line_of_means_and_every_graph(found):
    steps = xr.DataArray([1.0, 2.0], {"n": found.n})
    found = found.assign(seconds=found.seconds * steps, table_seconds=found.table_seconds * steps * 3)
    figure = figure_1(xr.DataTree.from_dict({"linear_extensions": found}))
    times, ideals = figure.axes
    for axes, name, first in ((times, "seconds", 0), (times, "table_seconds", 6), (ideals, "n_ideals", 0)):
        assert axes.get_yscale() == "log"
        lines = axes.lines[first:]
        np.testing.assert_array_equal(lines[0].get_ydata(), found[name].sel(max_indegree=1).mean("graph"))
        points = np.array([line.get_ydata() for line in lines[1:3]])
        np.testing.assert_array_equal(points.T, found[name].sel(max_indegree=1))
    labels = [text.get_text() for text in times.get_legend().get_texts()]
    ours = ["indegree 1", "indegree 3"]
    assert labels == [*ours, *(f"{label}, table of ideals" for label in ours), "paper: a few seconds"]
