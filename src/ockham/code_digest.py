"""A digest of the source that a module's numbers depend on.

Snakemake does not see an edit of an imported module, and a stored value must not outlive the code that computed it. So
the digest of a scorer covers its own source and every source file of Ockham that it imports or cimports, directly or
not, in the layers that compute. Packages' ``__init__`` files, contracts and errors compute nothing and are left out.
"""

import ast
import hashlib
import re
from functools import lru_cache
from pathlib import Path

__all__ = ["code_digest", "source_tree_digest"]

ROOT = Path(__file__).parent
COMPUTING = (
    "datasets",
    "inference",
    "kernels",
    "models",
    "scorers",
    "streams",
    "studies",
    "collecting",
    "collecting_orders",
    "cost_curves",
    "costs",
    "extension_times",
    "order_estimates",
    "posterior_histograms",
    "timing",
)
CIMPORT = re.compile(r"^\s*from\s+ockham\.(\S+)\s+cimport", re.MULTILINE)


@lru_cache
def code_digest(module: str) -> str:
    """SHA-256 over the source files that ``ockham.<module>`` rests on, such as ``scorers.em``."""
    hashed = hashlib.sha256()
    for path in sorted(_closure(module)):
        hashed.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + _text(path) + b"\0")
    return hashed.hexdigest()


def source_tree_digest(root: Path = ROOT) -> str:
    """SHA-256 over every source file of the package in a folder."""
    hashed = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".pyx", ".pxd"):
            hashed.update(path.relative_to(root).as_posix().encode() + b"\0" + _text(path) + b"\0")
    return hashed.hexdigest()


def _closure(module: str) -> set[Path]:
    found: set[Path] = set()
    waiting = _files(module)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [file for name in _imports(path) for file in _files(name)]
    return found


def _files(module: str) -> list[Path]:
    """The source files of a module of a computing layer; none for a package or another name."""
    parts = module.split(".")
    if parts[0] not in COMPUTING:
        return []
    stem = ROOT.joinpath(*parts)
    return [path for suffix in (".py", ".pyx", ".pxd") if (path := stem.with_suffix(suffix)).exists()]


def _imports(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return CIMPORT.findall(text)
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "ockham":
            inside = node.module.removeprefix("ockham").lstrip(".")
            names += [inside, *(f"{inside}.{alias.name}".lstrip(".") for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name.removeprefix("ockham.") for alias in node.names if alias.name.startswith("ockham.")]
    return names


def _text(path: Path) -> bytes:
    return path.read_bytes().replace(b"\r\n", b"\n")
