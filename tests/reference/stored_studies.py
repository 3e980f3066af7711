"""Studies computed by the ``ockham`` command, as the workflow does, and changes of what they stored."""

from contextlib import contextmanager

import netCDF4
import numpy as np
from click.testing import CliRunner

from ockham.cli import main
from ockham.io.netcdf import write
from ockham.io.whole_files import seal
from ockham.studies.collecting import collect
from ockham.studies.loading import load


def ockham(*arguments, status=0):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == status, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def compute(results, source):
    """The files of one study, or condition, as the workflow makes them."""
    study = load(source)
    folder, paths = results / study.name, {}
    data = [folder / f"data/replicate-{r:03d}.nc" for r in study.replicates.indices()]
    for replicate, path in zip(study.replicates.indices(), data, strict=True):
        ockham("draw", source, "--replicate", replicate, "--output", path)
    for scorer in study.scorers:
        paths[scorer] = [folder / f"scores/{scorer}/{block}.nc" for block in study.blocks(scorer)]
        for path in paths[scorer]:
            ockham("score", source, scorer, path.stem, *data, "--output", path)
            path.with_suffix(".done").touch()
    write(folder / "scores.nc", collect(study, paths, data), write_inherited_coords=True)


def verify(*arguments, status=0):
    return ockham("verify", "results", "--cells", 1000, *arguments, status=status).stdout.splitlines()


@contextmanager
def edited(path):
    """A store that is open for changes, and sealed again after them."""
    with netCDF4.Dataset(path, "a") as file:
        file.set_auto_mask(False)
        yield file
    seal(path)


def edit(path, name, index, change, group=None):
    with edited(path) as file:
        variable = (file[group] if group else file)[name]
        variable[index] = change(variable[index])


def last_bit(value):
    return np.nextafter(value, 0)
