rule plot:
    input:
        "<results>/{study}/summaries.nc",
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
        code=lambda wildcards: code_of(wildcards, wildcards.figure),
        function=lambda wildcards: function_of(wildcards, wildcards.figure),
        caption=lambda wildcards: caption(wildcards, wildcards.figure),
    script:
        "../scripts/plot.py"


rule tabulate:
    input:
        summaries="<results>/{study}/summaries.nc",
        numbers=numbers_of,
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
        code=lambda wildcards: (
            code_of(wildcards, wildcards.table),
            code_digest("ockham.io.tables"),
            repr(paper_of(wildcards).numbers),
        ),
        function=lambda wildcards: function_of(wildcards, wildcards.table),
        configs=lambda wildcards: [CONFIGS[name] for name in parts_of(wildcards.study)],
        caption=lambda wildcards: caption(wildcards, wildcards.table),
    script:
        "../scripts/tabulate.py"


rule judge_claims:
    input:
        tables=claimed_tables,
        files=lambda wildcards: [
            str(paper_of(wildcards).folder / "stored.yaml"),
            *map(str, claims().claim_files(paper_of(wildcards))),
        ],
    output:
        csv=report(
            "<figures>/{study}/claims.csv",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "claims"},
        ),
        md="<figures>/{study}/claims.md",
    log:
        "<logs>/{study}/judge_claims.log",
    wildcard_constraints:
        study=any_of(with_claims()),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        code=lambda wildcards: code_digest(
            "ockham.papers.claims.verdicts", "ockham.io.tables"
        ),
        paper=lambda wildcards: paper_of(wildcards).name,
        caption="Every claim of the paper beside what is stored, with the verdict that a rule computes.",
    script:
        "../scripts/judge_claims.py"


rule count_claims:
    input:
        [path("<figures>/{study}/claims.csv", study=study) for study in with_claims()],
    output:
        csv="<figures>/claims.csv",
        md="<figures>/claims.md",
    log:
        "<logs>/count_claims.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        code=lambda wildcards: code_digest(
            "ockham.papers.claims.verdicts", "ockham.io.tables"
        ),
    script:
        "../scripts/count_claims.py"


rule write_page:
    input:
        figures=lambda wildcards: [
            path("<figures>/{study}/{name}.png", study=wildcards.study, name=name)
            for name in shown_of(wildcards.study)[0]
        ],
        tables=lambda wildcards: [
            path("<figures>/{study}/{name}.csv", study=wildcards.study, name=name)
            for name in shown_of(wildcards.study)[1]
        ],
        templates=sorted(map(str, TEMPLATES.glob("*.j*"))),
    output:
        f"<figures>/{{study}}/{PAGE}",
    log:
        "<logs>/{study}/write_page.log",
    wildcard_constraints:
        study=any_of(with_page()),
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        configs=lambda wildcards: [CONFIGS[name] for name in parts_of(wildcards.study)],
        code=lambda wildcards: code_digest("ockham.studies.pages"),
    script:
        "../scripts/write_page.py"


rule manifest:
    input:
        scores=lambda wildcards: scores_of(wildcards.study),
        shown=lambda wildcards: files_shown(wildcards.study),
        lock=[file for file in LOCK if Path(file).is_file()],
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
        code=lambda wildcards: code_digest("ockham.studies.costs"),
        benchmarks=lambda wildcards: [
            path("<benchmarks>/{study}", study=name)
            for name in parts_of(wildcards.study)
        ],
    script:
        "../scripts/manifest.py"


rule tabulate_costs:
    input:
        scores=lambda wildcards: scores_of(wildcards.study),
        numbers=numbers_of,
    output:
        csv=report(
            "<figures>/{study}/{cost_table}.csv",
            caption="../report/caption.rst",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{cost_table}"},
        ),
        md="<figures>/{study}/{cost_table}.md",
    log:
        "<logs>/{study}/tabulate/{cost_table}.log",
    conda:
        "../envs/ockham.yaml"
    threads: 1
    resources:
        mem_mb=more_each_time(1000),
        runtime=more_each_time(2),
    params:
        configs=lambda wildcards: [CONFIGS[name] for name in parts_of(wildcards.study)],
        benchmarks=lambda wildcards: [
            path("<benchmarks>/{study}", study=name)
            for name in parts_of(wildcards.study)
        ],
        code=lambda wildcards: (
            code_of(wildcards, wildcards.cost_table),
            code_digest("ockham.studies.costs", "ockham.io.tables"),
            repr(paper_of(wildcards).numbers),
        ),
        function=lambda wildcards: function_of(wildcards, wildcards.cost_table),
        caption=lambda wildcards: caption(wildcards, wildcards.cost_table),
    script:
        "../scripts/tabulate_costs.py"
