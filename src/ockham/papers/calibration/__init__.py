"""A study of our own: how often intervals of estimators of the evidence of networks hold it."""

from pathlib import Path

from ockham.contracts import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="calibration",
    folder=Path(__file__).parent,
    roles={"long_run": "a long run that stands for the evidence of networks without an exact sum"},
)
