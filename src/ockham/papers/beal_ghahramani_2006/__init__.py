"""Beal & Ghahramani (2006), and their Valencia 7 paper (2003)."""

from pathlib import Path

from ockham.contracts import Columns, Needs, Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham.papers.beal_ghahramani_2006"
SCHEDULES = Needs(scorers=("em", "vb", "ais"), roles=("schedule_length",))
FITS = Needs(scorers=("vb",), whole=True)
PRIOR_DRAWS = Needs(scorers=("vb",), prior_draws=True, whole=True)
TRUTH = Needs(scorers=("bridge",), whole=True)
REMARKS = Needs(roles=("remarks",))
DATA_DRAWS = Needs(scorers=("em", "vb"), conditions=("draw_39",))

PAPER = Paper(
    name="beal_ghahramani_2006",
    folder=Path(__file__).parent,
    parameters=f"{HERE}.parameters:PARAMETERS",
    roles={
        "schedule_length": "AIS of the true structure by the length of its schedule; Figure 6 (a)",
        "scaled_proposal": "AIS whose proposal strength grows with n tau; section 5",
        "strength": "AIS by the strength of its proposal, which the paper does not give",
        "further_draws": "AIS and VB of Table 3, on further draws of the data",
        "reading": "AIS and VB of the true structure on draws of the prior, as Table 3 could be read",
        "remarks": "EM and VB for what the text says in passing",
        "smaller_sizes": "AIS at the sizes that the first column of Table 3 stands for",
        "doubled_sizes": "AIS at sizes that double, of Figure 6 (b)",
        "schedule_shape": "AIS by the curvature of its schedule, of Figure 6 (d)",
        "equal_time": "AIS that takes about as long as AIS over completions; section 7",
        "half_steps": "AIS of the true structure with half of the steps; section 5",
    },
    figures={
        "figure_2": Shown(f"{HERE}.figure_2:figure_2", FITS),
        "figure_2_from_truth": Shown(f"{HERE}.figure_2:figure_2_from_truth", TRUTH),
        "figure_3": Shown(f"{HERE}.figure_3:figure_3", FITS),
        "figure_4": Shown(f"{HERE}.figure_4:figure_4", PRIOR_DRAWS),
        "figure_5": Shown(f"{HERE}.figure_5:figure_5", PRIOR_DRAWS),
        "figure_6": Shown(
            f"{HERE}.figure_6:figure_6",
            Needs(scorers=SCHEDULES.scorers, roles=SCHEDULES.roles, measurements=("schedules",)),
        ),
        "figure_6_scaled": Shown(
            f"{HERE}.figure_6_scaled:figure_6_scaled", Needs(scorers=("vb", "ais"), roles=("scaled_proposal",))
        ),
        "league": Shown(f"{HERE}.league:league", TRUTH),
        "valencia_2003": Shown(f"{HERE}.valencia_2003:valencia_2003", SCHEDULES),
    },
    tables={
        "table_2": Shown(f"{HERE}.table_2:table_2", FITS),
        "banding": Shown(f"{HERE}.banding:banding", FITS),
        "table_2_draws": Shown(f"{HERE}.table_2_draws:table_2_draws", DATA_DRAWS),
        "table_2_draws_by_size": Shown(f"{HERE}.table_2_draws:table_2_draws_by_size", DATA_DRAWS),
        "alias_readings": Shown(f"{HERE}.table_2_draws:alias_readings", DATA_DRAWS),
        "section_4_1_draws": Shown(f"{HERE}.table_2_draws:section_4_1_draws", DATA_DRAWS),
        "figure_6_draws": Shown(
            f"{HERE}.table_2_draws:figure_6_draws",
            Needs(scorers=DATA_DRAWS.scorers, roles=SCHEDULES.roles, conditions=DATA_DRAWS.conditions),
        ),
        "starts_at_the_truth": Shown(
            f"{HERE}.table_2_draws:starts_at_the_truth",
            Needs(scorers=DATA_DRAWS.scorers, roles=SCHEDULES.roles, conditions=DATA_DRAWS.conditions),
        ),
        "table_3": Shown(f"{HERE}.table_3:table_3", Needs(scorers=("vb", "ais"))),
        "table_3_draws": Shown(f"{HERE}.table_3_draws:table_3_draws", Needs(roles=("further_draws",))),
        "remedy_draws": Shown(
            f"{HERE}.table_3_draws:remedy_draws", Needs(roles=("scaled_proposal",), conditions=("remedy",))
        ),
        "table_3_reading": Shown(
            f"{HERE}.table_3_draws:table_3_reading", Needs(roles=("reading",), prior_draws=True)
        ),
        "strength_calibration": Shown(
            f"{HERE}.strength_calibration:strength_calibration", Needs(roles=("strength",))
        ),
        "candidate_check": Shown(f"{HERE}.candidate_check:candidate_check", Needs(scorers=("candidate", "bridge"))),
        "laplace_check": Shown(f"{HERE}.laplace_check:laplace_check", Needs(scorers=("laplace", "bridge"))),
        "league_table": Shown(f"{HERE}.league:league_table", TRUTH),
        "figure_3_from_truth": Shown(
            f"{HERE}.league:figure_3_from_truth", Needs(scorers=("bridge", "candidate", "laplace"))
        ),
        "sandwich": Shown(f"{HERE}.sandwich:sandwich", Needs(scorers=("smc",), prior_draws=True)),
        "singular_check": Shown(f"{HERE}.singular_check:singular_check", Needs(scorers=("wbic", "bridge"))),
        "below_cs": Shown(f"{HERE}.section_4_2:below_cs", Needs(scorers=("em", "vb"), conditions=("strict_20",))),
        "section_4_2": Shown(f"{HERE}.section_4_2:section_4_2", PRIOR_DRAWS),
        "section_4_2_by_size": Shown(f"{HERE}.section_4_2:section_4_2_by_size", PRIOR_DRAWS),
        "figure_numbers_by_size": Shown(
            f"{HERE}.figure_numbers:figure_numbers_by_size", Needs(scorers=("vb", "ais"), prior_draws=True)
        ),
        "schedule_lengths": Shown(f"{HERE}.figure_numbers:schedule_lengths", SCHEDULES),
        "acceptance": Shown(f"{HERE}.figure_numbers:acceptance", Needs(scorers=("ais",))),
        "computation_time": Shown(f"{HERE}.computation_time:computation_time", FITS, costs=True),
        "annealing_seconds": Shown(
            f"{HERE}.annealing_seconds:annealing_seconds", Needs(roles=("equal_time",)), costs=True
        ),
        "structure_sizes": Shown(f"{HERE}.remarks:structure_sizes", REMARKS),
        "true_model": Shown(f"{HERE}.remarks:true_model", REMARKS),
        "top_structures": Shown(f"{HERE}.remarks:top_structures", REMARKS),
        "distances_over_draws": Shown(
            f"{HERE}.remarks:distances_over_draws", Needs(roles=REMARKS.roles, prior_draws=True)
        ),
        "table_3_smaller": Shown(
            f"{HERE}.remarks_of_annealing:table_3_smaller", Needs(roles=("smaller_sizes",))
        ),
        "acceptance_by_doubling": Shown(
            f"{HERE}.remarks_of_annealing:acceptance_by_doubling", Needs(roles=("doubled_sizes",))
        ),
        "schedule_shapes": Shown(
            f"{HERE}.remarks_of_annealing:schedule_shapes", Needs(roles=("schedule_shape",))
        ),
        "seconds_at_480": Shown(
            f"{HERE}.seconds_at_480:seconds_at_480", Needs(roles=("half_steps",)), costs=True
        ),
    },
    numbers={
        "numbers/numbers.csv": Columns("quantity", "quantity source", "value"),
        "numbers/table_2.csv": Columns(
            "n", "", "map bic_uncorrected bicp_uncorrected cheeseman_stutz_uncorrected variational_bayes_uncorrected "
            "bic bicp cheeseman_stutz variational_bayes ais",
        ),
        "numbers/table_3.csv": Columns(
            "n", "", "ais_1_below_vb_uncorrected ais_1_below_vb rejected ais_5_below_vb_uncorrected ais_5_below_vb"
        ),
    },
)  # fmt: skip
