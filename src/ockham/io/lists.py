"""Lists that callers give, and that may have no end."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from ockham.errors import OckhamError
from ockham.io.arguments import sequence

__all__ = ["members"]


def members(value: Any, name: str, most: int, refusal: type[OckhamError]) -> tuple[Any, ...]:
    """The members of a list, as ``sequence`` has them; of a range or an iterator at most one more than may be."""
    return sequence(islice(value, most + 1) if isinstance(value, range | Iterator) else value, name, refusal)
