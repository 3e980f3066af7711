# A block file is completed in place: a job computes only the cells whose key is missing or different.
rule score:
    input:
        data_of_block,
    output:
        update(SCORES),
    log:
        RESULTS + "/{study}/logs/score/{scorer}/{block}.log",
    benchmark:
        RESULTS + "/{study}/benchmarks/{scorer}/{block}.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    params:
        config=study_config,
        specification=lambda wildcards: block_specification(
            STUDIES[wildcards.study], block_of(wildcards)
        ),
    shell:
        "ockham score {params.config} {wildcards.scorer} {wildcards.block} {input} --output {output} > {log} 2>&1"


rule collect:
    input:
        lambda wildcards: sum(score_blocks(wildcards.study).values(), []),
    output:
        RESULTS + "/{study}/scores.nc",
    log:
        RESULTS + "/{study}/logs/collect.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        config=study_config,
        digest=lambda wildcards: STUDIES[wildcards.study].digest,
        blocks=lambda wildcards: score_blocks(wildcards.study),
    script:
        "../scripts/collect.py"


rule summarise:
    input:
        RESULTS + "/{study}/scores.nc",
    output:
        RESULTS + "/{study}/summaries.nc",
    log:
        RESULTS + "/{study}/logs/summarise.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=source_tree_digest(ROOT / "summaries"),
    script:
        "../scripts/summarise.py"
