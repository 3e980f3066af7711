"""A comparison of two netCDF files, of all that the library shows of them."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np

from ockham.io.netcdf import opened

__all__ = ["differences", "same_bits"]

TYPES = ("cmptypes", "vltypes", "enumtypes")
"""Types that a file may define; no store does."""


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are of one type and shape and hold the same bits, those of NaN too."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()


def differences(
    found: Path, expected: Path, exempt: Collection[str] = (), *, times: bool = True
) -> Iterator[tuple[str, str]]:
    """Where two files differ, and how: attributes, dimensions, variables and groups, names and content.

    How they are packed (compression, chunks) does not count.

    Parameters
    ----------
    found, expected : Path
    exempt : collection of str
        Attributes of the root that are not compared.
    times : bool
        Whether the values of variables in ``s`` are.

    Yields
    ------
    tuple of str
        A place, such as ``group em, variable map``, and the first difference there.

    Raises
    ------
    StoreError
        When a file cannot be read.
    """
    with opened(found) as left, opened(expected) as right:
        for file in (left, right):
            file.set_auto_maskandscale(False)
        if left.data_model != right.data_model:
            yield "format", f"is {left.data_model}, not {right.data_model}"
        yield from _of_group("", left, right, exempt, times)


def _of_group(
    place: str, found: netCDF4.Dataset, expected: netCDF4.Dataset, exempt: Collection[str], times: bool
) -> Iterator[tuple[str, str]]:
    yield from _of_attributes(place, found, expected, exempt)
    for kind in TYPES:
        for name in _names(getattr(found, kind), getattr(expected, kind)):
            yield f"{place}type {name}", "is no store's"
    for name, (one, other) in _pairs(found.dimensions, expected.dimensions):
        if one is None or other is None:
            yield f"{place}dimension {name}", _one_sided(one)
        elif (len(one), one.isunlimited()) != (len(other), other.isunlimited()):
            unlimited = [" and unlimited" if each.isunlimited() else "" for each in (one, other)]
            yield f"{place}dimension {name}", f"is {len(one)}{unlimited[0]}, not {len(other)}{unlimited[1]}"
    for name, (one, other) in _pairs(found.variables, expected.variables):
        if one is None or other is None:
            yield f"{place}variable {name}", _one_sided(one)
        else:
            yield from _of_variable(f"{place}variable {name}", one, other, times)
    for name, (one, other) in _pairs(found.groups, expected.groups):
        if one is None or other is None:
            yield f"{place}group {name}", _one_sided(one)
        else:
            yield from _of_group(f"{place}group {name}, ", one, other, (), times)


def _of_attributes(place: str, found: Any, expected: Any, exempt: Collection[str]) -> Iterator[tuple[str, str]]:
    there, wanted = ({name: of.getncattr(name) for name in of.ncattrs()} for of in (found, expected))
    for name in _names(there, wanted):
        if name in exempt:
            continue
        if name not in there or name not in wanted:
            yield f"{place}attribute {name}", _one_sided(there.get(name))
        elif not _same_attribute(there[name], wanted[name]):
            yield f"{place}attribute {name}", f"is {_shown(there[name])}, not {_shown(wanted[name])}"


def _of_variable(
    place: str, found: netCDF4.Variable, expected: netCDF4.Variable, times: bool
) -> Iterator[tuple[str, str]]:
    yield from _of_attributes(f"{place}, ", found, expected, ())
    kinds = [(str(each.datatype), each.dimensions, each.shape) for each in (found, expected)]
    if kinds[0] != kinds[1]:
        yield place, f"is {_shown(kinds[0])}, not {_shown(kinds[1])}"
        return
    if not times and getattr(expected, "units", "") == "s":
        return
    one, other = (np.asarray(each[:], dtype=object if each.dtype is str else None) for each in (found, expected))
    if same_bits(one, other):
        return
    index = np.argwhere(_unequal(one, other))
    first = tuple(index[0].tolist())
    yield place, f"at {first} is {_shown(one[first])}, not {_shown(other[first])}; {len(index)} of {one.size} differ"


def _unequal(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where the bits of two arrays of one type and shape differ."""
    if one.dtype == object:
        return np.asarray(one != other)
    parts = [np.frombuffer(each.tobytes(), np.uint8).reshape(*each.shape, -1) for each in (one, other)]
    unequal: np.ndarray = (parts[0] != parts[1]).any(axis=-1)
    return unequal


def _same_attribute(one: Any, other: Any) -> bool:
    return type(one) is type(other) and same_bits(np.asarray(one), np.asarray(other))


def _names(found: Collection[str], expected: Collection[str]) -> list[str]:
    """Those that are expected, in their order, and then any others."""
    return list(dict.fromkeys((*expected, *found)))


def _pairs(found: dict[str, Any], expected: dict[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    return ((name, (found.get(name), expected.get(name))) for name in _names(found, expected))


def _one_sided(found: object) -> str:
    return "is missing" if found is None else "should not be there"


def _shown(value: object) -> str:
    """A value on one line, not too long."""
    text = repr(value.item() if isinstance(value, np.generic) else value).replace("\n", " ")
    return text if len(text) <= 80 else f"{text[:80]}..."
