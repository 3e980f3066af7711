"""What studies that name no paper show: evidences and posterior probabilities of structures, and what they cost."""

from pathlib import Path

from ockham.contracts import Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham.papers.generic"

PAPER = Paper(
    name="generic",
    folder=Path(__file__).parent,
    figures={
        "evidence": Shown(f"{HERE}.by_structure:evidence"),
        "probability": Shown(f"{HERE}.by_structure:probability"),
    },
    tables={
        "evidences": Shown(f"{HERE}.tables:evidences"),
        "cost": Shown(f"{HERE}.tables:cost", costs=True),
    },
)
