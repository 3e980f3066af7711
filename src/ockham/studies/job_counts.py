"""How many cells a job computed, and its CPU time, in a file beside Snakemake's benchmark of it.

Snakemake samples the CPU time of a job, after its first quarter of a minute every thirty seconds, and what follows the
last sample is not in its file; so a job tells its own.

A job that finds all cells computed costs nothing, and its benchmark takes the place of that of the job that computed
them. So these are kept as they were, under names of their own, until cells are computed again.
"""

import os
import shutil
from pathlib import Path

from ockham.io.whole_files import replacing_file

__all__ = ["kept", "write_count"]


def kept(path: Path) -> Path:
    """Where the benchmark, or the count, of the job that computed the cells is kept, if a later one computed none."""
    return path.with_suffix(f"{path.suffix}.kept")


def write_count(path: Path, n_computed: int) -> None:
    """Tell how many cells were computed, and the CPU seconds of this process and of those that it started.

    The file has the name of the benchmark but for its suffix.
    """
    both = path.with_suffix(".tsv"), path
    if n_computed:  # another job's benchmark would be taken for this one's, if it were killed before it has its own
        for file in (*map(kept, both), both[0]):
            file.unlink(missing_ok=True)
    elif all(file.exists() for file in both) and path.read_text(encoding="utf-8").split()[:1] != ["0"]:
        for file in both:
            shutil.copy2(file, kept(file))  # with its time
    with replacing_file(path) as temporary:
        temporary.write_text(f"{n_computed} {sum(os.times()[:4]):.2f}\n", encoding="utf-8")
