"""One published figure as PDF and PNG."""

from ockham.collecting import open_store
from ockham.errors import one_line
from ockham.plots import FIGURES, save

with one_line(), open_store(snakemake.input[0]) as summaries:
    figure = FIGURES[snakemake.params.paper][snakemake.wildcards.figure](summaries)
for path in snakemake.output:
    save(figure, path)
