"""Estimates against running time, from every run of a study of node orders and of its conditions."""

from contextlib import ExitStack

from ockham.collecting import open_store
from ockham.errors import one_line
from ockham.stores import write
from ockham.summaries.orders import summarise_orders

with one_line(), ExitStack() as stack:
    stores = [stack.enter_context(open_store(path)) for path in snakemake.input.scores]
    write(snakemake.output[0], summarise_orders(dict(zip(snakemake.params.names, stores, strict=True))))
