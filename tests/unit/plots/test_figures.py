"""Every figure labels its axes, has one legend, shows the stored numbers, and is drawn to the same bytes each time.

Source of truth: the summaries that the figure was given.
"""

from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from ockham.plots import FIGURES, save
from ockham.plots.style import SCORES

BY_SIZE = [name for name in FIGURES if name != "figure_2"]
SHOWN = {
    "figure_3a": ("ranks", "rank"),
    "figure_3b": ("ranks", "difference"),
    "figure_4a": ("over_replicates", "rank_median"),
    "figure_4b": ("over_replicates", "rank_best"),
    "figure_5a": ("over_replicates", "success_rate"),
    "figure_5b": ("over_replicates", "posterior_mean"),
    "figure_5c": ("over_replicates", "above_uniform"),
}


def lines_of(figure):
    return {line.get_label(): line for line in figure.axes[0].lines}


@pytest.mark.parametrize("name", FIGURES)
def test_has_one_legend_and_is_drawn_in_every_format(summaries, name):
    figure = FIGURES[name](summaries)
    assert isinstance(figure, Figure)
    assert len(figure.legends) + sum(axes.get_legend() is not None for axes in figure.axes) == 1
    for kind in ("png", "pdf"):
        stream = BytesIO()
        figure.savefig(stream, format=kind)
        assert len(stream.getvalue()) > 1000


@pytest.mark.parametrize("name", BY_SIZE)
def test_draws_the_stored_values_corrected_for_aliases(summaries, name):
    group, variable = SHOWN[name]
    stored = summaries[group][variable].sel(alias_correction="log_aliases")
    if "replicate" in stored.dims:
        stored = stored.sel(replicate=0)
    lines = lines_of(FIGURES[name](summaries))
    for score, style in SCORES.items():
        if style.label in lines:
            values = stored.sel(score=score).dropna("n")
            np.testing.assert_array_equal(lines[style.label].get_xdata(), values.n)
            np.testing.assert_array_equal(lines[style.label].get_ydata(), values)
            assert lines[style.label].get_color() == style.color


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("figure_4a", "rank_lower_quartile", "rank_upper_quartile"),
        ("figure_5a", "success_rate_lower", "success_rate_upper"),
        ("figure_5c", "above_uniform_lower", "above_uniform_upper"),
    ],
)
def test_bands_reach_from_the_lower_to_the_upper_end(summaries, name, low, high):
    stored = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    bands = FIGURES[name](summaries).axes[0].collections
    for band, score in zip(bands, ("bic", "bicp", "cheeseman_stutz", "variational_bayes"), strict=True):
        ends = np.concatenate([stored[low].sel(score=score), stored[high].sel(score=score)])
        assert set(band.get_paths()[0].vertices[:, 1]) == set(ends)


@pytest.mark.parametrize("name", BY_SIZE)
def test_has_labelled_axes_at_column_width(summaries, name):
    figure = FIGURES[name](summaries)
    (axes,) = figure.axes
    assert axes.get_xlabel() == "data set size $n$"
    assert axes.get_xscale() == "log"
    assert axes.get_ylabel()
    assert ("nats" in axes.get_ylabel()) == (name == "figure_3b")
    assert figure.get_figwidth() == 3.4
    assert axes.xaxis.get_ticklabels()[0].get_fontsize() == 7


@pytest.mark.parametrize("name", BY_SIZE)
def test_shows_the_scores_that_exist(summaries, name):
    """MAP is left out, as in the paper; AIS has no prior draws; the exact value is no competitor."""
    expected = ["BIC", "BICp", "CS", "VB"] + (["AIS"] if name.startswith("figure_3") else [])
    figure = FIGURES[name](summaries)
    assert list(lines_of(figure)) == expected
    assert [text.get_text() for text in figure.legends[0].get_texts()] == expected


@pytest.mark.parametrize("name", ["figure_3a", "figure_4a", "figure_4b"])
def test_rank_one_is_at_the_top(summaries, name):
    axes = FIGURES[name](summaries).axes[0]
    assert axes.get_ylim() == (12, 1)
    assert axes.get_yscale() == "log"


def test_figure_2_marks_the_true_and_the_highest_structure(summaries):
    figure = FIGURES["figure_2"](summaries)
    grid = np.array(figure.axes).reshape(4, 6)
    assert [axes.get_title() for axes in grid[0]] == ["MAP", "BIC", "BICp", "CS", "VB", "AIS"]
    assert [axes.get_ylabel() for axes in grid[:, 0]] == ["$n = 10$", "$n = 160$", "$n = 640$", "$n = 10240$"]
    assert "nats" in figure.get_supylabel()
    assert figure.get_supxlabel() == "number of parameters"
    assert all(axes.get_ylim() == row[0].get_ylim() for row in grid for axes in row)
    best = summaries["best"].to_dataset().sel(alias_correction="log_aliases", replicate=0, n=640, score="bicp")
    everything, true, highest = grid[2, 2].collections
    assert len(everything.get_offsets()) == 12
    np.testing.assert_allclose(true.get_offsets(), [[38, best.log_evidence.sel(structure="s5")]])
    assert highest.get_offsets()[0][1] == best.log_evidence.max()


def test_files_are_reproducible_and_settings_untouched(summaries, tmp_path):
    before = dict(mpl.rcParams)
    for suffix in (".pdf", ".png", ".svg"):
        for copy in ("first", "second"):
            save(FIGURES["figure_5a"](summaries), (tmp_path / copy).with_suffix(suffix))
        first, second = ((tmp_path / copy).with_suffix(suffix).read_bytes() for copy in ("first", "second"))
        assert first == second
    pdf = (tmp_path / "first.pdf").read_bytes()
    assert b"CreationDate" not in pdf
    assert b"/Type3" not in pdf
    assert dict(mpl.rcParams) == before
