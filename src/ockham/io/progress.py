"""How far a call is, on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(seconds: float, *, shown: bool) -> Iterator[Callable[[float, str], None]]:
    """A bar over the seconds that are allowed, with what is known beside it; nothing where there is no terminal."""
    if not shown or not sys.stderr.isatty():
        yield lambda elapsed, words: None
        return
    with click.progressbar(
        length=100, file=sys.stderr, show_percent=False, show_eta=False, item_show_func=lambda words: words or ""
    ) as bar:

        def tell(elapsed: float, words: str) -> None:
            bar.update(max(0, int(100 * elapsed / seconds) - bar.pos), words)

        yield tell
