"""Studies of no paper show every score of every structure, with its error and what speaks against it.

Source of truth: summaries written by hand.
"""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from matplotlib.colors import to_hex
from scipy.special import stdtrit

from ockham.contracts import Doubt
from ockham.papers.generic import PAPER
from ockham.papers.generic.by_structure import N_STRUCTURES, evidence, probability
from ockham.papers.generic.tables import cost, evidences

SCORES = ["map", "variational_bayes", "laplace"]
DIMENSIONS = ["score", "replicate", "n", "structure"]
T_OF_THREE = stdtrit(3, 0.975)
"""Standard errors of a 95 % interval with three degrees of freedom."""


def summaries(n_structures=2, sizes=(10, 20, 40, 80)):
    """Structure k has log evidence k by each score but MAP; of VB it has no error, and the last size is doubted."""
    labels = [f"m{k}" for k in range(n_structures)]
    shape = len(SCORES), 1, len(sizes), n_structures
    values = np.broadcast_to(np.arange(float(n_structures)), shape).copy()
    values[0] += 100
    error, doubt = np.full(shape, np.nan), np.zeros(shape, np.uint8)
    error[2], doubt[1, :, -1] = 0.5, Doubt.NOT_CONVERGED
    best = xr.Dataset(
        {
            "log_evidence": (["alias_correction", *DIMENSIONS], np.stack([values - 1, values])),
            "standard_error": (DIMENSIONS, error),
            "degrees_of_freedom": (DIMENSIONS, np.full(shape, 3.0)),
            "doubt": (DIMENSIONS, doubt),
        },
        coords={
            "score": SCORES, "replicate": [1], "n": list(sizes), "structure": labels,
            "alias_correction": ["none", "log_aliases"], "bound": ("score", ["none", "lower", "none"]),
            "score_name": ("score", SCORES),
        },
    )  # fmt: skip
    return xr.DataTree.from_dict({"best": best})


def test_a_panel_for_each_of_the_largest_sizes_has_a_line_for_each_score():
    figure = evidence(summaries())
    assert [axes.get_title() for axes in figure.axes] == ["n = 20", "n = 40", "n = 80"]
    for axes in figure.axes:
        lines = {line.get_label(): line for line in axes.lines}
        assert list(lines) == ["VB", "laplace"]
        assert all(line.get_ydata().tolist() == [0.0, 1.0] for line in lines.values())
        assert [label.get_text() for label in axes.get_xticklabels()] == ["m0", "m1"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["VB", "laplace"]


def test_doubted_scores_have_no_marker_and_errors_a_bar():
    *_, axes = evidence(summaries()).axes
    vb, laplace = axes.lines
    assert vb.get_markevery() == []
    assert laplace.get_markevery() == [0, 1]
    (bars,) = [part for part in axes.collections if to_hex(part.get_color()[0]) == laplace.get_color()]
    ends = [segment[:, 1] for segment in bars.get_segments()]
    reach = 0.5 * T_OF_THREE
    np.testing.assert_allclose(ends, [[-reach, reach], [1 - reach, 1 + reach]])


def test_what_is_not_to_be_trusted_has_no_bar():
    tree = summaries(sizes=[10])
    tree["best"].doubt.loc[{"score": "laplace", "structure": "m1"}] = Doubt.RUNS_DIFFER
    (axes,) = evidence(tree).axes
    _, laplace = axes.lines
    (bars,) = [part for part in axes.collections if to_hex(part.get_color()[0]) == laplace.get_color()]
    first, second = bars.get_segments()
    np.testing.assert_allclose(first[:, 1], [-0.5 * T_OF_THREE, 0.5 * T_OF_THREE])
    assert not second.size


def test_probabilities_are_those_of_structures_alike_a_priori():
    line, *_ = probability(summaries()).axes[0].lines
    np.testing.assert_allclose(line.get_ydata(), [1 / (1 + np.e), np.e / (1 + np.e)])


def test_of_many_structures_those_with_the_highest_scores_are_shown():
    (axes,) = evidence(summaries(20, sizes=[10])).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == [f"m{k}" for k in range(20 - N_STRUCTURES, 20)]


def test_the_table_has_a_row_for_each_score():
    found = evidences(summaries(sizes=[10, 20]), PAPER)
    assert len(found) == len(SCORES) * 2 * 2
    row = found.set_index(["n", "structure", "score"]).loc[(20, "m1", "variational_bayes")]
    assert row[["log evidence", "standard error", "rank", "probability"]].isna().all()
    assert row["at least"] == 0.0  # the bound itself, without what aliases add
    assert row["doubt"] == "a fit was stopped before it converged"
    trusted = found[found.doubt == ""]
    assert len(trusted) == len(found) - 2
    assert trusted["at least"].isna().all()
    row = trusted.set_index(["n", "structure", "score"]).loc[(10, "m1", "variational_bayes")]
    assert row[["log evidence", "rank"]].tolist() == [1.0, 1]
    assert row["probability"] == pytest.approx(np.e / (1 + np.e))
    assert np.isnan(row["standard error"])
    assert (found[found.score == "laplace"]["standard error"] == 0.5).all()


def test_what_is_not_to_be_trusted_has_no_error():
    tree = summaries(sizes=[10])
    tree["best"].doubt.loc[{"score": "laplace", "structure": "m1"}] = Doubt.RUNS_DIFFER
    found = evidences(tree, PAPER).set_index(["score", "structure"])["standard error"]
    assert found["laplace", "m0"] == 0.5
    assert np.isnan(found["laplace", "m1"])


def test_the_highest_score_has_rank_1_and_none_has_a_rank_where_one_is_missing():
    tied = summaries(n_structures=3, sizes=[10, 20])
    values = tied["best"].log_evidence
    values.loc[{"structure": "m1"}] = values.sel(structure="m2")
    values.loc[{"score": "laplace", "n": 20, "structure": "m0"}] = np.nan
    tied["best"].doubt.loc[{"score": "map", "n": 20, "structure": "m1"}] = Doubt.NOT_CONVERGED
    found = evidences(tied, PAPER).set_index(["score", "n", "structure"])["rank"].sort_index()
    assert found.loc["map"].fillna(0).tolist() == [3, 1, 1, 0, 0, 0]
    assert found.loc[("laplace", 10)].tolist() == [3, 1, 1]
    assert found.loc[("laplace", 20)].isna().tolist() == [True, True]


def test_costs_are_those_of_the_cells_that_the_jobs_computed():
    """Not of all: a job that found some of them, such as after a size was added, took its time for the others."""
    extent = {"replicates": 2, "sizes": 1, "structures": 3, "runs": 5}
    rows = [("b", 2.0, 15), ("a", 9.0, 3), ("b", 4.0, 5), ("c", 1.0, np.nan), ("c", 1.0, 15), ("d", 1.0, 0)]
    jobs = pd.DataFrame([{"entry": name, **extent, "cpu_time": time, "computed": n} for name, time, n in rows])
    found = cost(jobs, PAPER).set_index("scorer")
    assert found.loc["b"].tolist() == [2, 20, 6.0, 0.3]
    assert found.loc["a"].tolist() == [1, 3, 9.0, 3.0]
    assert found.loc["c", ["cells", "CPU time of a cell (s)"]].isna().all()
    assert found.loc["d", "cells"] == 0
    assert np.isnan(found.loc["d", "CPU time of a cell (s)"])
