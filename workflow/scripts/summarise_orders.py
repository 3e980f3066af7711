"""Estimates against running time, from every run of a study of node orders and of its conditions."""

from contextlib import ExitStack

import xarray as xr

from ockham.summaries.orders import summarise_orders

with ExitStack() as stack:
    stores = [stack.enter_context(xr.open_datatree(path)) for path in snakemake.input.scores]
    summarise_orders(dict(zip(snakemake.params.names, stores, strict=True))).to_netcdf(snakemake.output[0])
