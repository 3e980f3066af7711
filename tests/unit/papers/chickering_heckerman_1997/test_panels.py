"""The figures of Chickering & Heckerman (1997) show what the summaries hold."""

from importlib import import_module

import numpy as np
import pytest
import xarray as xr

from ockham import families
from ockham.papers.chickering_heckerman_1997 import PAPER

PANELS = {
    name: import_module(families.module_name(about.function)).PANELS
    for name, about in PAPER.figures.items()
    if name not in ("figure_10", "figure_9_draws")
}
SCORES = ["candidate", "laplace", "bic_ml", "exact"]
STRUCTURES = ["classes-1", "classes-2", "classes-3"]


def condition(sizes, seed):
    shape = (len(SCORES), 2, 1, len(sizes), len(STRUCTURES))
    values = np.random.default_rng(seed).normal(-100, 10, shape)
    values[1, ..., 2] = np.nan
    values[3] = np.nan
    coordinates = {
        "score": SCORES, "alias_correction": ["none", "log_aliases"], "replicate": [1], "n": sizes,
        "structure": STRUCTURES,
    }  # fmt: skip
    return xr.Dataset(
        {
            "log_evidence": (tuple(coordinates), values),
            "doubt": (("score", "replicate", "n", "structure"), (values[:, 0] < -105).astype(np.uint8)),
            "standard_error": (("score", "replicate", "n", "structure"), np.full_like(values[:, 0], np.nan)),
            "lowest_run": (("replicate", "n", "structure"), values[0, 1] - 1),
            "highest_run": (("replicate", "n", "structure"), values[0, 1] + 2),
            "separation": (("replicate", "n"), [[0.25] * len(sizes)]),
            "n_hidden_configurations": ("structure", [1, 2, 3]),
        },
        coordinates,
    )


def summaries():
    sizes = {}
    for panels in PANELS.values():
        for panel in panels:
            sizes.setdefault(panel.condition, set()).add(panel.n)
    groups = {name: condition(sorted(ns), i) for i, (name, ns) in enumerate(sizes.items())}
    return xr.DataTree.from_dict(groups)


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_has_a_line_for_every_score_that_has_a_value(name):
    tree = summaries()
    figure = families.load(PAPER.figures[name].function)(tree)
    panels = PANELS[name]
    assert len(figure.axes) == 2 * len(panels)
    for axes, below, panel in zip(figure.axes[: len(panels)], figure.axes[len(panels) :], panels, strict=True):
        data = tree[panel.condition].to_dataset().sel(n=panel.n, alias_correction="log_aliases").isel(replicate=0)
        standard = data.log_evidence.sel(score="candidate")
        assert [line.get_label() for line in axes.lines] == ["Candidate", "Laplace", "BIC ML"]
        for line, score in zip(axes.lines, SCORES, strict=False):
            np.testing.assert_array_equal(line.get_xdata(), [1, 2, 3])
            np.testing.assert_array_equal(line.get_ydata(), data.log_evidence.sel(score=score))
            assert line.get_markevery() == np.flatnonzero(data.doubt.sel(score=score) == 0).tolist()
        for line, score in zip(below.lines, SCORES[1:3], strict=False):
            np.testing.assert_array_equal(line.get_ydata(), data.log_evidence.sel(score=score) - standard)
            doubted = (data.doubt.sel(score=score) != 0) | (data.doubt.sel(score="candidate") != 0)
            assert line.get_markevery() == np.flatnonzero(~doubted).tolist()
        bars = [segment[:, 1].tolist() for segment in axes.collections[0].get_segments()]
        assert bars == [[low, low + 3] for low in data.lowest_run.values.tolist()]
        assert axes.collections[0].get_label() == "range of Candidate's runs"
        assert axes.get_xlabel() == "classes\nseparation 0.2500"
        assert panel.title in axes.get_title(loc="left")
        if panel.close:
            assert axes.get_ylim()[1] > float(data.log_evidence.sel(score="candidate").max()) > axes.get_ylim()[0]
        assert below.get_xlabel() == "classes"
    assert set(PAPER.figures[name].needs.conditions) == {panel.condition for panel in PANELS[name]}


def test_a_missing_point_breaks_the_line_and_lines_of_one_colour_differ():
    figure = families.load(PAPER.figures["figure_5"].function)(summaries())
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert np.isnan(lines["Laplace"].get_ydata()[2])
    assert lines["BIC ML"]._dash_pattern != lines["Laplace"]._dash_pattern
    assert len({line.get_marker() for line in lines.values()}) == len(lines)
