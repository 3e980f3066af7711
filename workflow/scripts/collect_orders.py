"""Every run of a study of node orders, and its exact values, into one labelled store."""

from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.orders.collecting import collect
from ockham.studies import load

with one_line():
    tree = collect(load(snakemake.params.config), snakemake.params.blocks, [*snakemake.input.exact])
    write(snakemake.output[0], tree)
