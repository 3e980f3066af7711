"""What the committed figures were made from."""

import json

from ockham.errors import one_line
from ockham.io.whole_files import replacing_file
from ockham.studies.costs import manifest
from ockham.studies.loading import load

parts = zip(snakemake.params.configs, snakemake.input, snakemake.params.benchmarks, strict=True)
with one_line(), replacing_file(snakemake.output[0]) as path:
    content = [manifest(load(config), config, scores, benchmarks) for config, scores, benchmarks in parts]
    path.write_text(json.dumps(content if len(content) > 1 else content[0], indent=2) + "\n")
