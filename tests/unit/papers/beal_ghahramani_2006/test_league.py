"""The league shows the stored distances from the truth, which is also the reference of Figure 3 (c) where there is one.

Source of truth: the summaries that they were given.
"""

from io import BytesIO

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from matplotlib.backends.backend_agg import FigureCanvasAgg

from ockham.errors import StoreError
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.figure_3 import figure_3
from ockham.papers.beal_ghahramani_2006.league import JUDGED, figure_3_from_truth, league, league_table

VARIABLES = ("error_median", "rank_correlation", "same_choice")
LABELS = {"MAP", "BIC", "BICp", "CS", "VB", "AIS", "annealed importance sampling ais scaled"}
"""The last is of an entry that has no look of its own, as that of a plug-in has none."""


def test_the_figure_draws_the_stored_values(with_truth):
    figure = league(with_truth)
    assert len(figure.legends) == 1
    for axes, name in zip(figure.axes, VARIABLES, strict=True):
        lines = {line.get_label(): line for line in axes.lines}
        assert set(lines) == LABELS
        for score in ("map", "annealed_importance_sampling"):
            stored = with_truth["league"][name].sel(score=score).dropna("n")
            np.testing.assert_array_equal(lines[JUDGED[score].label].get_ydata(), stored)
    stream = BytesIO()
    figure.savefig(stream, format="pdf")
    assert len(stream.getvalue()) > 1000


def test_what_is_doubted_has_no_marker(with_truth):
    data = with_truth["league"].to_dataset()
    doubted = data.doubted.copy(data=np.zeros(data.doubted.shape))
    doubted.loc[{"score": "bic", "n": 160}] = 0.1
    figure = league(xr.DataTree.from_dict({"league": data.assign(doubted=doubted)}))
    places = {line.get_label(): line.get_markevery() for line in figure.axes[0].lines}
    n = data.n.values.tolist()
    assert [n[i] for i in places["BIC"]] == [size for size in n if size != 160]
    assert places["VB"] == list(range(len(n)))


LATER = {"bic_ml": "BIC at the ML parameters", "sbic": "singular BIC", "maximum_likelihood": "ML",
         "ais_completions": "AIS over completions", "bic_effective": "BIC of the effective dimension",
         "cheeseman_stutz_ml": "CS at the ML parameters", "wbic": "WBIC"}  # fmt: skip


def test_the_names_of_all_scores_fit_on_the_page(with_truth):
    data = with_truth["league"].to_dataset()
    names = data.score.values.tolist()
    copied = data.sel(score=names + ["bic"] * len(LATER)).assign_coords(score=names + list(LATER))
    figure = league(xr.DataTree.from_dict({"league": copied}))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (legend,) = figure.legends
    assert {text.get_text() for text in legend.texts} == LABELS | {*LATER.values()}
    extent = legend.get_window_extent(canvas.get_renderer())
    assert 0 <= extent.x0 < extent.x1 <= figure.bbox.width


def test_the_table_has_a_row_for_each_size_and_score(with_truth):
    table = league_table(with_truth, PAPER)
    data = with_truth["league"].to_dataset()
    assert set(table.score) == LABELS
    row = table[(table.n == 160) & (table.score == "BIC")].iloc[0]
    at = data.sel(n=160, score="bic")
    assert row["median error (nats)"] == round(float(at.error_median), 3)
    assert row["same structure on top (%)"] == round(100 * float(at.same_choice), 1)
    assert row["cells"] == int(at.n_cells)
    # AIS is at the published parameters alone, the others on six data sets; scaled AIS is at two of the four sizes.
    assert len(table) == 4 * 6 + 2


def test_figure_3_takes_the_truth_as_its_reference(summaries, with_truth):
    labels = [figure_3(which).axes[2].get_ylabel() for which in (summaries, with_truth)]
    assert labels == ["KL divergence from AIS (nats)", "KL divergence from bridge (nats)"]
    assert "AIS" in {line.get_label() for line in figure_3(with_truth).axes[2].lines}


def test_figure_3_from_the_truth_has_the_stored_numbers(with_truth):
    table = figure_3_from_truth(with_truth, PAPER).set_index("n")
    here = {"alias_correction": "log_aliases", "replicate": 0}
    ranks, posteriors = (with_truth[name].to_dataset().sel(here) for name in ("ranks", "posteriors"))
    for label, score in (("bridge", "bridge_sampling"), ("VB", "variational_bayes")):
        np.testing.assert_array_equal(table[f"rank {label}"], ranks["rank"].sel(score=score))
        np.testing.assert_array_equal(table[f"difference {label}"], ranks.difference.sel(score=score).round(4))
    np.testing.assert_array_equal(table["divergence CS"], posteriors.divergence.sel(score="cheeseman_stutz").round(4))
    assert "divergence bridge" not in table
    assert table["divergence CS"].notna().any()


def test_what_rests_on_doubted_bridges_is_unknown(with_truth):
    tree = with_truth.copy()
    ranks = tree["ranks"].to_dataset()
    fraction = ranks.fraction_doubted.where(~((ranks.score == "bridge_sampling") & (ranks.n == ranks.n[-1])), 0.01)
    tree["ranks"] = xr.DataTree(ranks.assign(fraction_doubted=fraction))
    before, after = (figure_3_from_truth(which, PAPER).set_index("n") for which in (with_truth, tree))
    blank = [name for name in before if name.startswith("divergence") or name in ("rank bridge", "difference bridge")]
    assert after[blank].iloc[-1].isna().all()
    pd.testing.assert_frame_equal(before.iloc[:-1], after.iloc[:-1], check_dtype=False)
    assert after["rank VB"].iloc[-1] == before["rank VB"].iloc[-1]


def test_figure_3_from_the_truth_needs_one(summaries):
    with pytest.raises(StoreError, match="not from bridge sampling"):
        figure_3_from_truth(summaries, PAPER)
