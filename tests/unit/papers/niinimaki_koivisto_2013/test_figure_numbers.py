"""Where the curves of figures end is in tables too.

Source of truth: values by hand.
"""

import numpy as np
import pytest
import xarray as xr

from ockham.papers.claims.stored import read_stored
from ockham.papers.niinimaki_koivisto_2013 import PAPER
from ockham.papers.niinimaki_koivisto_2013.figure_numbers import extension_times, samplers_at_the_end


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


@pytest.fixture
def data():
    """Two samplers with three runs of eleven fractions, the last at -10, -9 and -11 and at -12 in all runs.

    One of them is at -25 after a hundredth, and at -15 after a tenth, the sixth of fractions that are as many times
    apart, as those of summaries are.
    """
    values = np.full((1, 2, 3, 11), -20.0)
    values[0, 0, :, -1] = [-10, -9, -11]
    values[0, 1, :, -1] = -12
    values[0, 0, :, [0, 5]] = [[-25], [-15]]
    over = ("prior", "scorer", "run", "fraction")
    return xr.Dataset(
        {
            "log_evidence": (over, values),
            "arc_error": (over, np.where(values > -20, 0.25, np.nan)),
            "exact_log_evidence": ("prior", [-10.5]),
            "doubt": (("prior", "scorer"), np.zeros((1, 2), np.uint8)),
        },
        {
            "prior": ["orders"], "scorer": ["ais_4", "mc3_16"], "fraction": np.geomspace(0.01, 1, 11),
            "sampler": ("scorer", ["ais", "mc3"]), "length": ("scorer", [4, 16]), "role": ("scorer", ["", ""]),
        },
    )  # fmt: skip


def tree(data):
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": "mushroom"}), "mushroom": data})


def test_the_end_is_measured_from_the_exact_value(data):
    table = samplers_at_the_end(tree(data), PAPER)
    assert set(table.columns) == declared("samplers_at_the_end")
    assert table.fillna(-1).values.tolist() == [
        ["mushroom", "orders", "AIS 4", 0.5, -14.5, -4.5, "exact", 1.0, 0.25, -1, -1, -1],
        ["mushroom", "orders", "MC3 16", -1.5, -9.5, -9.5, "exact", 0.0, 0.25, -1, -1, -1],
    ]


def test_without_an_exact_value_from_the_median_over_samplers(data):
    table = samplers_at_the_end(tree(data.assign(exact_log_evidence=("prior", [np.nan]))), PAPER)
    assert table["from reference"].tolist() == [1, -1]
    assert table["reference"].tolist() == ["median at the end"] * 2


def test_what_is_not_to_be_trusted_is_marked(data):
    data.doubt[0, 1] = 1
    table = samplers_at_the_end(tree(data), PAPER).set_index("sampler")
    assert table["from reference"].tolist() == [0.5, "-1.5 ?"]
    assert table["after a hundredth"].tolist() == [-14.5, "-9.5 ?"]
    assert table["after a tenth"].tolist() == [-4.5, "-9.5 ?"]
    assert table["spread"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(("doubt", "early"), [(0, -5.0), (1, "-5.0 ?")])
def test_a_sampler_alone_is_from_its_own_end(data, doubt, early):
    """Of which it says nothing where it ends, which would be 0."""
    data.doubt[0, 0] = doubt
    alone = data.assign(exact_log_evidence=("prior", [np.nan])).isel(scorer=[0])
    (row,) = samplers_at_the_end(tree(alone), PAPER).to_dict("records")
    assert np.isnan(row["from reference"])
    assert (row["after a tenth"], row["reference"], row["spread"]) == (early, "its own end", 1.0)


def test_what_correction_adds_is_of_the_same_runs(data):
    """Runs of .2, .3 and .1 of one sampler that have .3, .3 and .3 with correction: .1 more, and its standard error.

    Their evidences of -10, -9 and -11 become -10, -8 and -12.
    """
    both = xr.concat([data, data.assign_coords(prior=["graphs"])], "prior")
    both.arc_error[:, 0, :, -1] = [[0.2, 0.3, 0.1], [0.3, 0.3, 0.3]]
    both.arc_error[1, 1, 2, -1] = np.nan
    both.log_evidence[1, 0, :, -1] = [-10, -8, -12]
    columns = ["times the spread", "more by correction", "error of that"]
    table = samplers_at_the_end(tree(both), PAPER).set_index(["prior", "sampler"])[columns]
    assert table.loc["orders"].isna().all().all()
    assert table.loc[("graphs", "AIS 4")].tolist() == [2, 0.1, 0.058]
    assert np.isnan(table.loc[("graphs", "MC3 16"), "more by correction"])  # of a run it is not known


def test_extension_times():
    over = ("max_indegree", "n", "graph")
    group = xr.Dataset(
        {
            "seconds": (over, [[[0.1, 0.3], [1.0, np.nan]]]),
            "table_seconds": (over, [[[0.5, 0.7], [np.nan, np.nan]]]),
            "table_bytes": (over, [[[1e9, 2e9], [3e10, 1e10]]]),
            "n_ideals": (over, [[[64.0, 256.0], [2.0**20, 2.0**30]]]),
        },
        {"max_indegree": [3], "n": [10, 40]},
    )
    table = extension_times(xr.DataTree.from_dict({"linear_extensions": group}), PAPER)
    assert set(table.columns) == declared("extension_times")
    assert table.fillna(-1).values.tolist() == [
        [3, 10, 0.2, 0.3, 2, 0.6, 0.7, 2, 2, 0.25],
        [3, 40, -1, 1, 1, -1, -1, 0, 30, 0.000977],
    ]
