"""One published figure as PDF and PNG."""

from ockham.errors import one_line
from ockham.families import load
from ockham.io.figures import save
from ockham.studies.collecting import open_store

with one_line(), open_store(snakemake.input[0]) as summaries:
    figure = load(snakemake.params.function)(summaries)
for path in snakemake.output:
    save(figure, path)
