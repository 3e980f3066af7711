"""What the committed figures were made from."""

import json
from pathlib import Path

from ockham.costs import manifest
from ockham.errors import one_line
from ockham.studies import load

parts = zip(snakemake.params.configs, snakemake.input, snakemake.params.benchmarks, strict=True)
with one_line():
    content = [manifest(load(config), config, scores, benchmarks) for config, scores, benchmarks in parts]
Path(snakemake.output[0]).write_text(json.dumps(content if len(content) > 1 else content[0], indent=2) + "\n")
