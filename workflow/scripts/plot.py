"""One published figure as PDF and PNG."""

from ockham.errors import one_line
from ockham.studies.products import write_figure

with one_line():
    write_figure(snakemake.output, snakemake.params.function, snakemake.input[0])
