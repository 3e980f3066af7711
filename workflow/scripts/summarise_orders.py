"""Estimates against running time, from every run of a study of node orders and of its conditions."""

from contextlib import ExitStack

from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.orders.summaries import summarise_orders
from ockham.studies.collecting import open_store

with one_line(), ExitStack() as stack:
    stores = [stack.enter_context(open_store(path)) for path in snakemake.input.scores]
    write(snakemake.output[0], summarise_orders(dict(zip(snakemake.params.names, stores, strict=True))))
