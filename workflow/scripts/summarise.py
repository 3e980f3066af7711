"""The summaries that figures and tables show, from every score of a study and of its conditions."""

from contextlib import ExitStack

import xarray as xr

from ockham.summaries import summarise, summarise_conditions

with ExitStack() as stack:
    stores = [stack.enter_context(xr.open_datatree(path)) for path in snakemake.input]
    conditions = snakemake.params.conditions
    summaries = summarise_conditions(dict(zip(conditions, stores, strict=True))) if conditions else summarise(*stores)
    summaries.to_netcdf(snakemake.output[0])
