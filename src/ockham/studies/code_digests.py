"""A digest of the source that a module's numbers rest on: the module, and all that it imports, directly or not.

Snakemake does not see an edit of an imported module, and a stored value must not outlive the code that computed it. So
the digest of a scorer covers every source file of Ockham, and of the distribution that the scorer is from, that follows
from its imports and cimports. Content counts, not where it stands: a file that only moves changes nothing but the
imports of others. A package's ``__init__`` counts where a name is taken from it.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path

from ockham.errors import ConfigError

__all__ = ["ROOT", "code_digest", "source_files", "source_tree_digest"]

ROOT = Path(__file__).parents[1]
"""The folder of this package."""
CIMPORT = re.compile(r"^\s*from\s+([\w.]+)\s+c?import\s+(\([^)]*\)|.+)$|^\s*c?import\s+([\w.]+)", re.MULTILINE)


@lru_cache
def code_digest(*modules: str, also: tuple[str, ...] = ()) -> str:
    """SHA-256 over the content of ``source_files``."""
    return hashlib.sha256("".join(sorted(map(_content, source_files(*modules, also=also)))).encode()).hexdigest()


def source_files(*modules: str, also: tuple[str, ...] = ()) -> set[Path]:
    """The source files that modules rest on, such as ``ockham.networks.scorers.em``.

    Imports are followed within Ockham, the modules' own distributions, and those that ``also`` names.
    """
    given = {top for name in (*modules, *also) if (top := name.split(".")[0]) != "ockham"}
    folders = {"ockham": ROOT} | _beside(given) | {top: _folder(top) for top in given}
    found: set[Path] = set()
    waiting = [path for name in modules for path in _files(name, folders)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [file for module, name in _imports(path) for file in _named(module, name, folders)]
    return found


def source_tree_digest(root: Path = ROOT) -> str:
    """SHA-256 over every source file of the package in a folder."""
    hashed = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".pyx", ".pxd"):
            hashed.update(path.relative_to(root).as_posix().encode() + b"\0" + _content(path).encode() + b"\0")
    return hashed.hexdigest()


def _beside(tops: set[str]) -> dict[str, Path]:
    """Where the other packages and modules of the same distributions are, as far as these name them."""
    if not tops:
        return {}
    of = packages_distributions()
    own = {name for top in tops for name in of.get(top, ())}
    found = {}
    for top, names in of.items():
        spec = find_spec(top) if own.intersection(names) and top.isidentifier() and top != "ockham" else None
        if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
            found[top] = _folder(top)
    return found


def _folder(top: str) -> Path:
    """Where the source of a package, or of a single module, is."""
    spec = find_spec(top)
    if spec is None or spec.origin is None:
        raise ConfigError(f"{top}: has no __init__.py; give it one: a plug-in is a package of files, or a module")
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin


def _files(module: str, folders: dict[str, Path]) -> list[Path]:
    """The source files of a module, or of a package's own ``__init__``; none of a library's."""
    top, *parts = module.split(".")
    if top not in folders:
        return []
    if folders[top].is_file():
        return [folders[top]]
    stem = folders[top].joinpath(*parts)
    found = [path for suffix in (".py", ".pyx", ".pxd") if (path := stem.with_suffix(suffix)).is_file()]
    return found or [path for path in [stem / "__init__.py"] if path.is_file()]


def _named(module: str, name: str, folders: dict[str, Path]) -> list[Path]:
    """What ``from a import b`` names: ``a.b``, if there is such a module, or else ``a``."""
    return (_files(f"{module}.{name}", folders) if name else []) or _files(module, folders)


@lru_cache
def _imports(path: Path) -> list[tuple[str, str]]:
    """The modules that a file names, each with a name that is taken from it, or with none."""
    text = path.read_text(encoding="utf-8")
    return list(_of_python(path, text) if path.suffix == ".py" else _of_cython(text))


def _of_python(path: Path, text: str) -> Iterator[tuple[str, str]]:
    for node in _statements(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            above = _package(path)[: 1 - node.level or None] if node.level else []
            yield from ((".".join([*above, *filter(None, [node.module])]), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement in a node, whatever it stands in; expressions, which are most of a file, have no import."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for part in getattr(node, field, ()):
            yield part
            yield from _statements(part)


def _package(path: Path) -> list[str]:
    """The names of the packages that a file is in, from the outermost."""
    folders = list(takewhile(lambda folder: (folder / "__init__.py").is_file(), path.parents))
    return [folder.name for folder in reversed(folders)]


def _of_cython(text: str) -> Iterator[tuple[str, str]]:
    for module, names, whole in CIMPORT.findall(text):
        if whole:
            yield whole, ""
        for name in re.findall(r"\w+", names):
            yield module, name


def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
