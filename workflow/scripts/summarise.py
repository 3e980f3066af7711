"""The summaries that figures and tables show, from every score of a study."""

import xarray as xr

from ockham.summaries import summarise

with xr.open_datatree(snakemake.input[0]) as scores:
    summarise(scores).to_netcdf(snakemake.output[0])
