"""Ctrl-C, as a user presses it: once, whichever of several threads comes to it first.

Pressed again while the first is being answered, it ends whatever is at work then, be it the process of the tests.
"""

import signal
import threading
from collections.abc import Callable


def pressed_once() -> Callable[[], None]:
    """A function whose first call alone presses Ctrl-C."""
    unpressed = threading.Lock()

    def press() -> None:
        if unpressed.acquire(blocking=False):
            signal.raise_signal(signal.SIGINT)

    return press
