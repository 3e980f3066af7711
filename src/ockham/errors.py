"""The errors that a user can cause, each naming what is wrong, where, and the remedy; and the package's warning."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = [
    "ConfigError", "DataError", "ModelError", "OckhamError", "OckhamWarning", "StoreError", "UnreadableError",
    "one_line",
]  # fmt: skip


class OckhamError(ValueError):
    """Base of the errors below; the command line prints its message without a traceback."""


class ModelError(OckhamError):
    """A model that cannot exist or cannot be evaluated."""


class DataError(OckhamError):
    """Data that do not fit the model that they were given to."""


class ConfigError(OckhamError):
    """A study's configuration that cannot be run."""


class StoreError(OckhamError):
    """A stored file that cannot be trusted, or cannot be written."""


class UnreadableError(StoreError):
    """A stored file that is damaged: none of it can be used."""


class OckhamWarning(UserWarning):
    """A result that is not to be trusted, with the reason."""


@contextmanager
def one_line(log: str | Path) -> Iterator[None]:
    """End a script with one line, and no traceback, on an error that the user can mend.

    The log has the line as well, and of any other error the traceback.
    """
    try:
        yield
    except OckhamError as error:
        Path(log).write_text(f"ockham: {error}\n", encoding="utf-8")
        sys.exit(f"ockham: {error}")
    except Exception:
        Path(log).write_text(traceback.format_exc(), encoding="utf-8")
        raise
