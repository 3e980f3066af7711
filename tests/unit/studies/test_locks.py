"""The lock names, by hash, all that is installed for a published run, and a manifest tells where the two differ.

Sources of truth: ``pyproject.toml``, the installed distributions, and locks written by hand.
"""

import hashlib
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ockham.errors import StoreError
from ockham.studies.locks import differences, digests, locked_versions

ROOT = Path(__file__).parents[3]
BUILD, RUN, DOCS = FILES = [ROOT / f"requirements/{name}.txt" for name in ("build", "run", "docs")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def of_extra(name):
    """What an extra lists, and what the extras that it names list."""
    lines = map(Requirement, EXTRAS[name])
    return [part for line in lines for part in ([str(line)] if line.name != "ockham" else of_extras(line.extras))]


def of_extras(names):
    return [line for name in sorted(names) for line in of_extra(name)]


@pytest.mark.parametrize(
    ("file", "required"),
    [
        (BUILD, [*PROJECT["build-system"]["requires"], "setuptools", "ninja"]),
        (RUN, [*PROJECT["project"]["dependencies"], *of_extra("test")]),
        (DOCS, [*PROJECT["project"]["dependencies"], *of_extra("docs")]),
    ],
    ids=["build", "run", "docs"],
)
def test_every_requirement_is_locked_at_a_version_that_it_allows(file, required):
    locked = locked_versions([file])
    assert len(required) > 4
    for requirement in map(Requirement, required):
        assert locked[canonicalize_name(requirement.name)] in requirement.specifier, requirement


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_distribution_is_locked_by_hash(file):
    entries = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE).strip())
    whole = r"[a-z0-9-]+==\S+( ; [^\n]*?)?( \\\n    --hash=sha256:[0-9a-f]{64})+"
    assert [entry for entry in entries if not re.fullmatch(whole, entry)] == []
    assert len(entries) >= len(locked_versions([file])) > 5


@pytest.mark.parametrize("file", [BUILD, DOCS], ids=["build", "docs"])
def test_the_files_agree(file):
    other, run = locked_versions([file]), locked_versions([RUN])
    shared = other.keys() & run.keys()
    assert {name: other[name] for name in shared} == {name: run[name] for name in shared}
    assert {"numpy", "packaging"} <= shared


def test_what_differs_from_a_lock_is_told(tmp_path):
    lock = tmp_path / "run.txt"
    lock.write_text(
        "# by hand\n"
        f"numpy=={version('numpy')} ; python_full_version >= '3.11' \\\n    --hash=sha256:{'0' * 64}\n"
        f"scipy==0.1 \\\n    --hash=sha256:{'0' * 64}\n"
        "pandas==0.1 ; sys_platform == 'none' \\\n    --hash=sha256:0\n"
        "no-such-distribution==1.0 \\\n    --hash=sha256:0\n"
    )
    assert locked_versions([lock]) == {"numpy": version("numpy"), "scipy": "0.1", "no-such-distribution": "1.0"}
    assert differences([lock]) == {"scipy": version("scipy")}
    assert digests([lock]) == {"run.txt": hashlib.sha256(lock.read_bytes()).hexdigest()}


def test_a_lock_that_is_not_there_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"run.txt: cannot be read \(No such file"):
        digests([tmp_path / "run.txt"])
