"""What a verification of results found."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Finding", "of_differences"]

MAX_LINES = 20
"""Differences of one file that are told."""


class Finding(NamedTuple):
    """A line of a verification: what was looked at, and whether something is wrong with it."""

    wrong: bool
    text: str


def of_differences(path: Path, found: Sequence[tuple[str, str]], remedy: str) -> list[Finding]:
    """Places in a file, how each differs from what is made anew, and the remedy."""
    lines = [f"{path}: {place}: {how}: DIFFERENT from what is made anew; {remedy}" for place, how in found]
    if len(lines) > MAX_LINES:
        lines[MAX_LINES:] = [f"{path}: and {len(lines) - MAX_LINES} more differences"]
    return [Finding(True, line) for line in lines]
