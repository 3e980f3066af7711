"""What each score costs, model by model."""

from ockham.cost_curves import cost_curves
from ockham.errors import one_line
from ockham.records import read_draw
from ockham.stores import write
from ockham.studies import load

with one_line():
    study = load(snakemake.params.config)
    curves = cost_curves(study, read_draw(snakemake.input[0], study))
    write(snakemake.output[0], curves)
