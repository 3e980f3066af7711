"""What the committed figures were made from."""

import json

from ockham.errors import one_line
from ockham.io.whole_files import replacing_file
from ockham.studies.costs import manifest
from ockham.studies.loading import load

parts = zip(snakemake.params.configs, snakemake.input.scores, snakemake.params.benchmarks, strict=True)
about = {"lock": snakemake.input.lock, "place": snakemake.output[0], "unclean": snakemake.config.get("unclean", False)}
with one_line(), replacing_file(snakemake.output[0]) as path:
    content = [manifest(load(config), config, scores, benchmarks, **about) for config, scores, benchmarks in parts]
    path.write_text(json.dumps(content if len(content) > 1 else content[0], indent=2) + "\n")
