"""Claim: lines of scores are told apart without colour and without markers, which doubted points do not have.

Truth: their dashes, and the luminance of their colours, as print in grey has it. Scores of one look must be noticed.
"""

from itertools import combinations

import pytest
from matplotlib.colors import to_rgb

from ockham.papers.beal_ghahramani_2006.league import JUDGED
from ockham.papers.chickering_heckerman_1997.panels import DRAWN
from ockham.papers.mixed_classes.conditions import STYLES
from ockham.papers.style import SCORES, Style, with_others

TOLD_APART = 0.15
"""Of the luminance, from 0 to 1."""
PANELS = {
    "Figures 3 to 5 of Beal & Ghahramani": SCORES,
    "league": JUDGED,
    "Chickering & Heckerman": DRAWN,
    "classes": STYLES,
    "plug-in": with_others({"bridge_sampling": SCORES["bridge_sampling"]}, [f"score {k}" for k in range(6)]),
}


def grey(style):
    red, green, blue = to_rgb(style.color)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def alike(styles):
    """Pairs of labels."""
    return [
        (one.label, other.label)
        for one, other in combinations(styles.values(), 2)
        if one.dashes == other.dashes and abs(grey(one) - grey(other)) < TOLD_APART
    ]


@pytest.mark.parametrize("panel", PANELS)
def test_lines_are_told_apart_in_grey(panel):
    assert alike(PANELS[panel]) == []


def test_the_check_notices_scores_of_one_look():
    assert alike({"a": Style("a", "#0072B2", "o"), "b": Style("b", "#D55E00", "s")}) == [("a", "b")]


def test_what_is_drawn_is_the_look():
    look = SCORES["bic"].look
    assert (look["label"], look["color"], look["marker"], look["linestyle"]) == SCORES["bic"]
