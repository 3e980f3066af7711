"""What the committed figures were made from."""

from pathlib import Path

from ockham.costs import manifest
from ockham.studies import load

config = snakemake.params.config
text = manifest(load(config), config, snakemake.input[0], snakemake.params.benchmarks)
Path(snakemake.output[0]).write_text(text)
