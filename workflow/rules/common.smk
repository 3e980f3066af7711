# Studies, paths and digests that the rules share. The studies are validated here, before any work starts.
import os
import shlex
import sys
from pathlib import Path

from snakemake.cli import get_argument_parser
from snakemake.exceptions import WorkflowError
from snakemake.settings.types import DeploymentMethod

from ockham import families
from ockham.errors import OckhamError
from ockham.io.commit import check_publishable
from ockham.io.whole_files import mentions
from ockham.io.yaml_files import read_yaml
from ockham.papers.published import check_published
from ockham.studies import requests
from ockham.studies.shown import (
    CLAIMS,
    PAGE,
    record_of,
    shown_by,
    shows_claims,
    shows_page,
)
from ockham.studies.code_digests import ROOT, code_digest, source_tree_digest
from ockham.studies.loading import load
from ockham.studies.keys import (
    block_specification,
    draw_specification,
    measurement_specification,
    measurements_of,
    scores_specification,
    summaries_specification,
)
from ockham.studies.study_files import conditions_of
from ockham.table_results.pages import TEMPLATES
from ockham.studies.workflow import (
    RESERVED,
    RULES,
    check_places,
    check_writable,
    load_workflow,
    named_studies,
    only_stores,
)

SCORES = "<results>/{study}/scores/{scorer}/{block}.nc"
DONE = "<results>/{study}/scores/{scorer}/{block}.done"
BENCHMARK = "<benchmarks>/{study}/{scorer}/{block}.tsv"
CELLS = "<benchmarks>/{study}/{scorer}/{block}.cells"
DATA = "<results>/{study}/data/replicate-{replicate}.nc"
MEASURED = "<results>/{study}/{measurement}.nc"
# The folder of this workflow, also where another takes it as a module.
BASE = Path(str(workflow.current_basedir)).parents[1]
LOCK = [f"{BASE}/requirements/{name}.txt" for name in ("build", "run")]
COLLECTED = "<results>/{study}/scores.nc"
SUMMARIES = "<results>/{study}/summaries.nc"

PUBLISHES = (
    "plot",
    "tabulate",
    "tabulate_costs",
    "judge_claims",
    "count_claims",
    "write_page",
    "manifest",
)


COMMAND_LINE, _ = get_argument_parser().parse_known_args(sys.argv[1:])
READS_ONLY = COMMAND_LINE.lint or COMMAND_LINE.report or COMMAND_LINE.summary


def claims():
    """What reads the claims of papers, which starts slowly, and few of Snakemake's starts need it."""
    from ockham.papers.claims import files

    return files


def path(template, **values):
    """A path with its <variables> and {wildcards} filled in."""
    return workflow.pathvars.apply(template).format(**values)


def targets_of(asked):
    """What a command line of Snakemake asks for: names and paths.

    One of its own jobs needs its study alone, which a store of it stands for, unless it is of claims.
    """
    jobs = [
        (
            path(COLLECTED, **job.wildcards_dict)
            if "study" in job.wildcards_dict and job.rulename != "judge_claims"
            else "all"
        )
        for job in asked.target_jobs or ()
    ]
    return [*(asked.targets or ()), *jobs]


sources = BASE / "src/ockham"
if (
    sources.is_dir()
    and not sources.samefile(ROOT)
    and source_tree_digest(sources) != source_tree_digest(ROOT)
):
    raise WorkflowError(
        f"The installed ockham ({ROOT}) was built from other sources than {sources}: run `pip install .`"
    )

# A study with conditions is one for each of them, <study>/<condition>; figures and tables are of the whole.
STUDIES, CONFIGS, CONDITIONS, PAPERS = {}, {}, {}, {}
try:
    for file in workflow.configfiles:
        read_yaml(Path(file))  # Snakemake takes the last of a key given twice
    loaded_workflow = load_workflow(config)
    # A study of the folder need not be listed to be named as a target.
    asked_for = targets_of(COMMAND_LINE), path("<results>")
    NAMED = named_studies(loaded_workflow, *asked_for, RULES)
    named_workflow = loaded_workflow.model_copy(update={"studies": NAMED})
    written = {
        name: workflow.pathvars.apply(f"<{name}>") for name in config["pathvars"]
    }
    check_places(named_workflow, written, [Path.cwd(), BASE, ROOT])
    # Before Snakemake looks at single files.
    if workflow.is_main_process and not READS_ONLY:
        check_writable(named_workflow, written)
    for name in NAMED:
        file = f"{config['config']}/{name}.yaml"
        loaded = {source: load(source) for source in conditions_of(file)}
        STUDIES |= {study.name: study for study in loaded.values()}
        CONFIGS |= {study.name: source for source, study in loaded.items()}
        named = [study.condition for study in loaded.values() if study.condition]
        if named:
            CONDITIONS[name] = named
        if name in RESERVED:
            raise WorkflowError(
                f"{file}: study: {name!r} is the name of a rule or a folder of the workflow; choose another"
            )
        for study in loaded.values():
            if study.study != name:
                raise WorkflowError(
                    f"{file}: study: is {study.study!r}, must be the file's name {name!r}"
                )
        measured = [label for study in loaded.values() for label in study.measurements]
        for label in measured:
            if label in named:
                raise WorkflowError(
                    f"{file}: measurements.{label}: is the name of a condition; choose another for the condition"
                )
        if (record := record_of([*loaded.values()])) is not None:
            PAPERS[name] = record
            check_published(record)
            if not only_stores(loaded_workflow, *asked_for):
                claims().check_claims(record)
except OckhamError as error:
    raise WorkflowError(str(error))


def any_of(names):
    """A pattern of these names, or of nothing."""
    return "|".join(sorted(set(names))) or "(?!)"


wildcard_constraints:
    study="|".join([*STUDIES, *CONDITIONS]),
    scorer="[a-z][a-z0-9_]*",
    block="[A-Za-z0-9_-]+",
    replicate="[0-9]+",
    measurement=any_of(
        name for study in STUDIES.values() for name in study.measurements
    ),
    figure=any_of(name for paper in PAPERS.values() for name in paper.figures),
    table=any_of(
        name
        for paper in PAPERS.values()
        for name, about in paper.tables.items()
        if not about.costs
    ),
    cost_table=any_of(
        name
        for paper in PAPERS.values()
        for name, about in paper.tables.items()
        if about.costs
    ),


# One thread a job: parallel work is Snakemake's, and a library's own threads would compete with it. A job that Ctrl-C
# meets while it starts goes on, instead of telling at which import it was. The command is that of the interpreter that
# runs Snakemake, whose environment need not be activated, or of the rule's own environment; -P keeps the modules of the
# folder that it is started in out.
uses_conda = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
interpreter = "python" if uses_conda else shlex.quote(sys.executable)
shell.prefix(
    "trap '' INT; export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1; ockham() {{ exec "
    + interpreter.replace("{", "{{").replace("}", "}}")
    + ' -P -m ockham.cli "$@"; }}; '
)


def more_each_time(least):
    """A resource that grows with every attempt at a job, which may have ended for want of it."""
    return lambda wildcards, attempt: least * attempt


def study_config(wildcards):
    return CONFIGS[wildcards.study]


def parts_of(study):
    """The studies that a study is made of: itself, or one for each of its conditions."""
    return (
        [f"{study}/{name}" for name in CONDITIONS[study]]
        if study in CONDITIONS
        else [study]
    )


def scores_of(study):
    return [path(COLLECTED, study=name) for name in parts_of(study)]


def measured_of(study):
    """The files of what was measured for a study, or for its conditions, by their group in the summaries."""
    measured = measurements_of([STUDIES[part] for part in parts_of(study)])
    return {
        label: path(MEASURED, study=part.name, measurement=name)
        for label, (part, name) in measured.items()
    }


def paper_of(wildcards):
    """The paper that is reproduced, or the record of studies without one."""
    return PAPERS[wildcards.study]


def function_of(wildcards, name):
    """Where the function of a figure or a table is."""
    paper = paper_of(wildcards)
    return (paper.figures | paper.tables)[name].function


def code_of(wildcards, name):
    return code_digest(families.module_name(function_of(wildcards, name)))


def tables_of(study):
    """Names of the tables that a study shows; none where it is not loaded."""
    return shown_of(study)[1] if study in PAPERS else []


def claimed_tables(wildcards):
    """The tables that claims rest on: of the study, and of others those that are made too or are there."""
    files = {
        (study, table): path("<figures>/{study}/{table}.csv", study=study, table=table)
        for study, table in claims().named_tables(paper_of(wildcards))
    }
    return [
        file
        for (study, table), file in files.items()
        if table in tables_of(study) or (study not in PAPERS and os.path.exists(file))
    ]


def with_claims():
    """The studies by which the claims of their papers are judged."""
    return [name for name in NAMED if shows_claims(PAPERS.get(name), name)]


def shown_of(study):
    """Names of the figures and of the tables that a study shows."""
    return shown_by(PAPERS.get(study), [STUDIES[name] for name in parts_of(study)])


def files_shown(study):
    """Every figure and table that a study shows, in all formats."""
    folder = path("<figures>/{study}", study=study)
    figures, tables = shown_of(study)
    return [
        *(f"{folder}/{name}.{suffix}" for name in figures for suffix in ("pdf", "png")),
        *(f"{folder}/{name}.{suffix}" for name in tables for suffix in ("csv", "md")),
    ]


def with_page():
    """The studies that have a page of their own."""
    return [
        name for name in NAMED if shows_page([STUDIES[part] for part in parts_of(name)])
    ]


def numbers_of(wildcards):
    """The files of the paper's numbers."""
    paper = paper_of(wildcards)
    return [str(paper.folder / name) for name in paper.numbers]


def block_of(wildcards):
    return STUDIES[wildcards.study].blocks(wildcards.scorer)[wildcards.block]


def asked(wildcards):
    """What a job of an entry of the scorers asks for."""
    return requests.asked(STUDIES[wildcards.study], wildcards.scorer)


SPECIFICATIONS = {
    DATA: lambda of: draw_specification(STUDIES[of.study], int(of.replicate)),
    SCORES: lambda of: block_specification(STUDIES[of.study], block_of(of)),
    MEASURED: lambda of: measurement_specification(STUDIES[of.study], of.measurement),
    COLLECTED: lambda of: scores_specification(STUDIES[of.study]),
    SUMMARIES: lambda of: summaries_specification(
        [STUDIES[name] for name in parts_of(of.study)]
    ),
}
"""What the stores of a rule rest on, as a digest that they carry, by the pattern of their path."""


def specification(template):
    """A rule's params: the specification of its store."""
    return lambda wildcards: SPECIFICATIONS[template](wildcards)


def specified(template, files=lambda wildcards: []):
    """A rule's input, which has a store that is there made again unless it carries its specification.

    Snakemake forgets what stores were made from where its own folder is left behind; the stores do not.
    """

    def input_of(wildcards):
        store = path(template, **wildcards)
        if os.path.exists(store):
            if not mentions(Path(store), SPECIFICATIONS[template](wildcards)):
                workflow.dag.forcefiles.add(store)
        return files(wildcards)

    return input_of


def data_of_block(wildcards):
    return [
        data_path(wildcards.study, replicate)
        for replicate in block_of(wildcards).replicates
    ]


def data_path(study, replicate):
    return path(DATA, study=study, replicate=f"{replicate:03d}")


def caption(wildcards, name):
    """The text beside a figure or a table in the report."""
    file = paper_of(wildcards).folder / f"captions/{name}.rst"
    return file.read_text() if file.is_file() else name


def score_blocks(study, template):
    """Scorer to one file for each of its blocks."""
    return {
        scorer: [
            path(template, study=study, scorer=scorer, block=block)
            for block in STUDIES[study].blocks(scorer)
        ]
        for scorer in STUDIES[study].scorers
    }


def study_outputs(study):
    """Everything that a study shows: its scores, and its paper's figures and tables."""
    folder = path("<figures>/{study}", study=study)
    return [
        *scores_of(study),
        *measured_of(study).values(),
        *files_shown(study),
        *([f"{folder}/{CLAIMS}.md"] if study in with_claims() else []),
        *([f"{folder}/{PAGE}"] if study in with_page() else []),
        f"{folder}/manifest.json",
    ]
