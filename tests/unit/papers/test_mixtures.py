"""The figures of Chickering & Heckerman (1997) show what the summaries hold."""

import numpy as np
import pytest
import xarray as xr

from ockham.papers.chickering_heckerman_1997.figures import FIGURES as PANELS
from ockham.papers.figures import FIGURES, NEEDS

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
            "lowest_run": (("replicate", "n", "structure"), values[0, 1] - 1),
            "highest_run": (("replicate", "n", "structure"), values[0, 1] + 2),
            "separation": (("replicate", "n"), [[0.25] * len(sizes)]),
        },
        coordinates,
    )


def summaries():
    sizes = {}
    for panels in PANELS.values():
        for panel in panels:
            sizes.setdefault(panel.condition, set()).add(panel.n)
    groups = {name: condition(sorted(ns), i) for i, (name, ns) in enumerate(sizes.items())}
    costs = xr.Dataset(
        {
            "seconds": (("quantity", "structure"), [[1.0, 2.0], [3.0, 4.0], [0.1, 0.2], [0.5, 0.25]]),
            "n_parameters": ("structure", [7, 11]),
        },
        {"quantity": ["em_map", "em_ml", "laplace", "bic_ml"], "structure": STRUCTURES[1:]},
    )
    return xr.DataTree.from_dict(groups | {"costs": costs})


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_has_a_line_for_every_score_that_has_a_value(name):
    tree = summaries()
    figure = FIGURES["chickering_heckerman_1997"][name](tree)
    assert len(figure.axes) == len(PANELS[name])
    for axes, panel in zip(figure.axes, PANELS[name], strict=True):
        data = tree[panel.condition].to_dataset().sel(n=panel.n, alias_correction="log_aliases").isel(replicate=0)
        assert [line.get_label() for line in axes.lines] == ["Candidate", "Laplace", "BIC ML"]
        for line, score in zip(axes.lines, SCORES, strict=False):
            np.testing.assert_array_equal(line.get_xdata(), [1, 2, 3])
            np.testing.assert_array_equal(line.get_ydata(), data.log_evidence.sel(score=score))
        bars = [segment[:, 1].tolist() for segment in axes.collections[0].get_segments()]
        assert bars == [[low, low + 3] for low in data.lowest_run.values.tolist()]
        assert axes.get_xlabel() == "classes\nseparation 0.2500"
        assert panel.title in axes.get_title(loc="left")
        if panel.close:
            assert axes.get_ylim()[1] > float(data.log_evidence.sel(score="candidate").max()) > axes.get_ylim()[0]
    assert set(NEEDS["chickering_heckerman_1997"][name]) == {panel.condition for panel in PANELS[name]}


def test_costs_are_shown_without_and_with_the_fit():
    without, within = FIGURES["chickering_heckerman_1997"]["figure_10"](summaries()).axes
    shown = {line.get_label(): line.get_ydata().tolist() for line in without.lines}
    fits = {"EM for the MAP": [1.0, 2.0], "EM for the ML": [3.0, 4.0]}
    assert shown == fits | {"Laplace": [0.1, 0.2], "BIC ML": [0.5, 0.25]}
    assert [line.get_ydata().tolist() for line in within.lines] == [[1.1, 2.2], [3.5, 4.25]]
