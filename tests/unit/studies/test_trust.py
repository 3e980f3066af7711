"""Nothing that is read is executed, and what is downloaded is what it should be.

Source of truth: the syntax trees of the package and of the workflow's scripts.
"""

import ast
import re
from pathlib import Path

import pytest

import ockham
from ockham.errors import DataError
from ockham.io import download
from ockham.networks.data import real
from ockham.orders.data import structure_data

PACKAGE = Path(ockham.__file__).parent
REPOSITORY = Path(__file__).parents[3]
SOURCES = [*sorted(PACKAGE.rglob("*.py")), *sorted((REPOSITORY / "workflow").rglob("*.py"))]
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "jsonpickle", "runpy", "code"}
CALLS = {"eval", "exec", "compile", "__import__", "input"}
UNSAFE_YAML = {"load", "load_all", "unsafe_load", "unsafe_load_all", "full_load", "full_load_all", "UnsafeLoader"}


def unsafe(text):
    """What in a source could execute what it reads."""
    found = []
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found += [f"import {name}" for name in names if name.split(".")[0] in MODULES]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            found.append(node.func.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found += [f"{node.value.id}.{node.attr}"] * (node.value.id == "yaml" and node.attr in UNSAFE_YAML)
            found += [f"os.{node.attr}"] * (node.value.id == "os" and node.attr in ("system", "popen"))
        if isinstance(node, ast.keyword):
            is_false = isinstance(node.value, ast.Constant) and not node.value.value
            found += [node.arg] * (node.arg in ("allow_pickle", "shell") and not is_false)
            found += ["verify=False"] * (node.arg == "verify" and is_false)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_source_executes_what_it_reads(path):
    assert unsafe(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import pickle", "from joblib import load", "eval(x)", "exec(x)", "yaml.load(f)", "yaml.unsafe_load(f)",
        "np.load(f, allow_pickle=True)", "os.system(x)", "subprocess.run(x, shell=True)", "get(x, verify=False)",
    ],
)  # fmt: skip
def test_what_would_execute_is_found(text):
    assert unsafe(text)


def test_every_address_that_is_fetched_is_of_https():
    """In all sources, but for names of formats; so no address can be without the check of its certificate."""
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES}
    assert all("http://" not in text for text in texts.values())
    fetching = {path.name for path, text in texts.items() if re.search(r"pooch|urllib|requests|urlopen", text)}
    assert fetching == {"download.py"}
    assert download.UCI.startswith("https://")


def test_only_addresses_of_https_are_fetched(monkeypatch):
    monkeypatch.delenv("OCKHAM_DATA", raising=False)
    monkeypatch.setattr("pooch.retrieve", lambda *_, **__: pytest.fail("fetched"))
    for url in ("http://example.org/table.data", "ftp://example.org/table.data", "file:///etc/passwd"):
        with pytest.raises(DataError, match="only https"):
            download.archive_file(url)


def test_every_data_set_has_the_digest_of_its_content():
    digests = [*structure_data.DIGESTS.values(), *(data_set.digest for data_set in real.DATA_SETS.values())]
    assert structure_data.DIGESTS.keys() == structure_data.DATA_SETS.keys()
    assert len(set(digests)) == len(digests)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
