"""Studies computed by the ``ockham`` command, as the workflow does, and changes of what they stored."""

from contextlib import contextmanager

import netCDF4
import numpy as np
from click.testing import CliRunner

from ockham.cli import main
from ockham.io.whole_files import seal
from ockham.studies.loading import load
from ockham.studies.products import write_measured, write_scores, write_summaries


def ockham(*arguments, status=0):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert status in (None, result.exit_code), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def compute(results, source):
    """The files of one study, or condition, as the workflow makes them, up to the store of all scores."""
    study = load(source)
    data, blocks = files_of(results, study)
    for replicate, path in zip(study.replicates.indices(), data, strict=True):
        ockham("draw", source, "--replicate", replicate, "--output", path)
    for scorer, paths in blocks.items():
        for path in paths:
            ockham("score", source, scorer, path.stem, *data, "--output", path)
            path.with_suffix(".done").touch()
    collect(results, source)
    for name in study.measurements:
        write_measured(results / study.name / f"{name}.nc", study, name, data[0])


def files_of(results, study):
    """The files of a study's data, and of the blocks of its entries."""
    folder = results / study.name
    data = [folder / f"data/replicate-{r:03d}.nc" for r in study.replicates.indices()]
    return data, {s: [folder / f"scores/{s}/{block}.nc" for block in study.blocks(s)] for s in study.scorers}


def collect(results, source):
    """The store of all scores of a study, from the files that are there."""
    study = load(source)
    data, blocks = files_of(results, study)
    write_scores(results / study.name / "scores.nc", study, blocks, data)


def summarise(results, sources):
    """The summaries of a study, or of all its conditions, whose path is returned."""
    studies = [load(source) for source in sources]
    path = results / studies[0].study / "summaries.nc"
    measured = {name: results / study.name / f"{name}.nc" for study in studies for name in study.measurements}
    write_summaries(path, studies, [results / study.name / "scores.nc" for study in studies], measured)
    return path


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
