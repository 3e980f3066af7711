"""Every block of a study into one labelled store."""

from ockham.errors import one_line
from ockham.studies.loading import load
from ockham.studies.products import write_scores

with one_line(snakemake.log[0]):
    write_scores(snakemake.output[0], load(snakemake.params.config), snakemake.params.blocks, snakemake.input.data)
