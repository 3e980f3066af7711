"""Every forgery of a store that changes one thing: a value, a name, a size, a type, something more or something less.

Each is sealed as Ockham does it, so that it reads well.
"""

import copy
import os
from functools import partial

import netCDF4
import numpy as np

from ockham.io.whole_files import seal

__all__ = ["try_forgeries"]

FILL = "_FillValue"
EVERY = int(os.environ.get("OCKHAM_EVERY_FORGERY", "32"))
"""One forgery in so many is tried; with 1 all are, which takes long."""
ANOTHER_TYPE = {"f8": "f4", "i8": "i4", "i4": "i8", "i2": "i4", "i1": "i2", "u1": "u2", "u8": "i8"}


def try_forgeries(path, kind, findings, is_exempt):
    """Try one forgery of a file in ``EVERY``, count those that are found, and demand all but what is exempt.

    A file rewritten without a change is sound, so what is found is the change.

    Parameters
    ----------
    path : Path
    kind : str
        What is printed beside the counts.
    findings : callable
        Returns what a verification finds wrong.
    is_exempt : callable
        Says of a place whether it may find nothing there.
    """
    rewrite(path)
    assert findings() == []
    tried, passed, n_exempt = 0, [], 0
    for i, (place, make) in enumerate(forgeries(path)):
        if (i + len(kind)) % EVERY:
            continue
        make()
        found = findings()
        if is_exempt(place):
            n_exempt += 1
            assert not found, (kind, place, found)
            continue
        tried += 1
        if not any(text.startswith(f"{path}: ") for text in found):
            passed.append(place)
    print(f"{kind}: {tried} forgeries tried, {tried - len(passed)} found; {n_exempt} of what is exempt")
    assert passed == [], passed
    assert tried > 30 // EVERY


def forgeries(path):
    """What each forgery of a file is of, as words, and what makes it; in the end the file is as it was."""
    whole = path.read_bytes()
    with netCDF4.Dataset(path) as file:
        content = _content(file)

    def edited(change):
        path.write_bytes(whole)
        with netCDF4.Dataset(path, "a") as file:
            change(file)
        seal(path)

    def rewritten(change):
        forged = copy.deepcopy(content)
        change(forged)
        _store(path, forged)

    for place, change in _edits(content):
        yield place, partial(edited, change)
    for place, change in _rewrites(content):
        yield place, partial(rewritten, change)
    path.write_bytes(whole)


def rewrite(path):
    """Write a file again without a change."""
    with netCDF4.Dataset(path) as file:
        content = _content(file)
    _store(path, content)


def _content(group):
    """What a file, or a group of one, holds."""
    return {
        "attributes": _attributes(group),
        "dimensions": {name: len(dimension) for name, dimension in group.dimensions.items()},
        "variables": {
            name: {
                "dimensions": variable.dimensions,
                "kind": variable.dtype,
                "values": _values(variable),
                "attributes": _attributes(variable),
            }
            for name, variable in group.variables.items()
        },
        "groups": {name: _content(below) for name, below in group.groups.items()},
    }


def _attributes(of):
    return {name: of.getncattr(name) for name in of.ncattrs()}


def _values(variable):
    variable.set_auto_maskandscale(False)
    return np.asarray(variable[...], dtype=object if variable.dtype is str else None)


def _store(path, content):
    path.unlink()
    with netCDF4.Dataset(path, "w", format="NETCDF4") as file:
        _fill(file, content)
    seal(path)


def _fill(group, content):
    group.setncatts(content["attributes"])
    for name, size in content["dimensions"].items():
        group.createDimension(name, size)
    for name, about in content["variables"].items():
        fill = None if about["kind"] is str else about["attributes"].get(FILL, False)
        variable = group.createVariable(name, about["kind"], about["dimensions"], fill_value=fill)
        variable.setncatts({key: value for key, value in about["attributes"].items() if key != FILL})
        _put(variable, about["values"])
    for name, below in content["groups"].items():
        _fill(group.createGroup(name), below)


def _put(variable, values):
    variable.set_auto_maskandscale(False)
    if values.size:
        variable[...] = values if values.ndim else values.item()


def _edits(content, group=""):
    """The forgeries that leave the rest of a file alone: what they are of, and a change of the opened file."""
    place = (group,) if group else ()

    def here(file):
        return file[group] if group else file

    yield from _of_attributes(content["attributes"], place, here)
    yield (*place, "dimension", "more"), lambda file: here(file).createDimension("more", 1)
    yield (*place, "variable", "more"), lambda file: here(file).createVariable("more", "f8", ())
    yield (*place, "group", "more"), lambda file: here(file).createGroup("more")
    for name, about in content["variables"].items():
        values, at = about["values"], (*place, "variable", name)

        def variable(file, name=name):
            return here(file)[name]

        yield from _of_attributes(about["attributes"], at, variable)
        if values.size:
            yield (*at, "value"), _putting(variable, _other(values, -1))
            like = np.full_like(values, np.nan if values.dtype.kind == "f" else values.flat[0])
            yield (*at, "another like it"), _adding(here, about | {"values": like})
        if values.ndim == 1 and (written := list(map(repr, values.tolist()))) != written[::-1]:
            yield (*at, "swapped"), _putting(variable, values[::-1])
    for name, below in content["groups"].items():
        yield from _edits(below, f"{group}/{name}".lstrip("/"))


def _of_attributes(content, place, reach):
    for name, value in content.items():
        if name != FILL:
            yield (*place, "attribute", name), _setting(reach, name, _another(value))
            yield (*place, "attribute", name, "removed"), lambda file, name=name: reach(file).delncattr(name)
    yield (*place, "attribute", "more"), _setting(reach, "more", "more")


def _setting(reach, name, value):
    return lambda file: reach(file).setncattr(name, value)


def _putting(reach, values):
    return lambda file: _put(reach(file), values)


def _adding(reach, about):
    def change(file):
        fill = None if about["kind"] is str else about["attributes"].get(FILL, False)
        variable = reach(file).createVariable("another", about["kind"], about["dimensions"], fill_value=fill)
        _put(variable, about["values"])

    return change


def _rewrites(content, group=()):
    """The forgeries that need a new file: what they are of, and a change of the content of the old."""

    def here(root):
        for name in group:
            root = root["groups"][name]
        return root

    for name, size in content["dimensions"].items():
        for change, by in (("longer", 1), *([("shorter", -1)] if size else [])):
            yield (*group, "dimension", name, change), lambda root, name=name, by=by: _resize(here(root), name, by)
    for name, about in content["variables"].items():
        yield (*group, "variable", name, "removed"), lambda root, name=name: here(root)["variables"].pop(name)
        if about["kind"] is not str:
            kind = ANOTHER_TYPE[np.dtype(about["kind"]).str[1:]]
            yield (
                (*group, "variable", name, "retyped"),
                lambda root, name=name, kind=kind: here(root)["variables"][name].update(kind=kind),
            )
    for name, below in content["groups"].items():
        yield (*group, "group", name, "removed"), lambda root, name=name: here(root)["groups"].pop(name)
        yield (
            (*group, "group", name, "copied"),
            lambda root, name=name: here(root)["groups"].update(more=here(root)["groups"][name]),
        )
        yield from _rewrites(below, (*group, name))


def _resize(content, name, by):
    """One more along a dimension, with the values of the last but a label of its own, or one fewer."""
    if name in content["dimensions"]:
        content["dimensions"][name] += by
    for label, about in content["variables"].items():
        for axis in [i for i, dimension in enumerate(about["dimensions"]) if dimension == name]:
            values = about["values"]
            n = values.shape[axis]
            if n:
                about["values"] = values.take([*range(n), n - 1] if by > 0 else range(n - 1), axis=axis)
            else:
                about["values"] = np.zeros((*values.shape[:axis], 1, *values.shape[axis + 1 :]), values.dtype)
            if label == name and by > 0:
                about["values"] = _other(about["values"], -1)
    for below in content["groups"].values():
        if name not in below["dimensions"]:
            _resize(below, name, by)


def _other(values, index):
    """The values with one of them changed as little as it can be."""
    values = values.copy()
    value = values.flat[index]
    if values.dtype == object:
        values.flat[index] = f"{value}x"
    elif values.dtype.kind == "f":
        values.flat[index] = np.nextafter(value, value + 1) if np.isfinite(value) else 0.5
    else:
        values.flat[index] = value ^ 1
    return values


def _another(value):
    return f"{value}x" if isinstance(value, str) else _other(np.atleast_1d(np.asarray(value)), 0)[0]
