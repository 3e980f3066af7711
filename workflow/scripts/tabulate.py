"""One published table, ours beside the published numbers, as CSV and Markdown."""

from pathlib import Path

from ockham.errors import one_line
from ockham.papers.tables import TABLES, write_table
from ockham.studies.collecting import open_store

paper = snakemake.params.paper
with one_line(), open_store(snakemake.input.summaries) as summaries:
    table = TABLES[paper][snakemake.wildcards.table](summaries, Path(snakemake.params.published, paper))
write_table(table, snakemake.output.csv, snakemake.output.md)
