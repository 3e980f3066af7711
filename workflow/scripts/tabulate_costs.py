"""What the scores cost, ours beside the paper's, as CSV and Markdown."""

import pandas as pd

from ockham.errors import one_line
from ockham.families import load, paper
from ockham.io.source_tree import check_publishable
from ockham.io.tables import write_table
from ockham.studies.costs import jobs
from ockham.studies.loading import load as load_study

parts = zip(snakemake.params.configs, snakemake.params.benchmarks, strict=True)
with one_line():
    check_publishable(snakemake.output[0], snakemake.config.get("unclean", False))
    costs = pd.concat([jobs(load_study(config), benchmarks) for config, benchmarks in parts])
    table = load(snakemake.params.function)(costs, paper(snakemake.params.paper))
write_table(table, snakemake.output.csv, snakemake.output.md)
