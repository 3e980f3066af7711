"""What the scores cost, ours beside the paper's, as CSV and Markdown."""

from pathlib import Path

from ockham.errors import one_line
from ockham.papers.tables import write_table
from ockham.studies import load
from ockham.studies.costs import computation_time

published = Path(snakemake.params.published, snakemake.params.paper)
with one_line():
    table = computation_time(load(snakemake.params.config), snakemake.params.benchmarks, published)
write_table(table, snakemake.output.csv, snakemake.output.md)
