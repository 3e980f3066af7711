"""Every block of a study into one labelled store."""

from ockham.collecting import collect
from ockham.studies import load

tree = collect(load(snakemake.params.config), snakemake.params.blocks, snakemake.input.data)
tree.to_netcdf(snakemake.output[0], write_inherited_coords=True)
