"""One published figure, in one format."""

import xarray as xr

from ockham.plots import FIGURES, save

with xr.open_datatree(snakemake.input[0]) as summaries:
    save(FIGURES[snakemake.wildcards.figure](summaries), snakemake.output[0])
