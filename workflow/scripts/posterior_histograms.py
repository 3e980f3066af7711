"""Posterior densities of single parameters of one machine."""

from ockham.errors import one_line
from ockham.posterior_histograms import posterior_histograms
from ockham.records import read_draw
from ockham.studies import load
from ockham.whole_files import replacing_file

with one_line():
    study = load(snakemake.params.config)
    with replacing_file(snakemake.output[0]) as path:
        posterior_histograms(study, read_draw(snakemake.input[0], study)).to_netcdf(path)
