"""What a figure shows that is no score."""

from ockham.errors import one_line
from ockham.families import measurement
from ockham.io.netcdf import write
from ockham.studies.loading import load
from ockham.studies.records import read_draw

with one_line():
    study, name = load(snakemake.params.config), snakemake.wildcards.measurement
    measure = measurement(study.family.name, name).measure
    write(snakemake.output[0], measure(study, read_draw(snakemake.input[0], study), study.measurement_settings[name]))
