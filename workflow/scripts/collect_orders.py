"""Every run of a study of node orders, and its exact values, into one labelled store."""

from ockham.collecting_orders import collect
from ockham.studies import load

tree = collect(load(snakemake.params.config), snakemake.params.blocks, [*snakemake.input.exact])
tree.to_netcdf(snakemake.output[0])
