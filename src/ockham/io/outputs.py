"""Where results go: known to be possible before any work, and never over a file that they are made from."""

import os
from collections.abc import Sequence
from pathlib import Path

from ockham.errors import ConfigError

__all__ = ["check_outputs", "stem_of"]


def check_outputs(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Raise a ConfigError for what would be written over a file that is read, and for what cannot be written."""
    for path in outputs:
        if os.path.exists(path) and any(os.path.exists(given) and os.path.samefile(path, given) for given in inputs):
            raise ConfigError(f"{path}: is read, and results would be written over it; give them another name")
        if os.path.isdir(path):
            raise ConfigError(f"{path}: is a folder; give the name of a file")
        above = next(folder for folder in path.absolute().parents if os.path.exists(folder))
        if not above.is_dir():
            raise ConfigError(f"{path}: cannot be written ({above} is no folder); choose another place")
        if not os.access(above, os.W_OK | os.X_OK):
            raise ConfigError(f"{path}: cannot be written (nothing may be written to {above}); choose another place")


def stem_of(output: Path | None, default: Path) -> Path:
    """Path of results without their suffixes: that was asked for, in a folder that is there the name by default."""
    if output is None:
        return default
    return output / default.name if output.is_dir() else output
