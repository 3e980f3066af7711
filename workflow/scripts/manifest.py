"""What the committed figures were made from."""

from ockham.errors import one_line
from ockham.studies.loading import load
from ockham.studies.products import write_manifest

with one_line():
    params = snakemake.params
    studies = [load(config) for config in params.configs]
    write_manifest(snakemake.output[0], studies, params.configs, snakemake.input, params.benchmarks)
