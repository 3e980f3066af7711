# A block file is completed in place: a job computes only the cells whose key is missing or different. When a job fails,
# Snakemake restores its block file and yet takes the job as done; the second, empty file, which it removes, tells it
# to try again.
rule score:
    input:
        data_of_block,
    output:
        store=update(SCORES),
        done=touch(DONE),
    log:
        "<logs>/{study}/score/{scorer}/{block}.log",
    benchmark:
        "<benchmarks>/{study}/{scorer}/{block}.tsv"
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * asked(wildcards).megabytes,
        runtime=lambda wildcards, attempt: attempt * asked(wildcards).minutes,
    params:
        config=study_config,
        specification=lambda wildcards: block_specification(
            STUDIES[wildcards.study], block_of(wildcards)
        ),
    shell:
        "ockham score --output {output.store:q} --replace-damaged -- {params.config:q} {wildcards.scorer} {wildcards.block} {input:q} > {log:q} 2>&1"


# What a figure shows that is no score, such as what scores cost.
rule measure:
    input:
        lambda wildcards: data_path(
            wildcards.study, measured_replicate(STUDIES[wildcards.study])
        ),
    output:
        MEASURED,
    log:
        "<logs>/{study}/measure/{measurement}.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(3000),
        runtime=more_each_time(10),
    params:
        config=study_config,
        settings=lambda wildcards: STUDIES[wildcards.study]
        .measurement_settings[wildcards.measurement]
        .model_dump(mode="json"),
        code=lambda wildcards: of_family(wildcards.study, wildcards.measurement),
        digest=lambda wildcards: STUDIES[wildcards.study].digest,
    script:
        "../scripts/measure.py"
