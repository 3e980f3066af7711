# From the files of blocks to one store of scores, and from these to what figures and tables show.
rule collect:
    input:
        specified(
            COLLECTED,
            lambda wildcards: sum(score_blocks(wildcards.study, SCORES).values(), []),
        ),
        lambda wildcards: sum(score_blocks(wildcards.study, DONE).values(), []),
        data=lambda wildcards: [
            data_path(wildcards.study, replicate)
            for replicate in STUDIES[wildcards.study].replicates.indices()
        ],
    output:
        COLLECTED,
    log:
        "<logs>/{study}/collect.log",
    wildcard_constraints:
        study=any_of(STUDIES),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1500),
        runtime=more_each_time(2),
    params:
        config=study_config,
        specification=specification(COLLECTED),
        blocks=lambda wildcards: score_blocks(wildcards.study, SCORES),
    script:
        "../scripts/collect.py"


rule summarise:
    input:
        scores=specified(SUMMARIES, lambda wildcards: scores_of(wildcards.study)),
        measured=lambda wildcards: measured_of(wildcards.study).values(),
    output:
        SUMMARIES,
    log:
        "<logs>/{study}/summarise.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(3000),
        runtime=more_each_time(5),
    params:
        configs=lambda wildcards: [CONFIGS[name] for name in parts_of(wildcards.study)],
        specification=specification(SUMMARIES),
        measurements=lambda wildcards: [*measured_of(wildcards.study)],
    script:
        "../scripts/summarise.py"
