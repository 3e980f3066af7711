"""What goes beyond the paper's study shows what its stores hold: more data sets, other fits, points and samplers.

Source of truth: scores made by hand, taken through the summaries of conditions.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.networks.summaries.conditions import summarise_conditions
from ockham.papers.chickering_heckerman_1997 import PAPER
from ockham.papers.chickering_heckerman_1997.boundary_draws import boundary_draws
from ockham.papers.chickering_heckerman_1997.candidate_noise import candidate_noise
from ockham.papers.chickering_heckerman_1997.figure_9_draws import figure_9_draws
from ockham.papers.chickering_heckerman_1997.local_maxima import local_maxima
from ockham.papers.chickering_heckerman_1997.samplers import samplers
from ockham.papers.chickering_heckerman_1997.selections import SCORES
from ockham.papers.chickering_heckerman_1997.table_1_seeds import table_1_seeds
from ockham.papers.chickering_heckerman_1997.table_2_seeds import averaging_errors, table_2_seeds
from ockham.papers.claims.stored import read_stored

STRUCTURES = ["classes-1", "classes-2", "classes-3"]
PLAIN = {score: [-9.0, -5.0, -7.0] for _, score in SCORES.values()}
NESTED = {f"{score}_nested": values for score, values in PLAIN.items()}
CANDIDATE = [[-9.0, -9.0], [-5.0, -4.0], [-6.0, -5.5]]


def entry(values, *, role="", scorer="em", replicates=2, size=400, apart=0.0, doubted=()):
    """A group of one entry; the second data set has every value ``apart`` higher under three classes."""
    variables = {}
    for name, of in values.items():
        runs = np.array([np.atleast_1d(v) for v in of], dtype=float)
        shaped = np.stack([runs] * replicates)[:, None]
        shaped[1:, :, 2] += apart
        about = {"units": "nats", "bound": "none", "local": 0, "long_name": name}
        about["over_runs"] = "median" if name == "candidate" else "max"
        variables[name] = ("replicate", "n", "structure", "run"), shaped, about
        flags = np.zeros(shaped.shape, np.uint8)
        flags[:, :, list(doubted)] = 1
        variables[f"{name}_doubt"] = ("replicate", "n", "structure", "run"), flags
    variables["key"] = ("replicate", "n", "structure", "run"), np.ones(shaped.shape, dtype=np.int64)
    coordinates = {
        "replicate": range(1, replicates + 1), "n": [size], "structure": STRUCTURES, "run": range(shaped.shape[3])
    }  # fmt: skip
    return xr.Dataset(variables, coordinates, {"role": role, "scorer": scorer, "scorer_settings": role})


def store(replicates=2, size=400, **entries):
    root = xr.Dataset(
        {
            "log_aliases": ("structure", [0.0, 0.0, 0.0]),
            "n_parameters": ("structure", [1, 2, 3]),
            "n_hidden_configurations": ("structure", [1, 2, 3]),
        },
        {"structure": STRUCTURES, "replicate": range(1, replicates + 1), "n": [size]},
        {"true_structure": "classes-2", "condition": "one"},
    )
    return xr.DataTree.from_dict({"/": root} | entries)


def summaries(condition, **entries):
    groups = summarise_conditions({name: store(**entries) for name in condition.split()})
    return xr.DataTree.from_dict(groups)


def declared(name, table):
    about = read_stored(PAPER).tables[name]
    return set(table.columns) <= {*about.rows, *about.columns}


@pytest.fixture
def seeds():
    return summaries(
        "features_32_seeds",
        all=entry(PLAIN | {"bic": [-4.0, -5.0, -7.0], "laplace": [-9.0, -5.0, -25.0]}, apart=2.5),
        candidate=entry({"candidate": CANDIDATE}, scorer="candidate"),
    )


def test_table_1_over_more_data_sets(seeds):
    table = table_1_seeds(seeds, PAPER)
    assert declared("table_1_seeds", table)
    row = table.iloc[0]
    assert len(table) == 1
    assert row[["features", "n", "data sets", "Laplace same (%)"]].tolist() == [32, 400, 2, 100]
    assert row[["Block", "Block same (%)", "CS MAP same (%)"]].tolist() == ["-0.5 (0.7)", 50, 50]


def test_table_2_over_more_data_sets(seeds):
    """C is 1.25 in both, L 20 and 17.5: of both the second model would be lost, as of three of five printed ones."""
    table = table_2_seeds(seeds, PAPER)
    assert declared("table_2_seeds", table)
    row = table.iloc[0]
    assert row[["data sets", "C", "L", "L lower", "no L"]].tolist() == [2, 1.2, 18.8, 18.1, 0]
    assert row[["L above C (%)", "lost (%)", "lost (%, paper)", "range of C"]].tolist() == [100, 100, 60, 0.5]


def test_how_far_every_bayes_factor_is_off(seeds):
    """Candidate's is 1.25 in both, of classes 2 and 3, Laplace's 20 and 17.5, all others' 2 and -.5."""
    table = averaging_errors(seeds, PAPER)
    assert declared("averaging_errors", table)
    row = table.iloc[0]
    assert row[["features", "n", "Laplace"]].tolist() == [32, 400, 17.5]
    assert row[["BIC MAP", "Block"]].tolist() == [1.2, 1.2]


def test_the_noise_is_the_range_of_runs_of_each_point():
    point = entry(
        {"candidate": [[-9.0, -9.0], [-1.0, -1.25], [-2.0, -2.5]]}, role="map_point", scorer="candidate", doubted=[1]
    )
    tree = summaries("noise_8 noise_32", em=entry(PLAIN), candidate=entry({"candidate": CANDIDATE}), map_point=point)
    table = candidate_noise(tree, PAPER)
    assert declared("candidate_noise", table)
    assert table[["features", "point"]].values.tolist() == [
        [8, "completion"], [8, "MAP"], [32, "completion"], [32, "MAP"]
    ]  # fmt: skip
    assert table.iloc[0, 2:].tolist() == [0.75, 1.0, 0, 0]
    assert table.iloc[1, 2:].tolist() == [0.38, 0.5, 50.0, 3.44]


@pytest.fixture
def boundary():
    fits = {
        role: entry(NESTED | {"laplace_nested": [-9.0, -4.5, value]}, role=role, scorer="nested_map", apart=-1.0)
        for role, value in (("smaller_map", -8.0), ("smaller_map_by_bound", np.nan))
    }
    return summaries("inside boundary", em=entry(PLAIN), candidate=entry({"candidate": CANDIDATE}), **fits)


def test_the_furthest_difference_of_every_data_set(boundary):
    table = boundary_draws(boundary, PAPER)
    assert declared("boundary_draws", table)
    assert len(table) == 12
    first = table[(table.condition == "boundary") & (table.fits == "smaller MAP too")]
    assert first["Laplace"].tolist() == [-2.25, -3.25]
    assert first["CS MAP"].tolist() == [-1.25, -2.25]
    assert first["nearest first"].tolist() == ["Block, Diagonal, CS MAP, Laplace"] * 2
    missing = table[table.fits == "the same, by CS"]
    assert missing["Laplace"].isna().all()
    assert missing["nearest first"].str.endswith("Laplace").all()


def test_the_figure_shows_medians_and_ranges_over_data_sets(boundary):
    figure = figure_9_draws(boundary)
    assert len(figure.axes) == 6
    axes = figure.axes[4]
    lines = {line.get_label(): line.get_ydata() for line in axes.lines}
    np.testing.assert_allclose(lines["Laplace, median"], [0, 0, -2.75])
    np.testing.assert_allclose(axes.collections[0].get_segments()[2][:, 1], [-3.25, -2.25])
    assert any("lowest to highest of 2 data sets" in label for label in lines)
    assert np.isnan(figure.axes[5].lines[0].get_ydata()[2])


def test_sums_over_maxima_stand_beside_the_highest():
    names = ("laplace", "laplace_block", "laplace_diagonal")
    values = {f"{name}_sum": [-9.0, -5.0, -6.0] for name in names}
    values |= {f"{name}_highest": [-9.0, -5.0, -6.5] for name in names}
    of_maxima = entry(values, role="local_maxima", scorer="laplace_sum")
    counted = np.broadcast_to([[1.0], [7.0], [120.0]], of_maxima.laplace_sum.shape)
    tree = summaries(
        "maxima",
        em=entry(PLAIN),
        candidate=entry({"candidate": CANDIDATE}),
        local_maxima=of_maxima.assign(n_maxima=(of_maxima.laplace_sum.dims, counted)),
    )
    table = local_maxima(tree, PAPER)
    assert declared("local_maxima", table)
    assert table[["data set", "classes", "beyond"]].values.tolist() == [[1, 2, 0], [1, 3, 1], [2, 2, 0], [2, 3, 1]]
    assert table.maxima.tolist() == [7, 120] * 2
    assert table[["Laplace", "Laplace highest", "Laplace sum"]].values.tolist() == [
        [-0.5, -0.5, -0.5], [-1.25, -0.75, -0.25]
    ] * 2  # fmt: skip


def test_two_samplers_side_by_side():
    other = entry(
        {"candidate": [[-9.0, -9.0], [-5.0, -4.5], [-6.0, -6.0]]}, role="collapsed_sampler", scorer="candidate",
        doubted=[2],
    )  # fmt: skip
    tree = summaries("collapsed", em=entry(PLAIN), candidate=entry({"candidate": CANDIDATE}), collapsed_sampler=other)
    table = samplers(tree, PAPER)
    assert declared("samplers", table)
    assert table[table["data set"] == 1].iloc[:, 1:].values.tolist() == [
        [2, -4.5, -0.25, 1.0, 0.5, "", ""], [3, -5.75, -0.25, 0.5, 0.0, "", "?"]
    ]  # fmt: skip
