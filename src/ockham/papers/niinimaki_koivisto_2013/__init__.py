"""Niinimäki & Koivisto (2013)."""

from pathlib import Path

from ockham.contracts import Columns, Needs, Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham.papers.niinimaki_koivisto_2013"

ANNEALED = Needs(scorers=("ais",))
"""Not shown are studies all of whose samplers have a role."""

PAPER = Paper(
    name="niinimaki_koivisto_2013",
    folder=Path(__file__).parent,
    roles={
        "linear_schedule": "one of three forms of the schedule that are compared: linear; section 3.5",
        "curved_schedule": "the same, lingering near the prior",
        "harmonic_schedule": "the same, by harmonic stepping; section 2.3",
    },
    figures={
        "figure_1": Shown(f"{HERE}.figure_1:figure_1", Needs(measurements=("linear_extensions",))),
        "figure_2": Shown(f"{HERE}.figure_2:figure_2", ANNEALED),
        "figure_3": Shown(f"{HERE}.figure_3:figure_3", ANNEALED),
    },
    tables={
        "evidence": Shown(f"{HERE}.evidence:evidence", ANNEALED),
        "samplers_at_the_end": Shown(f"{HERE}.figure_numbers:samplers_at_the_end", ANNEALED),
        "extension_times": Shown(f"{HERE}.figure_numbers:extension_times", Needs(measurements=("linear_extensions",))),
        "upper_bounds": Shown(f"{HERE}.upper_bounds:upper_bounds", Needs(scorers=("blocks",))),
        "unique_graphs": Shown(f"{HERE}.unique_graphs:unique_graphs", Needs(measurements=("order_bias",))),
        "schedules": Shown(
            f"{HERE}.schedules:schedules", Needs(roles=("linear_schedule", "curved_schedule", "harmonic_schedule"))
        ),
        "special_graph": Shown(f"{HERE}.unique_graphs:special_graph", Needs(measurements=("order_bias",))),
    },
    numbers={"numbers/lower_bounds.csv": Columns("condition prior", "condition prior", "factor least")},
)
