"""What families of models, scorers and papers are made of. docs/adding_a_scorer.md adds one of each from outside."""

from ockham.contracts.evidence import NO_DOUBT, Array, Bound, Doubt, Estimator, Evidence, OverRuns, Reference
from ockham.contracts.families import (
    LABEL,
    NAME,
    RESERVED,
    CheckedScorer,
    Data,
    Draw,
    Family,
    FamilySettings,
    Model,
    Plan,
    Resources,
    Sampler,
    Scored,
    Scorer,
    Settings,
    Variable,
    check_label,
)
from ockham.contracts.papers import Columns, Needs, Paper, Shown

__all__ = [
    "LABEL", "NAME", "NO_DOUBT", "RESERVED", "Array", "Bound", "CheckedScorer", "Columns", "Data", "Doubt", "Draw",
    "Estimator", "Evidence", "Family", "FamilySettings", "Model", "Needs", "OverRuns", "Paper", "Plan", "Reference",
    "Resources", "Sampler", "Scored", "Scorer", "Settings", "Shown", "Variable", "check_label",
]  # fmt: skip
