"""How far a call is, on a terminal or in a notebook."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from time import monotonic
from typing import Any, TextIO, cast

import click

__all__ = ["progress_bar"]

DELAY = 0.5
"""Seconds after which a bar is shown: a call that is over by then needs none."""


@contextmanager
def progress_bar(whole: float | None, *, shown: bool) -> Iterator[Callable[[float, str], None]]:
    """A bar over a whole, such as the seconds that are allowed, with what is known beside it.

    It is told how much of the whole is done; without a whole, that it goes on. Nothing is shown where there is neither
    a terminal nor a notebook.
    """
    file = _shown_on() if shown else None
    if file is None:
        yield lambda done, words: None
        return
    begun, known, entered = monotonic(), whole is not None, False
    bar: Any = click.progressbar(
        None if known else count(), length=100 if known else None, file=file, show_percent=False, show_eta=False,
        item_show_func=lambda words: words or "",
    )  # fmt: skip
    with ExitStack() as stack:

        def tell(done: float, words: str) -> None:
            nonlocal entered
            if monotonic() - begun < DELAY:
                return
            if not entered:
                stack.enter_context(bar)
                entered = True
            bar.update(1 if whole is None else max(0, int(100 * min(done / whole, 1.0)) - bar.pos), words)
            bar.render_progress()  # new words where the bar is as long as before

        yield tell


def _shown_on() -> TextIO | None:
    """Standard error, where a line can be written over."""
    if sys.stderr.isatty():
        return sys.stderr
    return cast("TextIO", _Notebook(sys.stderr)) if type(sys.stderr).__module__.startswith("ipykernel.") else None


class _Notebook:
    """The standard error of a notebook: not a terminal, but it goes back to the start of a line as one does."""

    def __init__(self, stream: TextIO) -> None:
        self.write, self.flush = stream.write, stream.flush

    def isatty(self) -> bool:
        return True
