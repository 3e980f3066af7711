"""netCDF files to trust: written whole, labelled, with their provenance, and refused when they are damaged."""

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import netCDF4
import numpy as np

from ockham.errors import OckhamError, StoreError, UnreadableError
from ockham.io.arguments import file_path
from ockham.io.commit import commit
from ockham.io.whole_files import check_seal, replacing_file, seal

__all__ = [
    "add_labels",
    "add_variable",
    "check_given",
    "describe",
    "is_made_under",
    "opened",
    "provenance",
    "read_array",
    "read_attribute",
    "replacing",
    "write",
]

MAGIC = b"\x89HDF\r\n\x1a\n"
"""With which every netCDF file of the fourth version begins."""
MAX_VALUES = 10**9
"""Of a variable; more is no store of Ockham, and no memory has room for it."""


def describe(path: Path) -> str:
    """What a store holds, as text: attributes, then every group's dimensions and variables with their range."""
    check_given(path)
    with opened(path) as file:
        lines = [f"{path}"]
        lines += [f"  {name}: {file.getncattr(name)}" for name in file.ncattrs()]
        for group in _with_groups(file):
            lines.append(group.path if group is not file else "root")
            lines += [f"  dimension {name} = {len(dimension)}" for name, dimension in group.dimensions.items()]
            lines += [f"  {_summary(variable, _values(path, variable))}" for variable in group.variables.values()]
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


def check_given(path: Path) -> None:
    """Raise a StoreError for what a user has named, and is not there, or no netCDF file by name and content."""
    if not file_path(path, StoreError).is_file() or path.suffix == ".nc":
        return
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise StoreError(f"{path}: is no netCDF file; give one that ockham wrote")


def _with_groups(group: netCDF4.Dataset) -> Iterator[netCDF4.Dataset]:
    """A group and all groups in it, however deep."""
    yield group
    for each in group.groups.values():
        yield from _with_groups(each)


def _summary(variable: netCDF4.Variable, values: np.ndarray) -> str:
    text = f"{variable.name}({', '.join(variable.dimensions)})"
    if values.dtype.kind == "f":
        known = values[~np.isnan(values)]
        span = f"{known.min():.6g} to {known.max():.6g}" if known.size else "nothing"
        return f"{text}: {span} {getattr(variable, 'units', '')}, {known.size} of {values.size} known"
    if values.dtype.kind == "i" and values.size:
        return f"{text}: {values.min()} to {values.max()}"
    return f"{text}: {', '.join(map(str, values.ravel()[:3]))}{', ...' if values.size > 3 else ''}"


@lru_cache
def provenance() -> dict[str, str]:
    """Versions, commit, platform and what NumPy uses of the processor, for the attributes of a file."""
    return {
        "ockham_version": version("ockham"),
        "commit": commit(),
        "python_version": platform.python_version(),
        "numpy_version": np.__version__,
        "scipy_version": _scipy_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "numpy_simd": _numpy_simd(),
    }


def _numpy_simd() -> str:
    """Vector extensions that NumPy uses here; last bits of its exponentials and logarithms rest on them."""
    return " ".join(np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])) or "none"


def _scipy_version() -> str:
    """Of the SciPy that is there, which machines rest on; it is not imported, for that takes time."""
    try:
        return version("scipy")
    except PackageNotFoundError:
        return "absent"


def add_variable(
    file: netCDF4.Dataset, name: str, kind: str, dimensions: tuple[str, ...], values, long_name: str, units: str
) -> netCDF4.Variable:
    """A new variable, compressed, with its label and unit."""
    variable = file.createVariable(name, kind, dimensions, compression="zlib", complevel=1, fill_value=False)
    variable.long_name = long_name
    variable.units = units
    variable[:] = values
    return variable


def add_labels(file: netCDF4.Dataset, name: str, labels: tuple[str, ...]) -> None:
    """The labels of a dimension."""
    variable = file.createVariable(name, str, (name,))
    variable.long_name = f"Label of the {name}"
    variable[:] = np.array(labels, dtype=object)


@contextmanager
def replacing(path: Path) -> Iterator[netCDF4.Dataset]:
    """A new netCDF file that takes its name only when it is complete."""
    with replacing_file(path) as temporary:
        with netCDF4.Dataset(temporary, "w", format="NETCDF4") as file:
            yield file
        seal(temporary)


def write(path: str | Path, content, **options) -> None:
    """Store a tree or a dataset of xarray, with options of its ``to_netcdf``."""
    with replacing_file(path) as temporary:
        content.to_netcdf(temporary, **options)
        seal(temporary)


@contextmanager
def opened(path: Path) -> Iterator[netCDF4.Dataset]:
    """A file to read; refused when it is damaged or no store, or when the library fails at any part that is read.

    The library is not asked whether a file is damaged, for damage can make it hang.
    """
    try:
        check_seal(path)
        with netCDF4.Dataset(path, "r") as file:
            file.set_auto_mask(False)
            yield file
    except OckhamError:
        raise
    except (AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError) as error:
        raise UnreadableError(
            f"{path}: not a readable netCDF file ({error}); it may be truncated or foreign: move it away"
        ) from error


def is_made_under(path: Path, specification: str) -> bool:
    """Whether a file is a sound store of this specification."""
    try:
        with opened(path) as file:
            return read_attribute(path, file, "specification", str) == specification
    except StoreError:
        return False


def read_attribute(path: Path, file: netCDF4.Dataset, name: str, kind: type | None = None):
    """An attribute; of a kind, ``str`` or ``int``, if one is given."""
    try:
        value = file.getncattr(name)
    except AttributeError as error:
        raise StoreError(f"{path}: has no attribute {name!r}: not a store of Ockham; move the file away") from error
    if kind is None:
        return value
    if not isinstance(value, str if kind is str else np.integer):
        raise StoreError(f"{path}: attribute {name!r} is {value!r}, not {kind.__name__}; move the file away")
    return kind(value)


def read_array(
    path: Path,
    file: netCDF4.Dataset,
    name: str,
    dimensions: tuple[str, ...] | None = None,
    kind: str | None = None,
) -> np.ndarray:
    """A variable; of these dimensions and of this type, if they are given: of NumPy, ``i`` any integer, ``U`` text."""
    if name not in file.variables:
        raise StoreError(f"{path}: has no variable {name!r}: not a store of Ockham; move the file away")
    variable = file.variables[name]
    if dimensions is not None and variable.dimensions != dimensions:
        raise StoreError(
            f"{path}: variable {name!r} has dimensions {variable.dimensions}, not {dimensions}; move the file away"
        )
    if kind is not None and not _is_of(variable.dtype, kind):
        raise StoreError(f"{path}: variable {name!r} is of type {variable.dtype}, not {kind}; move the file away")
    return _values(path, variable)


def _is_of(dtype: np.dtype | type, kind: str) -> bool:
    if dtype is str or kind == "U":
        return dtype is str and kind == "U"
    return np.dtype(dtype).kind == "i" if kind == "i" else dtype == kind


def _values(path: Path, variable: netCDF4.Variable) -> np.ndarray:
    if variable.size > MAX_VALUES:
        raise StoreError(
            f"{path}: variable {variable.name!r} has {variable.size:,} values, over {MAX_VALUES:,}; move the file away"
        )
    return np.asarray(variable[:])
