"""Every claim of a paper beside what is stored, as CSV and Markdown."""

from ockham import families
from ockham.errors import one_line
from ockham.io.commit import check_publishable
from ockham.studies.products import write_claims

with one_line(snakemake.log[0]):
    output = snakemake.output
    check_publishable(output.csv, snakemake.config.get("unclean", False))
    write_claims(output.csv, output.md, families.paper(snakemake.params.paper), snakemake.input.tables)
