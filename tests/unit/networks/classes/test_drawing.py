"""The picture shows values with their intervals, and of what is unknown the bounds.

Source of truth: the selection, and what Matplotlib was told to draw.
"""

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from ockham.table_results.selection_drawing import figure


def test_known_values_are_points_and_bars(selection):
    made = Figure()
    left, right = selection.plot(made.subplots(1, 2))
    heights = [patch.get_height() for patch in right.patches]
    np.testing.assert_allclose(heights, selection.posterior.probability)
    shown = {line.get_label(): line.get_ydata() for line in left.lines}
    bic = [fit.scores["bic"].log_evidence for fit in selection.fits.values()]
    highest = max(evidence.log_evidence for evidence in selection.evidences.values())
    np.testing.assert_allclose(shown["Bayesian information criterion"], np.array(bic) - highest)
    assert right.get_ylabel() == "p(K | data)"


def test_unknown_ones_are_bounds(doubtful):
    made = figure(doubtful)
    left, right = made.axes
    assert len(right.patches) == 0
    assert "unknown" in right.get_ylabel()
    assert "at least" in [line.get_label() for line in left.lines]
    made.savefig("/dev/null", format="png")


def test_new_axes_are_made_where_none_are_given(selection):
    with mpl.rc_context({"backend": "agg"}):
        axes = selection.plot()
        from matplotlib import pyplot

        pyplot.close(axes[0].figure)
    assert len(axes) == 2
