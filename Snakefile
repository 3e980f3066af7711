"""Every study's data, scores, summaries, figures and tables. `snakemake --cores N` makes them all."""

from snakemake.utils import min_version

min_version("9.27")


configfile: "config/workflow.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/scheduling.smk"
include: "workflow/rules/interruption.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/summaries.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/progress.smk"


rule all:
    default_target: True
    input:
        [study_outputs(name) for name in config["studies"] if name in NAMED],
        [path("<figures>/claims.md")] if with_claims() else [],


# One target a study, under its own name: `snakemake --cores 2 beal_ghahramani_2006`.
for study_name in NAMED:

    rule:
        name:
            study_name
        input:
            study_outputs(study_name),
