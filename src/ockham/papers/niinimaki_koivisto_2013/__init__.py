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
        "bounded": "one of many short runs, of which the lower bounds that hold are counted; section 3.4",
        "timed": "one of the six samplers, whose samples are timed, of MC3 a hundred a run; sections 3.2 and 3.5",
        "uncounted": "the same without counting linear extensions; section 3.5",
        "single_nodes": "the upper bound by blocks of one node each; section 4",
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
        "bounds_that_hold": Shown(f"{HERE}.bounds_that_hold:bounds_that_hold", Needs(roles=("bounded",))),
        "bounds_without_blocks": Shown(
            f"{HERE}.bounds_without_blocks:bounds_without_blocks", Needs(roles=("single_nodes", "timed"))
        ),
        "sampling_costs": Shown(f"{HERE}.sampling_costs:sampling_costs", Needs(roles=("timed", "uncounted"))),
        "samples_per_second": Shown(f"{HERE}.sampling_costs:samples_per_second", Needs(roles=("timed",))),
        "ideal_space": Shown(
            f"{HERE}.ideal_space:ideal_space", Needs(roles=("timed",), measurements=("linear_extensions",))
        ),
    },
    numbers={"numbers/lower_bounds.csv": Columns("condition prior", "condition prior", "factor least")},
)
