# From the files of blocks to one store of scores, and from these to what figures and tables show.
rule collect:
    input:
        lambda wildcards: sum(score_blocks(wildcards.study, SCORES).values(), []),
        lambda wildcards: sum(score_blocks(wildcards.study, DONE).values(), []),
        data=lambda wildcards: [
            data_path(wildcards.study, replicate)
            for replicate in STUDIES[wildcards.study].replicates.indices()
        ],
    output:
        "<results>/{study}/scores.nc",
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
        code=lambda wildcards: code_digest(
            "ockham.studies.collecting",
            *families.modules(STUDIES[wildcards.study].family),
        ),
        digest=lambda wildcards: STUDIES[wildcards.study].digest,
        blocks=lambda wildcards: score_blocks(wildcards.study, SCORES),
    script:
        "../scripts/collect.py"


rule summarise:
    input:
        scores=lambda wildcards: scores_of(wildcards.study),
        measured=lambda wildcards: measured_of(wildcards.study).values(),
    output:
        "<results>/{study}/summaries.nc",
    log:
        "<logs>/{study}/summarise.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(3000),
        runtime=more_each_time(5),
    params:
        code=lambda wildcards: of_family(wildcards.study, "summaries"),
        model=lambda wildcards: STUDIES[parts_of(wildcards.study)[0]].family.name,
        names=lambda wildcards: CONDITIONS.get(wildcards.study, [wildcards.study]),
        measurements=lambda wildcards: [*measured_of(wildcards.study)],
    script:
        "../scripts/summarise.py"
