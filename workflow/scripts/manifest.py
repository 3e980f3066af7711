"""What the committed figures were made from."""

from ockham.errors import one_line
from ockham.studies.loading import load
from ockham.studies.products import write_manifest

with one_line(snakemake.log[0]):
    params, given = snakemake.params, snakemake.input
    studies = [load(config) for config in params.configs]
    unclean = snakemake.config.get("unclean", False)
    write_manifest(
        snakemake.output[0], studies, params.configs, given.scores, params.benchmarks, lock=given.lock, unclean=unclean
    )
