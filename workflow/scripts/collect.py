"""Every block of a study into one labelled store."""

from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.studies.collecting import collect
from ockham.studies.loading import load

with one_line():
    tree = collect(load(snakemake.params.config), snakemake.params.blocks, snakemake.input.data)
    write(snakemake.output[0], tree, write_inherited_coords=True)
