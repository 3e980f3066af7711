"""How many claims of each paper have each verdict, as CSV and Markdown."""

from ockham.errors import one_line
from ockham.io.commit import check_publishable
from ockham.studies.products import write_counts

with one_line(snakemake.log[0]):
    output = snakemake.output
    check_publishable(output.csv, snakemake.config.get("unclean", False))
    write_counts(output.csv, output.md, snakemake.input)
