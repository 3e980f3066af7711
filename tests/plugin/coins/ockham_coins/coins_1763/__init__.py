"""A paper that nobody wrote, on two coins."""

from pathlib import Path

from ockham.contracts import Columns, Needs, Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham_coins.coins_1763"

PAPER = Paper(
    name="coins_1763",
    folder=Path(__file__).parent,
    figures={"figure_1": Shown(f"{HERE}.figure_1:figure_1", Needs(scorers=("exact",), roles=("few_draws",)))},
    tables={"table_1": Shown(f"{HERE}.table_1:table_1", Needs(scorers=("exact",)))},
    roles={"few_draws": "Monte Carlo with too few draws"},
    numbers={"numbers/table_1.csv": Columns("n", numbers="bayes_factor")},
)
