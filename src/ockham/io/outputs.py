"""No result is written over a file that it is made from."""

import os
from collections.abc import Sequence
from pathlib import Path

from ockham.errors import ConfigError

__all__ = ["check_outputs"]


def check_outputs(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Raise a ConfigError for what would be written over a file that is read."""
    for path in filter(os.path.exists, outputs):
        if any(os.path.exists(given) and os.path.samefile(path, given) for given in inputs):
            raise ConfigError(f"{path}: is read, and results would be written over it; give them another name")
