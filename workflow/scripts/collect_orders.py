"""Every run of a study of node orders, and its exact values, into one labelled store."""

from ockham.collecting_orders import collect
from ockham.errors import one_line
from ockham.studies import load
from ockham.whole_files import replacing_file

with one_line():
    tree = collect(load(snakemake.params.config), snakemake.params.blocks, [*snakemake.input.exact])
    with replacing_file(snakemake.output[0]) as path:
        tree.to_netcdf(path)
