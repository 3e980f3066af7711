"""Posterior densities of single parameters of one machine."""

from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.machines.posterior_histograms import posterior_histograms
from ockham.studies import load
from ockham.studies.records import read_draw

with one_line():
    study = load(snakemake.params.config)
    write(snakemake.output[0], posterior_histograms(study, read_draw(snakemake.input[0], study)))
