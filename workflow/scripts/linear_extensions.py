"""What counting the linear extensions of random graphs costs."""

from ockham.errors import one_line
from ockham.io.netcdf import write
from ockham.orders.extension_times import extension_times
from ockham.streams import Stream
from ockham.studies import load

with one_line():
    study = load(snakemake.params.config)
    stream = Stream(study.root_seed, "linear extensions", study.paper or study.study)
    write(snakemake.output[0], extension_times(**snakemake.params.settings, stream=stream))
