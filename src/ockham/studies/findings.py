"""What a verification of results found."""

from typing import NamedTuple

__all__ = ["Finding"]


class Finding(NamedTuple):
    """A line of a verification: what was looked at, and whether something is wrong with it."""

    wrong: bool
    text: str
