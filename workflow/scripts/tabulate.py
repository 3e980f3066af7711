"""One published table, ours beside the published numbers, as CSV and Markdown."""

from pathlib import Path

from ockham.collecting import open_store
from ockham.errors import one_line
from ockham.summaries.tables import TABLES, write_table

paper = snakemake.params.paper
with one_line(), open_store(snakemake.input.summaries) as summaries:
    table = TABLES[paper][snakemake.wildcards.table](summaries, Path(snakemake.params.published, paper))
write_table(table, snakemake.output.csv, snakemake.output.md)
