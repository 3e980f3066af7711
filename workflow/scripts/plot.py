"""One published figure as PDF and PNG."""

import xarray as xr

from ockham.plots import FIGURES, save

with xr.open_datatree(snakemake.input[0]) as summaries:
    figure = FIGURES[snakemake.params.paper][snakemake.wildcards.figure](summaries)
for path in snakemake.output:
    save(figure, path)
