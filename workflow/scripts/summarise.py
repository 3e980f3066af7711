"""The summaries that figures and tables show, from every score of a study and of its conditions."""

from ockham.errors import one_line
from ockham.studies.loading import load
from ockham.studies.products import write_summaries

with one_line(snakemake.log[0]):
    measured = dict(zip(snakemake.params.measurements, snakemake.input.measured, strict=True))
    studies = [load(config) for config in snakemake.params.configs]
    write_summaries(snakemake.output[0], studies, snakemake.input.scores, measured)
