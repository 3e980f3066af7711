"""Estimates against running time, from every run of a study of node orders and of its conditions."""

from contextlib import ExitStack

from ockham.collecting import open_store
from ockham.errors import one_line
from ockham.summaries.orders import summarise_orders
from ockham.whole_files import replacing_file

with one_line(), ExitStack() as stack:
    stores = [stack.enter_context(open_store(path)) for path in snakemake.input.scores]
    with replacing_file(snakemake.output[0]) as path:
        summarise_orders(dict(zip(snakemake.params.names, stores, strict=True))).to_netcdf(path)
