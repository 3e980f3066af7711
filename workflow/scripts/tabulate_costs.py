"""What the scores cost, ours beside the paper's, as CSV and Markdown."""

from ockham.errors import one_line
from ockham.io.commit import check_publishable
from ockham.studies.loading import load
from ockham.studies.products import write_cost_table
from ockham.studies.shown import record_of

with one_line(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    check_publishable(output.csv, snakemake.config.get("unclean", False))
    studies = [load(config) for config in params.configs]
    write_cost_table(output.csv, output.md, params.function, record_of(studies), studies, params.benchmarks)
