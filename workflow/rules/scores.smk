# A block file is completed in place: a job computes only the cells whose key is missing or different. When a job fails,
# Snakemake restores its block file and yet takes the job as done; the second, empty file, which it removes, tells it
# to try again. How many cells it computed, and its CPU time, stand beside its benchmark, which is of them alone.
rule score:
    input:
        specified(SCORES, data_of_block),
    output:
        store=update(SCORES),
        done=touch(DONE),
    log:
        "<logs>/{study}/score/{scorer}/{block}.log",
    benchmark:
        BENCHMARK
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * asked(wildcards).megabytes,
        runtime=lambda wildcards, attempt: attempt * asked(wildcards).minutes,
    params:
        config=study_config,
        specification=specification(SCORES),
        cells=lambda wildcards: path(CELLS, **wildcards),
    shell:
        "ockham score --output {output.store:q} --replace-damaged --count {params.cells:q} -- {params.config:q} {wildcards.scorer} {wildcards.block} {input:q} > {log:q} 2>&1"


# What a figure shows that is no score, such as what scores cost. It may take minutes, so a job keeps what is there and
# was made under the same specification, whyever it runs.
rule measure:
    input:
        specified(
            MEASURED,
            lambda wildcards: data_path(
                wildcards.study, STUDIES[wildcards.study].measured_replicate
            ),
        ),
    output:
        update(MEASURED),
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
        specification=specification(MEASURED),
    script:
        "../scripts/measure.py"
