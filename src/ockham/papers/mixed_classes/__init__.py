"""A study of our own: latent classes of mixed items, how often their number is found, and by which scores."""

from pathlib import Path

from ockham.contracts import Needs, Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham.papers.mixed_classes"
EVERY = Needs(scorers=("exact", "vb", "bridge"), prior_draws=True)

PAPER = Paper(
    name="mixed_classes",
    folder=Path(__file__).parent,
    figures={
        "recovery": Shown(f"{HERE}.recovery:recovery", EVERY),
        "distances": Shown(f"{HERE}.distances:distances", EVERY),
    },
    tables={
        "recovery_by_size": Shown(f"{HERE}.recovery:recovery_by_size", EVERY),
        "league_table": Shown(f"{HERE}.distances:league_table", EVERY),
        "calibration": Shown(f"{HERE}.calibration:calibration", EVERY),
        "agreement": Shown(f"{HERE}.calibration:agreement", EVERY),
    },
)
