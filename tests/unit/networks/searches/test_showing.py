"""Tables, sentences, files and pictures of a search are what it found, and what is unknown is no number.

Source of truth: the search, and evidences made up.
"""

from dataclasses import replace

import netCDF4
import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure
from reference.evidences import certified

from ockham.estimation.model_posterior import bayes_factors, model_posterior
from ockham.io.netcdf import write
from ockham.networks.searches.drawing import figure
from ockham.networks.searches.showing import arc_lines, result_rows
from ockham.streams import Stream


@pytest.fixture(scope="module")
def found(quick):
    return quick(climbs=2, judged=2, max_values=3)


@pytest.fixture(scope="module")
def doubtful(found):
    evidences = {name: certified(np.nan, at_least=-5000.0) for name in found.models}
    against = next(iter(evidences))
    judged = replace(
        found.judged,
        evidences=evidences,
        posterior=model_posterior(evidences, Stream(0)),
        bayes_factors=bayes_factors(evidences, against, Stream(0)),
    )
    return replace(found, judged=judged, n_climbs=1)


def test_the_table_has_scores_beside_evidences(found):
    assert found.table.index.name == "model"
    assert found.table["score"].to_dict() == dict(found.scores)
    assert found.table["log_evidence"].tolist() == [each.log_evidence for each in found.judged.evidences.values()]
    assert found.table["n_hidden"].tolist() == [len(network.hidden) for network in found.models.values()]
    heads, rows = result_rows(found)
    assert heads[:3] == ["model", "CS", "log evidence"]
    assert rows[0][-1].text == "hidden1 (3 values)"
    assert all(len(row) == len(heads) for row in rows)


def test_it_is_said_in_a_line_and_in_a_paragraph(found, doubtful):
    assert repr(found).startswith(f"<StructureSearch: {found.n_graphs} graphs searched on 700 rows, 7 items; highest")
    assert "Friedman, 1998" in found.methods
    assert {reference.partition(",")[0] for reference in found.references} >= {"Cheeseman", "Elidan", "Friedman"}
    assert "up to 2 hidden variables of up to 3 values" in found.methods
    assert repr(doubtful).endswith("judged: unknown>")
    assert doubtful.best is None
    said = " ".join(doubtful.remarks)
    assert "The search ended after 1 of 2 climbs" in said
    assert "Hidden variables of more than 3 values may have a higher evidence: allow them." in found.remarks
    assert not any("more than 2 hidden" in remark.lower() for remark in found.remarks)
    assert "Probabilities are among these graphs alone" in said
    assert "could not be established" in doubtful.methods


def test_arcs_are_written_by_child(found):
    network = next(iter(found.models.values()))
    assert len(arc_lines(network)) == sum(bool(of) for of in network.parents)
    assert all(" <- " in line for line in arc_lines(network))


@pytest.mark.parametrize("kind", ["found", "doubtful"])
def test_the_stored_file_has_every_graph(kind, request, tmp_path):
    result = request.getfixturevalue(kind)
    write(tmp_path / "a.nc", result.to_xarray())
    with xr.open_dataset(tmp_path / "a.nc") as dataset:
        np.testing.assert_array_equal(dataset["score"], result.table["score"])
        for name, network in result.models.items():
            arcs = dataset["arc"].sel(model=name)
            assert int(arcs.sum()) == sum(map(len, network.parents))
            for i, of in enumerate(network.parents):
                assert all(arcs.sel(parent=network.names[p], child=network.names[i]) == 1 for p in of)
                assert dataset["cardinality"].sel(model=name, parent=network.names[i]) == network.cardinalities[i]
            hidden = dataset["parent"].values[dataset["hidden"].values == 1]
            assert {network.names[i] for i in network.hidden} <= set(hidden)
        assert dataset.attrs["n_graphs"] == result.n_graphs
        assert dataset.attrs["max_values"] == 3
    with netCDF4.Dataset(tmp_path / "a.nc") as file:
        assert file["score"].units == "nats"


def test_the_picture_has_a_place_for_every_graph(found, doubtful):
    made = Figure()
    left, right = found.plot(made.subplots(1, 2))
    assert [label.get_text() for label in right.get_xticklabels()] == list(found.models)
    np.testing.assert_allclose([patch.get_height() for patch in right.patches], found.judged.posterior.probability)
    highest = max(found.table["log_evidence"])
    shown = {line.get_label(): line.get_ydata() for line in left.lines}
    np.testing.assert_allclose(shown["Cheeseman-Stutz"], found.table["score"] - highest)
    assert "unknown" in figure(doubtful).axes[1].get_ylabel()


def test_names_are_text_in_a_notebook(found):
    html = found._repr_html_()
    assert "<h1>Networks that a search found</h1>" in found.to_html()
    assert found.methods.partition(" (")[0] in found.to_html()
    assert html.count("<tr>") == 1 + len(found.models)
    assert "hidden1 (3 values)" in html
