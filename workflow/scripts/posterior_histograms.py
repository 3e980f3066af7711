"""Posterior densities of single parameters of one machine."""

from ockham.errors import one_line
from ockham.posterior_histograms import posterior_histograms
from ockham.records import read_draw
from ockham.stores import write
from ockham.studies import load

with one_line():
    study = load(snakemake.params.config)
    write(snakemake.output[0], posterior_histograms(study, read_draw(snakemake.input[0], study)))
