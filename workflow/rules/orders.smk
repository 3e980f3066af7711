# Studies of node orders: the scores of every family, the runs of the samplers, and exact values.
FAMILIES = "<results>/{study}/families.nc"
SAMPLES = "<results>/{study}/samples/{scorer}/{block}.nc"
EXACT = "<results>/{study}/exact.nc"


rule families:
    output:
        FAMILIES,
    log:
        "<logs>/{study}/families.log",
    wildcard_constraints:
        study=of_model(NODE_ORDER),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        config=study_config,
        specification=lambda wildcards: families_specification(order_study(wildcards)),
    shell:
        "ockham families {params.config} --output {output} > {log} 2>&1"


rule sample:
    input:
        FAMILIES,
    output:
        SAMPLES,
    log:
        "<logs>/{study}/sample/{scorer}/{block}.log",
    benchmark:
        "<benchmarks>/{study}/{scorer}/{block}.tsv"
    wildcard_constraints:
        study=of_model(NODE_ORDER),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=memory_of_samplers,
        runtime=more_each_time(30),
    params:
        config=study_config,
        specification=lambda wildcards: samples_specification(
            order_study(wildcards), block_of(wildcards)
        ),
    shell:
        "ockham sample {params.config} {wildcards.scorer} {wildcards.block} {input} --output {output} > {log} 2>&1"


rule exact_orders:
    input:
        FAMILIES,
    output:
        EXACT,
    log:
        "<logs>/{study}/exact.log",
    wildcard_constraints:
        study=of_model(NODE_ORDER),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=memory_of_exact_sums,
        runtime=more_each_time(30),
    params:
        config=study_config,
        specification=lambda wildcards: exact_specification(order_study(wildcards)),
    shell:
        "ockham exact-orders {params.config} {input} --output {output} > {log} 2>&1"


rule collect_orders:
    input:
        samples=lambda wildcards: sum(
            score_blocks(wildcards.study, SAMPLES).values(), []
        ),
        exact=lambda wildcards: exact_of(wildcards.study),
    output:
        "<results>/{study}/scores.nc",
    log:
        "<logs>/{study}/collect.log",
    wildcard_constraints:
        study=of_model(NODE_ORDER),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1500),
        runtime=more_each_time(2),
    params:
        config=study_config,
        code=code_digest("ockham.orders.collecting"),
        digest=lambda wildcards: order_study(wildcards).digest,
        blocks=lambda wildcards: score_blocks(wildcards.study, SAMPLES),
    script:
        "../scripts/collect_orders.py"


rule summarise_orders:
    input:
        scores=lambda wildcards: scores_of(wildcards.study),
    output:
        "<results>/{study}/summaries.nc",
    log:
        "<logs>/{study}/summarise.log",
    wildcard_constraints:
        study=of_model(NODE_ORDER),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(3000),
        runtime=more_each_time(5),
    params:
        code=source_tree_digest(ROOT / "summaries"),
        names=lambda wildcards: [
            name.partition("/")[2] or name for name in parts_of(wildcards.study)
        ],
    script:
        "../scripts/summarise_orders.py"


rule linear_extensions:
    output:
        "<results>/{study}/linear_extensions.nc",
    log:
        "<logs>/{study}/linear_extensions.log",
    wildcard_constraints:
        study=of_model(NODE_ORDER),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(3000),
        runtime=more_each_time(10),
    params:
        config=lambda wildcards: CONFIGS[parts_of(wildcards.study)[0]],
        settings=lambda wildcards: STUDIES[
            parts_of(wildcards.study)[0]
        ].linear_extensions.model_dump(),
        code=code_digest("ockham.orders.extension_times"),
    script:
        "../scripts/linear_extensions.py"
