rule plot:
    input:
        RESULTS + "/{study}/summaries.nc",
    output:
        pdf=config["figures"] + "/{study}/{figure}.pdf",
        png=report(
            config["figures"] + "/{study}/{figure}.png",
            caption="../report/{figure}.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
    log:
        RESULTS + "/{study}/logs/plot/{figure}.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=source_tree_digest(ROOT / "plots"),
        paper=paper_of,
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
            labels={"table": "{table}"},
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
        paper=paper_of,
        published=config["published"],
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
