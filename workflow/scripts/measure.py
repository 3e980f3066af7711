"""What a figure shows that is no score; what is there, and was made under the same specification, stays."""

from pathlib import Path

from ockham.errors import one_line
from ockham.io.netcdf import is_made_under
from ockham.studies.loading import load
from ockham.studies.products import write_measured

with one_line(snakemake.log[0]):
    if not is_made_under(Path(snakemake.output[0]), snakemake.params.specification):
        study, name = load(snakemake.params.config), snakemake.wildcards.measurement
        write_measured(snakemake.output[0], study, name, snakemake.input[0])
