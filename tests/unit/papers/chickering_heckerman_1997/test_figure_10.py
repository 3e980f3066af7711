"""Figure 10 shows what was measured, without and with the fit that a score rests on."""

import xarray as xr

from ockham.papers.chickering_heckerman_1997.figure_10 import figure_10


def test_costs_are_shown_without_and_with_the_fit():
    data = xr.Dataset(
        {
            "seconds": (("quantity", "structure"), [[1.0, 2.0], [3.0, 4.0], [0.1, 0.2], [0.5, 0.25]]),
            "n_parameters": ("structure", [7, 11]),
        },
        {
            "quantity": ["em_map", "em_ml", "laplace", "bic_ml"],
            "structure": ["classes-2", "classes-3"],
            "fit": ("quantity", ["", "", "em_map", "em_ml"]),
        },
    )
    without, within = figure_10(xr.DataTree.from_dict({"cost_curves": data})).axes
    shown = {line.get_label(): line.get_ydata().tolist() for line in without.lines}
    fits = {"EM for the MAP": [1.0, 2.0], "EM for the ML": [3.0, 4.0]}
    assert shown == fits | {"Laplace": [0.1, 0.2], "BIC ML": [0.5, 0.25]}
    assert [line.get_ydata().tolist() for line in within.lines] == [[1.1, 2.2], [3.5, 4.25]]
