"""The errors that a user can cause, each naming what is wrong, where, and the remedy; and the package's warning."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
def one_line() -> Iterator[None]:
    """End a script with one line, and no traceback, on an error that the user can mend."""
    try:
        yield
    except OckhamError as error:
        sys.exit(f"ockham: {error}")
