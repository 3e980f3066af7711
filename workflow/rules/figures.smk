rule plot:
    input:
        shown_in,
    output:
        pdf="<figures>/{study}/{figure}.pdf",
        png=report(
            "<figures>/{study}/{figure}.png",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
    log:
        "<logs>/{study}/plot/{figure}.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        code=source_tree_digest(ROOT / "papers"),
        paper=paper_of,
        caption=lambda wildcards: caption(wildcards, wildcards.figure),
    script:
        "../scripts/plot.py"


rule tabulate:
    input:
        summaries="<results>/{study}/summaries.nc",
        published=published_numbers,
    output:
        csv=report(
            "<figures>/{study}/{table}.csv",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{table}"},
        ),
        md="<figures>/{study}/{table}.md",
    log:
        "<logs>/{study}/tabulate/{table}.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        code=source_tree_digest(ROOT / "summaries"),
        paper=paper_of,
        published=config["published"],
        caption=lambda wildcards: caption(wildcards, wildcards.table),
    script:
        "../scripts/tabulate.py"


rule manifest:
    input:
        lambda wildcards: scores_of(wildcards.study),
    output:
        "<figures>/{study}/manifest.json",
    log:
        "<logs>/{study}/manifest.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        configs=lambda wildcards: [CONFIGS[name] for name in parts_of(wildcards.study)],
        code=code_digest("ockham.studies.costs"),
        benchmarks=lambda wildcards: [
            path("<benchmarks>/{study}", study=name)
            for name in parts_of(wildcards.study)
        ],
    script:
        "../scripts/manifest.py"


rule computation_time:
    input:
        scores="<results>/{study}/scores.nc",
        published=published_numbers,
    output:
        csv=report(
            "<figures>/{study}/computation_time.csv",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "computation_time"},
        ),
        md="<figures>/{study}/computation_time.md",
    log:
        "<logs>/{study}/computation_time.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        config=study_config,
        code=code_digest("ockham.studies.costs"),
        benchmarks=lambda wildcards: path("<benchmarks>/{study}", study=wildcards.study),
        paper=paper_of,
        published=config["published"],
        caption=lambda wildcards: caption(wildcards, "computation_time"),
    script:
        "../scripts/computation_time.py"
