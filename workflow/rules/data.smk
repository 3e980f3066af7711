rule draw:
    input:
        specified(DATA),
    output:
        DATA,
    log:
        "<logs>/{study}/draw/replicate-{replicate}.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(5),
    params:
        config=study_config,
        specification=specification(DATA),
    shell:
        "ockham draw --replicate {wildcards.replicate} --output {output:q} -- {params.config:q} > {log:q} 2>&1"
