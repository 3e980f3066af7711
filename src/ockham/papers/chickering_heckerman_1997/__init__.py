"""Chickering & Heckerman (1997)."""

from pathlib import Path

from ockham.contracts import Columns, Needs, Paper, Shown

__all__ = ["PAPER"]

HERE = "ockham.papers.chickering_heckerman_1997"
SELECTIONS = Needs(
    conditions=("features_32", "features_64", "features_128", "classes_6", "classes_8"), scorers=("candidate",)
)
SEEDS = Needs(conditions=("features_32_seeds",), scorers=("candidate", "laplace", "em", "em_ml"))
DRAWS = Needs(
    conditions=("inside", "boundary"),
    scorers=("candidate", "laplace", "em"),
    roles=("smaller_map", "smaller_map_by_bound"),
)
REMARKS = ("other_32", "other_64", "other_classes_8")
TRUTH = Needs(scorers=("candidate", "laplace", "em", "em_ml", "bridge"))


def _figure(name: str, *conditions: str) -> Shown:
    return Shown(f"{HERE}.{name}:{name}", Needs(conditions=conditions))


PAPER = Paper(
    name="chickering_heckerman_1997",
    folder=Path(__file__).parent,
    figures={
        "figure_2": _figure("figure_2", "independent", "overlap_140", "overlap_070"),
        "figure_4": _figure("figure_4", "small_125", "small_350", "small_575"),
        "figure_5": _figure("figure_5", "features_32", "features_64", "features_128"),
        "figure_6": _figure("figure_6", "features_64", "classes_6", "classes_8"),
        "figure_7": _figure("figure_7", "features_64"),
        "figure_8": _figure("figure_8", "classes_8", "prior_1", "prior_01"),
        "figure_9": _figure("figure_9", "inside", "boundary"),
        "figure_9_draws": Shown(f"{HERE}.figure_9_draws:figure_9_draws", DRAWS),
        "figure_10": Shown(f"{HERE}.figure_10:figure_10", Needs(measurements=("cost_curves",))),
        "figure_11": _figure("figure_11", "small_soybean", "audiology", "lung_cancer"),
    },
    tables={
        "table_1": Shown(f"{HERE}.table_1:table_1", SELECTIONS),
        "table_2": Shown(f"{HERE}.table_2:table_2", SELECTIONS),
        "table_1_seeds": Shown(f"{HERE}.table_1_seeds:table_1_seeds", SEEDS),
        "table_2_seeds": Shown(f"{HERE}.table_2_seeds:table_2_seeds", SEEDS),
        "averaging_errors": Shown(f"{HERE}.table_2_seeds:averaging_errors", SEEDS),
        "alias_corrections": Shown(f"{HERE}.alias_corrections:alias_corrections", SELECTIONS),
        "table_3": Shown(
            f"{HERE}.table_3:table_3", Needs(conditions=("small_soybean", "audiology", "lung_cancer"))
        ),
        "boundary_draws": Shown(f"{HERE}.boundary_draws:boundary_draws", DRAWS),
        "candidate_noise": Shown(
            f"{HERE}.candidate_noise:candidate_noise",
            Needs(conditions=("noise_8",), scorers=("candidate",), roles=("map_point",)),
        ),
        "local_maxima": Shown(
            f"{HERE}.local_maxima:local_maxima",
            Needs(conditions=("maxima",), scorers=("candidate", "laplace"), roles=("local_maxima",)),
        ),
        "samplers": Shown(
            f"{HERE}.samplers:samplers",
            Needs(conditions=("collapsed",), scorers=("candidate",), roles=("collapsed_sampler",)),
        ),
        "differences_from_truth": Shown(f"{HERE}.differences_from_truth:differences_from_truth", TRUTH),
        "selected_by_truth": Shown(f"{HERE}.differences_from_truth:selected_by_truth", TRUTH),
        "longer_fits": Shown(
            f"{HERE}.longer_fits:longer_fits",
            Needs(conditions=REMARKS, scorers=("em", "em_ml", "laplace"), roles=("longer_fit",)),
        ),
        "chains": Shown(
            f"{HERE}.chains:chains",
            Needs(
                conditions=REMARKS,
                scorers=("candidate",),
                roles=("short_chain", "long_selection", "uniform_start", "map_point"),
            ),
        ),
        "empty_classes": Shown(
            f"{HERE}.empty_classes:empty_classes", Needs(conditions=REMARKS, scorers=("candidate", "laplace"))
        ),
        "scores_by_classes": Shown(f"{HERE}.figure_numbers:scores_by_classes"),
        "selected_by_condition": Shown(f"{HERE}.figure_numbers:selected_by_condition"),
        "sensitivity_to_priors": Shown(
            f"{HERE}.figure_numbers:sensitivity_to_priors", Needs(conditions=("classes_8", "prior_1", "prior_01"))
        ),
        "costs_by_size": Shown(f"{HERE}.figure_numbers:costs_by_size", Needs(measurements=("cost_curves",))),
    },
    roles={
        "map_point": "the Candidate method at the MAP parameters, in place of the mode of a completion",
        "smaller_map": "fits that start from the MAP with one class fewer as well",
        "smaller_map_by_bound": "of these fits those of the highest Cheeseman-Stutz score, not objective",
        "local_maxima": "Laplace summed over many local maxima",
        "collapsed_sampler": "the Candidate method with the paper's sampler",
        "longer_fit": "the same fits with more iterations",
        "short_chain": "the Candidate method with the shortest chain that the paper found to do",
        "long_selection": "the Candidate method with twice the sweeps to choose the completion",
        "uniform_start": "the Candidate method with a chain that does not start from the MAP",
    },
    numbers={
        "numbers/table_1.csv": Columns(
            "condition n", "condition", "features classes laplace laplace_sd block block_sd diagonal diagonal_sd "
            "cs_map cs_map_sd cs_ml cs_ml_sd bic_map bic_map_sd bic_ml bic_ml_sd",
        ),
        "numbers/table_2.csv": Columns(
            "condition n", "condition", "features classes c_1 l_1 c_2 l_2 c_3 l_3 c_4 l_4 c_5 l_5"
        ),
        "numbers/table_3.csv": Columns(
            "condition", "condition candidate laplace block diagonal cs_map bic_ml", "features n"
        ),
    },
)  # fmt: skip
