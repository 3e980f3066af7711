"""A bar is drawn where a line can be written over, on a terminal or in a notebook, of calls that take a while.

Source of truth: what is written to standard error.
"""

import io
import sys

import pytest

from ockham.io import progress
from ockham.io.progress import progress_bar


class Screen(io.StringIO):
    """A terminal, or, as a class of the module of notebooks' streams, a notebook."""

    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


class OfNotebook(Screen):
    __module__ = "ipykernel.iostream"


SCREENS = {"terminal": lambda: Screen(True), "notebook": lambda: OfNotebook(False), "file": lambda: Screen(False)}


def written(monkeypatch, screen, told, *, whole=10.0, shown=True, delay=0.0):
    """What a call writes that tells so much."""
    stream = SCREENS[screen]()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "DELAY", delay)
    with progress_bar(whole, shown=shown) as tell:
        for done, words in told:
            tell(done, words)
    return stream.getvalue()


@pytest.mark.parametrize("screen", ["terminal", "notebook"])
def test_a_bar_goes_from_nothing_to_the_whole_with_what_is_known(screen, monkeypatch):
    text = written(monkeypatch, screen, [(0.0, "begun"), (5.0, "half"), (5.0, "still"), (12.0, "all")])
    lines = [line for line in text.split("\r") if "[" in line]
    assert [word in text for word in ("begun", "half", "still", "all")] == [True] * 4
    shares = [line.count("#") / (line.count("#") + line.count("-")) for line in lines]
    assert shares == sorted(shares)
    assert 0.4 < shares[len(shares) // 2] < 0.6
    assert shares[-1] == 1.0


def test_without_a_whole_it_tells_that_it_goes_on(monkeypatch):
    text = written(monkeypatch, "terminal", [(0.0, "1 s"), (0.0, "2 s")], whole=None)
    assert "1 s" in text
    assert "2 s" in text


def test_nothing_is_drawn_into_a_file_where_it_was_not_asked_for_or_of_a_call_that_is_over_at_once(monkeypatch):
    assert written(monkeypatch, "file", [(5.0, "half")]) == ""
    assert written(monkeypatch, "terminal", [(5.0, "half")], shown=False) == ""
    assert written(monkeypatch, "terminal", [(5.0, "half")], delay=60.0) == ""
