rule plot:
    input:
        RESULTS + "/{study}/summaries.nc",
    output:
        report(
            config["figures"] + "/{study}/{figure}.{format}",
            caption="../report/{figure}.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}", "format": "{format}"},
        ),
    log:
        RESULTS + "/{study}/logs/plot/{figure}.{format}.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=source_tree_digest(ROOT / "plots"),
    wildcard_constraints:
        format="|".join(FORMATS),
    script:
        "../scripts/plot.py"


rule tabulate:
    input:
        summaries=RESULTS + "/{study}/summaries.nc",
    output:
        csv=report(
            config["figures"] + "/{study}/{table}.csv",
            caption="../report/{table}.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{table}", "format": "csv"},
        ),
        md=config["figures"] + "/{study}/{table}.md",
    log:
        RESULTS + "/{study}/logs/tabulate/{table}.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=source_tree_digest(ROOT / "summaries"),
        published=config["published"] + "/{study}",
    script:
        "../scripts/tabulate.py"


rule manifest:
    input:
        RESULTS + "/{study}/scores.nc",
    output:
        config["figures"] + "/{study}/manifest.json",
    log:
        RESULTS + "/{study}/logs/manifest.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        config=study_config,
        benchmarks=RESULTS + "/{study}/benchmarks",
    script:
        "../scripts/manifest.py"
