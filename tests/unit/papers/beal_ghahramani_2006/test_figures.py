"""Every figure labels its axes, has one legend, shows the stored numbers, and is drawn to the same bytes each time.

Source of truth: the summaries that the figure was given.
"""

from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from ockham import families
from ockham.io.figures import save
from ockham.papers.style import SCORES

PAPER = families.paper("beal_ghahramani_2006")
WITH_TRUTH = ("league", "figure_2_from_truth")
FIGURES = {name: families.load(about.function) for name, about in PAPER.figures.items() if name not in WITH_TRUTH}
N = [10, 160, 640, 10240]
BY_SIZE = ["figure_3", "figure_4", "figure_5"]
ONE_LEGEND = ["figure_2", *BY_SIZE]
PANELS = {
    ("figure_3", 0): ("ranks", "rank"),
    ("figure_3", 1): ("ranks", "difference"),
    ("figure_3", 2): ("posteriors", "divergence"),
    ("figure_4", 0): ("over_replicates", "rank_median"),
    ("figure_4", 1): ("over_replicates", "rank_best"),
    ("figure_5", 0): ("over_replicates", "success_rate"),
    ("figure_5", 1): ("over_replicates", "posterior_mean"),
    ("figure_5", 2): ("over_replicates", "above_uniform"),
}


def lines_of(axes):
    return {line.get_label(): line for line in axes.lines}


@pytest.mark.parametrize("name", FIGURES)
def test_has_its_legends_and_is_drawn_in_every_format(summaries, name):
    """One for a figure whose panels show the same scores, otherwise one a panel."""
    figure = FIGURES[name](summaries)
    assert isinstance(figure, Figure)
    n_legends = len(figure.legends) + sum(axes.get_legend() is not None for axes in figure.axes)
    assert n_legends == (1 if name in ONE_LEGEND else len(figure.axes))
    for kind in ("png", "pdf"):
        stream = BytesIO()
        figure.savefig(stream, format=kind)
        assert len(stream.getvalue()) > 1000


@pytest.mark.parametrize(("name", "panel"), PANELS)
def test_draws_the_stored_values_corrected_for_aliases(summaries, name, panel):
    group, variable = PANELS[name, panel]
    stored = summaries[group][variable].sel(alias_correction="log_aliases")
    if "replicate" in stored.dims:
        stored = stored.sel(replicate=0)
    lines = lines_of(FIGURES[name](summaries).axes[panel])
    for score, style in SCORES.items():
        if style.label in lines:
            values = stored.sel(score=score).dropna("n")
            np.testing.assert_array_equal(lines[style.label].get_xdata(), values.n)
            np.testing.assert_array_equal(lines[style.label].get_ydata(), values)
            assert lines[style.label].get_color() == style.color


@pytest.mark.parametrize(
    ("name", "panel", "low", "high"),
    [
        ("figure_4", 0, "rank_lower_quartile", "rank_upper_quartile"),
        ("figure_5", 0, "success_rate_lower", "success_rate_upper"),
        ("figure_5", 2, "above_uniform_lower", "above_uniform_upper"),
    ],
)
def test_bands_reach_from_the_lower_to_the_upper_end(summaries, name, panel, low, high):
    stored = summaries["over_replicates"].to_dataset().sel(alias_correction="log_aliases")
    bands = FIGURES[name](summaries).axes[panel].collections
    for band, score in zip(bands, ("bic", "bicp", "cheeseman_stutz", "variational_bayes"), strict=True):
        ends = np.concatenate([stored[low].sel(score=score), stored[high].sel(score=score)])
        assert set(band.get_paths()[0].vertices[:, 1]) == set(ends)


@pytest.mark.parametrize("name", BY_SIZE)
def test_has_labelled_axes_at_page_width(summaries, name):
    figure = FIGURES[name](summaries)
    assert figure.get_figwidth() == 7.0
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["(a)", "(b)", "(c)"][: len(figure.axes)]
    for panel, axes in enumerate(figure.axes):
        assert axes.get_xlabel() == "data set size $n$"
        assert axes.get_xscale() == "log"
        assert axes.get_ylabel()
        assert ("nats" in axes.get_ylabel()) == (PANELS[name, panel][1] in ("difference", "divergence"))
        assert axes.xaxis.get_ticklabels()[0].get_fontsize() == 7


@pytest.mark.parametrize("name", BY_SIZE)
def test_shows_the_scores_that_exist(summaries, name):
    """MAP is left out, as in the paper; AIS has no prior draws; the exact value is no competitor."""
    deterministic = ["BIC", "BICp", "CS", "VB"]
    figure = FIGURES[name](summaries)
    everything = [*deterministic, "AIS"] if name == "figure_3" else deterministic
    for panel, axes in enumerate(figure.axes):  # the divergence of AIS from itself says nothing
        expected = deterministic if PANELS[name, panel][1] == "divergence" else everything
        assert list(lines_of(axes)) == expected
    assert [text.get_text() for text in figure.legends[0].get_texts()] == everything


@pytest.mark.parametrize(("name", "panel"), [("figure_3", 0), ("figure_4", 0), ("figure_4", 1)])
def test_rank_one_is_at_the_top(summaries, name, panel):
    axes = FIGURES[name](summaries).axes[panel]
    assert axes.get_ylim() == (12, 1)
    assert axes.get_yscale() == "log"


def test_files_are_reproducible_and_settings_untouched(summaries, tmp_path):
    before = dict(mpl.rcParams)
    for suffix in (".pdf", ".png", ".svg"):
        for copy in ("first", "second"):
            save(FIGURES["figure_5"](summaries), (tmp_path / copy).with_suffix(suffix))
        first, second = ((tmp_path / copy).with_suffix(suffix).read_bytes() for copy in ("first", "second"))
        assert first == second
    pdf = (tmp_path / "first.pdf").read_bytes()
    assert b"CreationDate" not in pdf
    assert b"/Type3" not in pdf
    assert dict(mpl.rcParams) == before


def test_lines_have_a_gap_where_bridges_are_doubted(with_truth):
    """Of one of the structures at n = 160: the bridges' own lines, and divergences from them, not what others rank."""
    given = with_truth.copy(deep=True)
    at = {"score": "bridge_sampling", "n": 160, "replicate": 0}
    given["ranks"].fraction_doubted.loc[at] = 1 / 12
    whole, broken = (FIGURES["figure_3"](summaries) for summaries in (with_truth, given))
    for panel, (before, after) in enumerate(zip(whole.axes, broken.axes, strict=True)):
        assert list(lines_of(before)) == list(lines_of(after))
        for label, line in lines_of(after).items():
            usual = lines_of(before)[label].get_ydata()
            expected = np.where(np.array(N) == 160, np.nan, usual) if panel == 2 or label == "bridge" else usual
            np.testing.assert_array_equal(line.get_ydata(), expected)
            assert list(line.get_xdata()) == N
    left = [axes.collections for axes in broken.axes]
    assert [[list(each.get_offsets()[:, 0]) for each in panel] for panel in left] == [[[10]], [[10]], [[10]] * 5]
    assert not any(axes.collections for axes in whole.axes)


@pytest.mark.parametrize(
    ("name", "bands"),
    [
        ("figure_4", ["quartiles", None]),
        ("figure_5", ["95 % Wilson interval", r"$\pm$ standard error", "95 % Wilson interval"]),
        ("figure_6", [None, r"$\pm$ standard deviation", None, None]),
    ],
)
def test_bands_are_named_beside_their_axis(summaries, name, bands):
    named = [axes.get_ylabel().partition("\nband: ")[2] or None for axes in FIGURES[name](summaries).axes]
    assert named == bands


@pytest.mark.parametrize("name", ["figure_4", "figure_5"])
def test_scores_on_fewer_draws_say_so_in_the_legend(summaries, name):
    given = summaries.copy(deep=True)
    given["best"].n_runs.loc[{"score": "variational_bayes", "replicate": range(1, 6)}] = 1
    given["over_replicates"].n_replicates.loc[{"score": "variational_bayes"}] = 3
    figure = FIGURES[name](given)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["BIC", "BICp", "CS", "VB (3 draws, 1 run each)"]
    assert [text.get_text() for text in FIGURES[name](summaries).legends[0].get_texts()] == ["BIC", "BICp", "CS", "VB"]
