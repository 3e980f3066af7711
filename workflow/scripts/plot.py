"""One published figure as PDF and PNG."""

from ockham.errors import one_line
from ockham.papers.figures import FIGURES, save
from ockham.studies.collecting import open_store

with one_line(), open_store(snakemake.input[0]) as summaries:
    figure = FIGURES[snakemake.params.paper][snakemake.wildcards.figure](summaries)
for path in snakemake.output:
    save(figure, path)
