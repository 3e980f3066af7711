"""Chen & Welling (2013)."""

from pathlib import Path

from ockham.contracts import Needs, Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham.papers.chen_welling_2013"

PAPER = Paper(
    name="chen_welling_2013",
    folder=Path(__file__).parent,
    roles={
        "repeated": "more runs of one cell, whose spread is shown; Figure 1",
        "exact_fit": "fits with expectations by enumeration in place of samples",
        "sampled_fit": "the reverse, where other fits are exact",
        "more_prior_draws": "bridges with ten times as many draws of the prior; starred in Figure 7",
        "short_schedule": "AIS with fewer temperatures, to see whether there are enough",
        "reverse": "AIS from the posterior to the prior, which bounds the evidence from the other side",
        "short_reverse": "the same with fewer temperatures",
        "given_step": "Langevin chains of one step, whether they have converged or not",
        "single_fit": "one fit by samples for each data set, to count those that were stopped",
        "large_fit": "one fit of a machine with thousands of parameters, whose cost is shown",
        "annealed_partition": "the partition function by AIS, at the fits of the role exact_fit",
    },
    figures={
        "figure_1": Shown(
            f"{HERE}.figure_1:figure_1",
            Needs(conditions=("simulated",), scorers=("cross_validation",), roles=("repeated",)),
        ),
        "figure_2": Shown(
            f"{HERE}.figure_2:figure_2", Needs(conditions=("simulated",), scorers=("laplace", "cross_validation"))
        ),
        "figure_4": Shown(f"{HERE}.figure_4:figure_4", Needs(conditions=("five_words_sizes",))),
        "figure_5": Shown(f"{HERE}.figure_5:figure_5", Needs(measurements=("posterior_histograms",))),
        "figure_6": Shown(f"{HERE}.figure_6:figure_6", Needs(conditions=("five_words_units",))),
        "figure_7": Shown(f"{HERE}.figure_7:figure_7", Needs(conditions=("all_words",))),
        "figure_8": Shown(
            f"{HERE}.figure_8:figure_8",
            Needs(conditions=("five_words_units", "all_words"), scorers=("cross_validation",)),
        ),
    },
    tables={
        "accuracy": Shown(f"{HERE}.accuracy:accuracy", Needs(scorers=("ais",))),
        "ground_truth": Shown(f"{HERE}.ground_truth:ground_truth", Needs(scorers=("ais",))),
        "units_selected": Shown(
            f"{HERE}.figure_numbers:units_selected",
            Needs(conditions=("simulated",), scorers=("laplace", "cross_validation")),
        ),
        "laplace_runs": Shown(f"{HERE}.figure_numbers:laplace_runs", Needs(scorers=("laplace",))),
        "run_deviations": Shown(f"{HERE}.figure_numbers:run_deviations", Needs(scorers=("laplace",))),
        "langevin_chains": Shown(f"{HERE}.figure_numbers:langevin_chains", Needs(scorers=("langevin",))),
        "held_out": Shown(
            f"{HERE}.figure_numbers:held_out",
            Needs(conditions=("simulated", "five_words_units", "all_words"), scorers=("cross_validation",)),
        ),
        "doubted_scores": Shown(f"{HERE}.figure_numbers:doubted_scores"),
        "posterior_distances": Shown(
            f"{HERE}.figure_numbers:posterior_distances", Needs(measurements=("posterior_histograms",))
        ),
        "given_steps": Shown(f"{HERE}.remarks:given_steps", Needs(roles=("given_step",))),
        "draws_worth": Shown(f"{HERE}.remarks:draws_worth", Needs(roles=("given_step",))),
        "single_fits": Shown(f"{HERE}.remarks:single_fits", Needs(roles=("single_fit",))),
        "annealed_partition": Shown(f"{HERE}.remarks:annealed_partition", Needs(roles=("annealed_partition",))),
        "cost": Shown(
            "ockham.papers.generic.tables:cost", Needs(roles=("given_step", "annealed_partition")), costs=True
        ),
    },
)
