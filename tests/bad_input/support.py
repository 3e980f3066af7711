"""What the tests of bad input share: a small study, its files, and what it means that a command line is refused."""

import copy
import re
from pathlib import Path

import netCDF4
import numpy as np
import yaml
from click.testing import CliRunner
from reference import tiny_study

from ockham.cli import main
from ockham.io.whole_files import SEAL_LENGTH, seal

STUDY = tiny_study.NETWORKS | {
    "structures": tiny_study.NETWORKS["structures"] | {"prior": 1.0},
    "only": ["1-1", "0-1"],
    "scorers": {"em": {"runs": 2, "settings": {"tolerance": 1e-5}}, "exact": {"sizes": [5], "replicates": [1]}},
}


class _Removed:
    def __repr__(self):
        return "removed"


REMOVED = _Removed()


LISTED = {
    "space": "listed",
    "structures": {
        "one": {"cardinalities": {"h": 2, "y": 2, "z": 3}, "parents": {"y": ["h"], "z": ["h"]}, "hidden": ["h"]},
        "two": {"cardinalities": {"y": 2, "z": 3}, "parents": {"z": ["y"]}},
    },
}


def changed(content, *changes):
    """A copy of a nested content with values set, or removed, at paths of keys: dotted, or tuples."""
    content = copy.deepcopy(content)
    for path, value in changes:
        *parents, last = path.split(".") if isinstance(path, str) else path
        place = content
        for key in parents:
            place = place[key]
        if value is REMOVED:
            del place[last]
        else:
            place[last] = value
    return content


def study_with(*changes):
    """The study with values set, or removed."""
    return changed(STUDY, *changes)


def listed(path=None, value=None):
    """The study with two listed structures, and one value of them set."""
    content = study_with(("only", REMOVED), ("true_structure", "one"), ("structures", copy.deepcopy(LISTED)))
    return content if path is None else changed(content, (("structures", "structures", *path), value))


def naive(**given):
    """The structures of a mixture."""
    return {"space": "naive_bayes", "classes": [2, 3], "feature_cardinalities": [2, 2], **given}


def write(path, content):
    """A file of these bytes, or of this content as YAML."""
    path.write_bytes(content if isinstance(content, bytes) else yaml.safe_dump(content, sort_keys=False).encode())
    return path


def sealed(path, change, content):
    """A file of a store's bytes with a change of all but their seal, and with a seal that fits."""
    write(path, change(content[:-SEAL_LENGTH]))
    seal(path)


def snapshot(folder):
    """Every file below a folder with its content, and every folder."""
    paths = sorted(Path(folder).rglob("*"))
    return [(str(p), p.read_bytes() if p.is_file() else p.is_dir()) for p in paths]


def refused(arguments, message, folder):
    """Run a command line; it must end with status 2, this message and nothing else: no traceback, no change."""
    before = snapshot(folder)
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.search(message, result.stderr, re.DOTALL), result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr) < 3000
    assert snapshot(folder) == before
    return result.stderr


def read_content(path):
    """What a netCDF file holds, as a nested content that ``changed`` takes and ``write_content`` writes."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        return {
            "attributes": {name: file.getncattr(name) for name in file.ncattrs()},
            "dimensions": {name: len(dimension) for name, dimension in file.dimensions.items()},
            "variables": {name: (v.dimensions, v.dtype, np.asarray(v[:])) for name, v in file.variables.items()},
        }


def write_content(path, content, form="NETCDF4"):
    """A netCDF file that holds a content; a variable whose values are None is declared and not written."""
    path.unlink(missing_ok=True)
    with netCDF4.Dataset(path, "w", format=form) as file:
        for name, value in content["attributes"].items():
            file.setncattr(name, value)
        for name, size in content["dimensions"].items():
            file.createDimension(name, size)
        for name, (dimensions, kind, values) in content["variables"].items():
            variable = file.createVariable(name, kind, dimensions, fill_value=False if kind is not str else None)
            if values is not None:
                variable[...] = values
    seal(path)


def retyped(name, kind, dimensions=None, values=None):
    """Change of a variable's type, dimensions and values."""

    def change(content):
        old = content["variables"][name]
        return changed(content, (("variables", name), (old[0] if dimensions is None else dimensions, kind, values)))

    return change


def attribute(name, value):
    return lambda content: changed(content, (("attributes", name), value))


def without(*path):
    return lambda content: changed(content, (path, REMOVED))


def resized(**sizes):
    """Change of the extent of dimensions; values are repeated or cut."""

    def change(content):
        content = changed(content, *((("dimensions", name), size) for name, size in sizes.items()))
        for name, (dimensions, kind, values) in content["variables"].items():
            shape = tuple(content["dimensions"][d] for d in dimensions)
            content["variables"][name] = dimensions, kind, np.resize(values, shape)
        return content

    return change


BYTES = {
    "nothing": lambda whole: b"",
    "one byte": lambda whole: whole[:1],
    "a hundredth": lambda whole: whole[: len(whole) // 100],
    "a third": lambda whole: whole[: len(whole) // 3],
    "all but one byte": lambda whole: whole[:-1],
    "all but the head": lambda whole: whole[8:],
    "zeros": lambda whole: bytes(len(whole)),
    "text": lambda whole: b"n,score\n1,2\n",
    "a head of netCDF-3": lambda whole: b"CDF\x01" + b"\xff" * 60,
    "a head of HDF5": lambda whole: whole[:64],
    "zeros after the head": lambda whole: whole[:512] + bytes(len(whole) - 512),
}


BIF_HEAD = """// a comment, and /* another
network "any text; { }" { property author "nobody"; property size = (1, 2); }
variable a { type discrete [ 2 ] { <5, >=5 }; property "place = (1, 2)"; }
variable b { type discrete[3] {x/y, "z z", 12+}; }  /* variable b { } */
variable c { type discrete [ 2 ] { no, yes }; }
probability ( a ) { table 0.25, .75; }
probability ( b ) { table 0.5 0.25 2.5e-1; }
"""
BIF_ROWS = [
    "(<5, x/y) 0, 1;", "(>=5, x/y) 0.125, 0.875;", '(<5, "z z") 0.25, 0.75;', '(>=5, "z z") 0.375, 0.625;',
    "(<5, 12+) 0.5, 0.5;", "(>=5, 12+) 0.75, 0.25;",
]  # fmt: skip
BIF_FORMS = {
    "rows": " ".join(BIF_ROWS),
    "rows and a default": " ".join(["default 0, 1;", *BIF_ROWS[1:]]),
    "one table": "table 0, 0.25, 0.5, 0.125, 0.375, 0.75, 1, 0.75, 0.5, 0.875, 0.625, 0.25;",
}
"""The probabilities of c given a and b, in every form that there is."""
