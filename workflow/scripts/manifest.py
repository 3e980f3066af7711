"""What the committed figures were made from."""

from pathlib import Path

from ockham.costs import manifest

text = manifest(snakemake.params.config, snakemake.input[0], snakemake.params.benchmarks)
Path(snakemake.output[0]).write_text(text)
