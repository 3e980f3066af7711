"""What each score costs, model by model."""

from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.networks.cost_curves import cost_curves
from ockham.studies import load
from ockham.studies.records import read_draw

with one_line():
    study = load(snakemake.params.config)
    curves = cost_curves(study, read_draw(snakemake.input[0], study))
    write(snakemake.output[0], curves)
