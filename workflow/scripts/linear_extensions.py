"""What counting the linear extensions of random graphs costs."""

from ockham.errors import one_line
from ockham.extension_times import extension_times
from ockham.streams import Stream
from ockham.studies import load
from ockham.whole_files import replacing_file

with one_line():
    study = load(snakemake.params.config)
    stream = Stream(study.root_seed, "linear extensions", study.paper or study.study)
    with replacing_file(snakemake.output[0]) as path:
        extension_times(**snakemake.params.settings, stream=stream).to_netcdf(path)
