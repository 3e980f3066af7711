"""One published figure as PDF and PNG."""

from ockham.errors import one_line
from ockham.io.commit import check_publishable
from ockham.studies.products import write_figure

with one_line(snakemake.log[0]):
    check_publishable(snakemake.output[0], snakemake.config.get("unclean", False))
    write_figure(snakemake.output, snakemake.params.function, snakemake.input[0])
