"""A posterior of graphs in the forms that others read: tables, data sets, graphs, pictures and text.

Source of truth: the arrays that it holds.
"""

import sys

import networkx
import numpy as np
import pytest

import ockham
from ockham.orders.estimates import arcs_of
from ockham.orders.graph_posterior import BestGraph

NAMES = ("rain", "wet & <cold>", "slip")
PAIRS = {"arc": "arcs", "adjacent": "adjacencies", "path": "paths", "in_blanket": "markov_blankets"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rng = np.random.default_rng(3)
    rain = rng.random(60) < 0.4
    wet = rain ^ (rng.random(60) < 0.2)
    slip = wet ^ (rng.random(60) < 0.25)
    path = tmp_path_factory.mktemp("table") / "walk.csv"
    rows = np.column_stack([rain, wet, slip]).astype(int).tolist()
    path.write_text("\n".join(",".join(map(str, row)) for row in [NAMES, *rows]))
    return path


@pytest.fixture(scope="module")
def found(path):
    return ockham.arcs(path, n_draws=200)


@pytest.fixture(scope="module")
def unknown(path):
    with pytest.warns(ockham.OckhamWarning):
        return ockham.arcs(path, exact=False, n_effective=3000, max_gigabytes=0.001)


def test_the_table_has_every_pair(found):
    table = found.table
    assert len(table) == 6
    assert table["arc"].is_monotonic_decreasing
    for row in table.itertuples():
        u, v = NAMES.index(row.parent), NAMES.index(row.child)
        for column, name in PAIRS.items():
            of = getattr(found, name)
            values = getattr(row, column), getattr(row, f"{column}_low"), getattr(row, f"{column}_high")
            assert values == (of.probability[u, v], of.low[u, v], of.high[u, v])
        assert row.in_best_graph == ((row.parent, row.child) in found.best.arcs)


def test_the_data_set_has_everything(found):
    data = found.to_xarray()
    for variable, name in PAIRS.items():
        np.testing.assert_array_equal(data[variable], getattr(found, name).probability)
        np.testing.assert_array_equal(data[f"{variable}_high"], getattr(found, name).high)
    assert data["arc"].dims == ("parent", "child")
    assert data["parent"].values.tolist() == list(NAMES)
    np.testing.assert_array_equal(data["best_graph"], arcs_of(found.best.parents))
    np.testing.assert_array_equal(data["graph_parents"], found.graphs.parents)
    assert data["log_evidence"] == found.log_evidence
    assert (data.prior, data.graphs_from, data.best_of_all) == ("graphs", "exact posterior", 1)


def test_the_data_set_is_written_as_it_is(found, tmp_path):
    import xarray

    found.to_xarray().to_netcdf(tmp_path / "graphs.nc")
    xarray.testing.assert_identical(xarray.load_dataset(tmp_path / "graphs.nc"), found.to_xarray())


def test_the_graph_is_the_best_one_or_has_the_probable_arcs(found):
    graph = found.to_networkx()
    assert networkx.is_directed_acyclic_graph(graph)
    assert set(graph.edges) == set(found.best.arcs)
    assert list(graph.nodes) == list(NAMES)
    probable = found.to_networkx(0.3)
    table = found.table
    chosen = table[table["arc"] >= 0.3]
    assert set(probable.edges) == set(zip(chosen["parent"], chosen["child"], strict=True))
    assert set(found.to_networkx(0.0).edges) == set(zip(table["parent"], table["child"], strict=True))
    (row,) = table[(table["parent"] == "rain") & (table["child"] == NAMES[1])].itertuples()
    assert found.to_networkx(0.0).edges["rain", NAMES[1]] == {"probability": row.arc, "low": row.arc, "high": row.arc}


def test_the_picture_names_the_prior_and_draws_widths(found, path):
    figure = found.plot(0.2)
    (axes,) = figure.axes
    assert axes.get_title() == "Arcs, prior uniform over graphs: exact"
    assert {text.get_text() for text in axes.texts} == set(NAMES)
    widths = sorted(patch.get_linewidth() for patch in axes.patches)
    shown = np.sort(found.arcs.probability[found.arcs.probability >= 0.2])
    np.testing.assert_allclose(widths, 0.2 + 2.3 * shown)
    other = ockham.arcs(path, prior="orders", exact=False).plot()
    assert other.axes[0].get_title() == "Arcs, prior order-modular: from samples"


def test_the_picture_of_unknown_arcs_is_the_best_graph_dashed(unknown):
    (axes,) = unknown.plot().axes
    assert axes.get_title() == "Arcs, prior uniform over graphs: unknown; the best graph found"
    assert len(axes.patches) == len(unknown.best.arcs)
    assert {patch.get_linestyle() for patch in axes.patches} == {"dashed"}


def test_the_text_says_what_is_known(found, unknown):
    lines = repr(found).splitlines()
    assert lines[0] == "Graph posterior of 3 variables, prior uniform over graphs"
    assert lines[1] == f"log evidence: {found.log_evidence:.3f} nats, exact"
    assert lines[2] == "arcs and adjacencies: exact"
    assert lines[3] == "paths and Markov blankets: by 200 samples of the exact posterior"
    assert lines[4].startswith("most probable graph, of all graphs, posterior probability 0.")
    assert "arcs and adjacencies: unknown: a few samples carry" in repr(unknown)
    assert "paths and Markov blankets: unknown, by" in repr(unknown)
    assert repr(unknown).endswith(str(unknown.best))
    assert "posterior probability unknown: " in repr(unknown)


def test_the_page_escapes_names_and_marks_what_is_unknown(found, unknown):
    page = found._repr_html_()
    assert "wet &amp; &lt;cold&gt;" in page
    assert "<cold>" not in page
    assert page.count("<tr") == 7
    assert "<td>?</td>" in unknown._repr_html_()


def test_the_class_is_that_of_the_best_graph(found):
    assert found.cpdag.directed == ()
    assert {frozenset(pair) for pair in found.cpdag.undirected} == {frozenset(arc) for arc in found.best.arcs}
    collision = BestGraph(("a", "b", "c", "d"), np.array([0, 0, 3, 4], dtype=np.uint64), True, 0.0, 1.0, 1.0, 1.0)
    assert collision.cpdag == ((("a", "c"), ("b", "c"), ("c", "d")), ())
    assert str(collision) == "a -> c, b -> c, c -> d"
    names = tuple("abcdefghijkl")
    chain = BestGraph(names, np.array([0, *(1 << v for v in range(11))], dtype=np.uint64), True, 0.0, 1.0, 1.0, 1.0)
    assert str(chain).endswith("j -> k, and 1 more")
    assert len(chain.arcs) == 11
    assert str(BestGraph(("a",), np.zeros(1, dtype=np.uint64), True, 0.0, 1.0, 1.0, 1.0)) == "no arcs"


def test_an_interval_of_the_best_graph_is_said():
    best = BestGraph(("a",), np.zeros(1, dtype=np.uint64), False, 0.0, 0.25, 0.2, 0.3)
    assert best.in_words() == "the best found, posterior probability 0.25 (0.2 to 0.3)"


@pytest.mark.parametrize("form", ["to_networkx", "plot"])
def test_without_networkx_it_says_what_to_install(found, form, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ockham.ConfigError, match=r"networkx is not installed.* pip install 'ockham\[graphs\]'"):
        getattr(found, form)()


def test_weights_of_graphs_sum_to_one(found, path):
    sampled = ockham.arcs(path, exact=False)
    for graphs in (found.graphs, sampled.graphs):
        assert graphs.weights.shape == graphs.parents.shape[:2]
        assert graphs.weights.sum() == pytest.approx(1)
    arcs = np.einsum("tg,tguv->uv", sampled.graphs.weights, arcs_of(sampled.graphs.parents))
    np.testing.assert_allclose(arcs, sampled.arcs.probability, atol=1e-12)
