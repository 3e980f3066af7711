"""One published figure as PDF and PNG."""

from ockham.errors import one_line
from ockham.families import load
from ockham.io.figures import save
from ockham.io.source_tree import check_publishable
from ockham.studies.collecting import open_store

with one_line(), open_store(snakemake.input[0]) as summaries:
    check_publishable(snakemake.output[0], snakemake.config.get("unclean", False))
    figure = load(snakemake.params.function)(summaries)
for path in snakemake.output:
    save(figure, path)
