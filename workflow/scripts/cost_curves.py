"""What each score costs, model by model."""

from ockham.cost_curves import cost_curves
from ockham.errors import one_line
from ockham.records import read_draw
from ockham.studies import load
from ockham.whole_files import replacing_file

with one_line():
    study = load(snakemake.params.config)
    curves = cost_curves(study, read_draw(snakemake.input[0], study))
    with replacing_file(snakemake.output[0]) as path:
        curves.to_netcdf(path)
