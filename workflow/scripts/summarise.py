"""The summaries that figures and tables show, from every score of a study and of its conditions."""

from contextlib import ExitStack

import xarray as xr

from ockham.summaries import summarise, summarise_conditions

with ExitStack() as stack:
    stores = [stack.enter_context(xr.open_datatree(path)) for path in snakemake.input.scores]
    costs = [stack.enter_context(xr.open_dataset(path)) for path in snakemake.input.costs]
    if conditions := snakemake.params.conditions:
        summaries = summarise_conditions(dict(zip(conditions, stores, strict=True)), *costs)
    else:
        summaries = summarise(*stores)
    summaries.to_netcdf(snakemake.output[0])
