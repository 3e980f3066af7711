"""One published table, ours beside the published numbers, as CSV and Markdown."""

import xarray as xr

from ockham.summaries.tables import TABLES, write_table

with xr.open_datatree(snakemake.input.summaries) as summaries:
    table = TABLES[snakemake.wildcards.table](summaries, snakemake.params.published)
write_table(table, snakemake.output.csv, snakemake.output.md)
