"""The page of a study: its figures and tables in one file."""

from pathlib import Path

from ockham.errors import one_line
from ockham.io.commit import check_publishable
from ockham.studies.loading import load
from ockham.studies.pages import write_page
from ockham.studies.shown import record_of

with one_line(snakemake.log[0]):
    check_publishable(snakemake.output[0], snakemake.config.get("unclean", False))
    studies = [load(config) for config in snakemake.params.configs]
    record = record_of(studies)
    by_name = [{Path(file).stem: file for file in files} for files in (snakemake.input.figures, snakemake.input.tables)]
    write_page(snakemake.output[0], snakemake.wildcards.study, record, *by_name, studies[0].rests_on)
