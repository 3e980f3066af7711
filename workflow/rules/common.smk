# Studies, paths and digests that the rules share. The studies are validated here, before any work starts.
from pathlib import Path

from snakemake.exceptions import WorkflowError

from ockham import studies
from ockham.studies.digests import ROOT, code_digest, source_tree_digest
from ockham.errors import OckhamError
from ockham.orders.inference.exact_structures import predicted_cost
from ockham.orders.records import (
    exact_specification,
    families_specification,
    samples_specification,
)
from ockham.orders.settings import NODE_ORDER
from ockham.papers.figures import FIGURES, SHOWN
from ockham.papers.figures import NEEDS as FIGURES_NEED
from ockham.papers.published import FILES, read_published
from ockham.studies.records import block_specification, draw_specification
from ockham.networks.settings import load_workflow
from ockham.studies import PUBLISHED
from ockham.studies.kinds import KINDS
from ockham.studies.study_files import DISCRETE_NETWORK, RESTRICTED_BOLTZMANN, conditions_of
from ockham.papers.tables import NEEDS as TABLES_NEED
from ockham.papers.tables import TABLES

SCORES = "<results>/{study}/scores/{scorer}/{block}.nc"
DONE = "<results>/{study}/scores/{scorer}/{block}.done"
DATA = "<results>/{study}/data/replicate-{replicate}.nc"

# Paper to its figure that shows more than scores, and the file of one condition that adds it to the summaries.
BESIDE = {
    "chickering_heckerman_1997": ("figure_10", "cost_curves"),
    "chen_welling_2013": ("figure_5", "posterior_histograms"),
}

# Kind of model to the minutes that a score job asks for.
SCORE_MINUTES = {DISCRETE_NETWORK: 5, RESTRICTED_BOLTZMANN: 30}

RULES = (
    "all",
    "draw",
    "score",
    "collect",
    "summarise",
    "plot",
    "tabulate",
    "manifest",
    "computation_time",
    "cost_curves",
    "posterior_histograms",
    "families",
    "sample",
    "exact_orders",
    "collect_orders",
    "summarise_orders",
    "linear_extensions",
)

sources = Path(workflow.basedir) / "src/ockham"
if sources.is_dir() and source_tree_digest(sources) != source_tree_digest(ROOT):
    raise WorkflowError(
        f"The installed ockham ({ROOT}) was built from other sources than {sources}: run `pip install .`"
    )

# A study with conditions is one for each of them, <study>/<condition>; figures and tables are of the whole.
STUDIES, CONFIGS, CONDITIONS = {}, {}, {}
try:
    load_workflow(config)
    for name in config["studies"]:
        file = f"{config['config']}/{name}.yaml"
        loaded = {source: studies.load(source) for source in conditions_of(file)}
        STUDIES |= {study.name: study for study in loaded.values()}
        CONFIGS |= {study.name: source for source, study in loaded.items()}
        named = [study.condition for study in loaded.values() if study.condition]
        if named:
            CONDITIONS[name] = named
        if name in RULES:
            raise WorkflowError(
                f"{file}: study: {name!r} is the name of a rule; choose another"
            )
        for study in loaded.values():
            if study.study != name:
                raise WorkflowError(
                    f"{file}: study: is {study.study!r}, must be the file's name {name!r}"
                )
            for table in FILES.get(study.paper, ()):
                read_published(
                    Path(config["published"], study.paper), study.paper, table
                )
except OckhamError as error:
    raise WorkflowError(str(error))


wildcard_constraints:
    study="|".join([*STUDIES, *CONDITIONS]),
    scorer="[a-z][a-z0-9_]*",
    block="[a-z0-9_-]+",
    replicate="[0-9]+",
    figure="|".join(sorted({name for figures in FIGURES.values() for name in figures})),
    table="|".join(sorted({name for tables in TABLES.values() for name in tables})),


# One thread a job: parallel work is Snakemake's, and a library's own threads would compete with it. A job that Ctrl-C
# meets while it starts goes on, instead of telling at which import it was.
shell.prefix(
    "trap '' INT; export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1; "
)


def more_each_time(least):
    """A resource that grows with every attempt at a job, which may have ended for want of it."""
    return lambda wildcards, attempt: least * attempt


def of_model(*models):
    """What `study` may be in the rules of some kinds of model: their studies, their conditions, and both together."""
    parts = [name for name, study in STUDIES.items() if study.model in models]
    wholes = [name for name in CONDITIONS if STUDIES[parts_of(name)[0]].model in models]
    return "|".join([*parts, *wholes]) or "(?!)"


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
    return [path("<results>/{study}/scores.nc", study=name) for name in parts_of(study)]


def beside_scores(study):
    """The file that adds to the summaries of a study what a figure shows beside scores, of that figure's condition."""
    paper = STUDIES[parts_of(study)[0]].paper
    figure, name = BESIDE.get(paper, (None, None))
    return [
        path(f"<results>/{{study}}/{name}.nc", study=f"{study}/{condition}")
        for condition in FIGURES_NEED.get(paper, {}).get(figure, ())
        if condition in CONDITIONS.get(study, ())
    ]


def paper_of(wildcards):
    return STUDIES[parts_of(wildcards.study)[0]].paper


def shown_in(wildcards):
    """The store that a figure shows."""
    store = SHOWN.get(paper_of(wildcards), {}).get(wildcards.figure, "summaries")
    return path(f"<results>/{{study}}/{store}.nc", study=wildcards.study)


def published_numbers(wildcards):
    """The files of the paper's numbers."""
    return sorted(
        map(str, Path(config["published"], paper_of(wildcards)).glob("*.csv"))
    )


def block_of(wildcards):
    return STUDIES[wildcards.study].blocks(wildcards.scorer)[wildcards.block]


def data_of_block(wildcards):
    return [
        data_path(wildcards.study, replicate)
        for replicate in block_of(wildcards).replicates
    ]


def data_path(study, replicate):
    return path(DATA, study=study, replicate=f"{replicate:03d}")


def path(template, **values):
    """A path with its <variables> and {wildcards} filled in."""
    return workflow.pathvars.apply(template).format(**values)


def caption(wildcards, name):
    """The text of workflow/report/<paper>/<name>.rst, for the report."""
    folder = Path(workflow.basedir, "workflow/report", paper_of(wildcards))
    return Path(folder, f"{name}.rst").read_text()


def score_blocks(study, template):
    """Scorer to one file for each of its blocks."""
    return {
        scorer: [
            path(template, study=study, scorer=scorer, block=block)
            for block in STUDIES[study].blocks(scorer)
        ]
        for scorer in STUDIES[study].scorers
    }


def shown_by(study, names, needs):
    """The figures or tables of a study's paper that its scorers and its conditions are enough for."""
    parts = [STUDIES[name] for name in parts_of(study)]
    have = {scorer for part in parts for scorer in part.scorers}
    have |= {part.condition for part in parts}
    have |= {name for part in parts for name, section in part if section is not None}
    return [
        name
        for name in names.get(parts[0].paper, ())
        if all(
            needed in have
            or (needed.endswith("_") and any(h.startswith(needed) for h in have if h))
            for needed in needs.get(parts[0].paper, {}).get(name, ())
        )
    ]


def study_outputs(study):
    """Everything that a study shows: its scores, and its paper's figures and tables."""
    folder = path("<figures>/{study}", study=study)
    return [
        *scores_of(study),
        *(
            f"{folder}/{figure}.{suffix}"
            for figure in shown_by(study, FIGURES, FIGURES_NEED)
            for suffix in ("pdf", "png")
        ),
        *(
            f"{folder}/{table}.{suffix}"
            for table in shown_by(study, TABLES, TABLES_NEED)
            for suffix in ("csv", "md")
        ),
        *(
            f"{folder}/computation_time.{suffix}"
            for suffix in ("csv", "md")
            if study in STUDIES and STUDIES[study].paper in PUBLISHED
        ),
        f"{folder}/manifest.json",
    ]


def order_study(wildcards):
    return STUDIES[wildcards.study]


def exact_of(study):
    """The file of the exact values of a study, if it asks for any."""
    wanted = STUDIES[study].exact
    return [path(EXACT, study=study)] if wanted.orders or wanted.graphs else []


def memory_of_samplers(wildcards, attempt):
    """Megabytes that a sampler of orders may take, with the Snakemake around it."""
    return attempt * (1000 + int(1000 * order_study(wildcards).sums.memory_limit))


def memory_of_exact_sums(wildcards, attempt):
    """Megabytes that the exact values of a study of orders take, with the Snakemake around them."""
    study = order_study(wildcards)
    kinds = [kind for kind in ("orders", "graphs") if getattr(study.exact, kind)]
    n_bytes = max(predicted_cost(kind, study.data.variables)[1] for kind in kinds)
    return attempt * (1000 + int(n_bytes / 1e6))
