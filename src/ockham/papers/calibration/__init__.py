"""A study of our own: how often intervals of estimators of the evidence of networks hold it."""

from pathlib import Path

from ockham.contracts import Needs, Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham.papers.calibration"
EVERY = Needs(prior_draws=True)

PAPER = Paper(
    name="calibration",
    folder=Path(__file__).parent,
    figures={"intervals": Shown(f"{HERE}.intervals:intervals", EVERY)},
    tables={
        "coverage": Shown(f"{HERE}.coverage:coverage", EVERY),
        "coverage_by_kind": Shown(f"{HERE}.coverage:coverage_by_kind", EVERY),
        "evidence_cost": Shown(f"{HERE}.coverage:evidence_cost", Needs(prior_draws=True, measurements=("certified",))),
        "cost": Shown("ockham.papers.generic.tables:cost", costs=True),
    },
    roles={"long_run": "a long run that stands for the evidence of networks without an exact sum"},
)
