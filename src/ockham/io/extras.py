"""Extras of the distribution: what is not installed with Ockham itself, and the command that adds it."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import metadata
from importlib.util import find_spec

from ockham.errors import ConfigError

__all__ = ["check_importable", "naming_extras"]


@contextmanager
def naming_extras() -> Iterator[None]:
    """Context and decorator in which an absent module of an extra is an error that names the extra.

    Raises
    ------
    ConfigError
        With the module, and the command that installs its extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        extra = _extra_of(error.name or "")
        if extra is None:
            raise
        raise ConfigError(f"{error.name} is not installed, and this needs it; pip install 'ockham[{extra}]'") from error


@naming_extras()
def check_importable(*modules: str) -> None:
    """Refuse before work begins that ends in what a module of an extra does.

    Raises
    ------
    ConfigError
        With the first module that is absent, and the command that installs its extra.
    """
    for module in modules:
        if find_spec(module) is None:
            raise ModuleNotFoundError(name=module)


def _extra_of(module: str) -> str | None:
    """The first extra whose distributions include the one that a module is of, or none."""
    from packaging.requirements import Requirement  # slow to import, and only this error needs it
    from packaging.utils import canonicalize_name

    name = canonicalize_name(module.partition(".")[0])
    own = metadata("ockham")
    requirements = [Requirement(line) for line in own.get_all("Requires-Dist", ())]
    markers = [line.marker for line in requirements if canonicalize_name(line.name) == name != "ockham" and line.marker]
    extras = own.get_all("Provides-Extra", ())
    return next((extra for extra in extras if any(marker.evaluate({"extra": extra}) for marker in markers)), None)
