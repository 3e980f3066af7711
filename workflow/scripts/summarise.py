"""The summaries that figures and tables show, from every score of a study and of its conditions."""

from contextlib import ExitStack

from ockham import families
from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.studies.collecting import open_store

names, measurements = snakemake.params.names, snakemake.params.measurements
with one_line(), ExitStack() as stack:
    stores = [stack.enter_context(open_store(path)) for path in snakemake.input.scores]
    measured = [stack.enter_context(open_store(path)).to_dataset() for path in snakemake.input.measured]
    summarise = families.load(families.family(snakemake.params.model).summaries)
    pairs = zip(names, stores, strict=True), zip(measurements, measured, strict=True)
    write(snakemake.output[0], summarise(*map(dict, pairs)))
