"""One published table, ours beside the published numbers, as CSV and Markdown."""

from ockham.errors import one_line
from ockham.families import load, paper
from ockham.io.source_tree import check_publishable
from ockham.io.tables import write_table
from ockham.studies.collecting import open_store

with one_line(), open_store(snakemake.input.summaries) as summaries:
    check_publishable(snakemake.output[0], snakemake.config.get("unclean", False))
    table = load(snakemake.params.function)(summaries, paper(snakemake.params.paper))
write_table(table, snakemake.output.csv, snakemake.output.md)
