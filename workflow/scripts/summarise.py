"""The summaries that figures and tables show, from every score of a study and of its conditions."""

from contextlib import ExitStack

from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.machines.summaries import summarise_machines
from ockham.networks.summaries import summarise
from ockham.networks.summaries.conditions import summarise_conditions
from ockham.studies.collecting import open_store
from ockham.studies.study_files import RESTRICTED_BOLTZMANN

with one_line(), ExitStack() as stack:
    stores = [stack.enter_context(open_store(path)) for path in snakemake.input.scores]
    beside = [stack.enter_context(open_store(path)).to_dataset() for path in snakemake.input.beside]
    conditions = snakemake.params.conditions
    if snakemake.params.model == RESTRICTED_BOLTZMANN:
        names = conditions or [snakemake.wildcards.study]
        summaries = summarise_machines(dict(zip(names, stores, strict=True)), *beside)
    elif conditions:
        summaries = summarise_conditions(dict(zip(conditions, stores, strict=True)), *beside)
    else:
        summaries = summarise(*stores)
    write(snakemake.output[0], summaries)
