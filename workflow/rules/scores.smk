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
    wildcard_constraints:
        study=of_model(*KINDS),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=lambda wildcards, attempt: attempt
        * SCORE_MINUTES[STUDIES[wildcards.study].model],
    params:
        config=study_config,
        specification=lambda wildcards: block_specification(
            STUDIES[wildcards.study], block_of(wildcards)
        ),
    shell:
        "ockham score {params.config} {wildcards.scorer} {wildcards.block} {input} --output {output.store} --replace-damaged > {log} 2>&1"


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
        study=of_model(*KINDS),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1500),
        runtime=more_each_time(2),
    params:
        config=study_config,
        code=code_digest("ockham.studies.collecting"),
        digest=lambda wildcards: STUDIES[wildcards.study].digest,
        blocks=lambda wildcards: score_blocks(wildcards.study, SCORES),
    script:
        "../scripts/collect.py"


rule cost_curves:
    input:
        "<results>/{study}/data/replicate-001.nc",
    output:
        "<results>/{study}/cost_curves.nc",
    log:
        "<logs>/{study}/cost_curves.log",
    wildcard_constraints:
        study=of_model(DISCRETE_NETWORK),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(5),
    params:
        config=study_config,
        code=code_digest("ockham.networks.cost_curves"),
    script:
        "../scripts/cost_curves.py"


rule posterior_histograms:
    input:
        "<results>/{study}/data/replicate-001.nc",
    output:
        "<results>/{study}/posterior_histograms.nc",
    log:
        "<logs>/{study}/posterior_histograms.log",
    wildcard_constraints:
        study=of_model(RESTRICTED_BOLTZMANN),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        config=study_config,
        code=code_digest("ockham.machines.posterior_histograms"),
    script:
        "../scripts/posterior_histograms.py"


rule summarise:
    input:
        scores=lambda wildcards: scores_of(wildcards.study),
        beside=lambda wildcards: beside_scores(wildcards.study),
    output:
        "<results>/{study}/summaries.nc",
    log:
        "<logs>/{study}/summarise.log",
    wildcard_constraints:
        study=of_model(*KINDS),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(2000),
        runtime=more_each_time(2),
    params:
        code=source_tree_digest(ROOT / "summaries"),
        conditions=lambda wildcards: CONDITIONS.get(wildcards.study, []),
        model=lambda wildcards: STUDIES[parts_of(wildcards.study)[0]].model,
    script:
        "../scripts/summarise.py"
