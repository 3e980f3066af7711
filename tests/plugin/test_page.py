"""docs/adding_a_scorer.md does what it says.

Its files are written and its commands run, in order, in a working copy of the workflow with nothing else installed than
Ockham; every command must print what the page shows. What it has made is the distribution of tests/plugin/coins.
"""

import re
import shutil
from typing import NamedTuple

import pytest
from plugin.conftest import HERE, Plugged
from workflow.conftest import REPOSITORY, STUDY

PAGE = REPOSITORY / "docs/adding_a_scorer.md"
BLOCK = re.compile(r"(?:^`([^`\n]+)`(, at the end)?:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # by 0, pip means none
INSTALLED = "installed"


class Block(NamedTuple):
    """A block of code: a file, or what is added at its end, or commands with what they print."""

    file: str
    added: bool
    language: str
    text: str


def blocks(text):
    return [Block(file, bool(added), *rest) for file, added, *rest in BLOCK.findall(text)]


def commands(block):
    """Each command of a block of the console, with the output shown below it."""
    lines = [part.partition("\n") for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in lines]


def follow(text, folder):
    """Do what a page says; what its commands printed, each with what the page shows."""
    found = []
    for block in blocks(text):
        if block.file:
            path = folder.path / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a" if block.added else "x", encoding="utf-8") as file:
                file.write(block.text)
        for command, output in commands(block) if block.language == "console" else ():
            done = folder.call("bash", "-c", command)
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
            found.append((command, done.stdout, output))
    return found


def tree(folder):
    """The files of a distribution, without what builds leave."""
    built = {"__pycache__", "build", "ockham_coins.egg-info"}
    paths = [path for path in folder.rglob("*") if path.is_file() and not built & set(path.parts)]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture
def folder(tmp_path):
    folder = Plugged(tmp_path, STUDY).plug(tmp_path / INSTALLED)
    shutil.copytree(HERE / "coins", tmp_path / "tests/plugin/coins", ignore=shutil.ignore_patterns("__pycache__"))
    folder.package |= OFFLINE | {"PIP_TARGET": str(tmp_path / INSTALLED)}
    return folder


def test_every_block_is_a_file_or_commands():
    text = PAGE.read_text(encoding="utf-8")
    assert all(bool(block.file) != (block.language == "console") for block in blocks(text))
    assert 2 * len(blocks(text)) == text.count("\n```")


def test_the_page_prints_what_it_shows_and_makes_the_distribution(folder):
    for command, printed, shown in follow(PAGE.read_text(encoding="utf-8"), folder):
        assert printed == shown, command
    assert tree(folder.path / "ockham-coins") == tree(HERE / "coins")


def test_another_output_and_a_failing_command_are_noticed(folder):
    files = "`a.txt`:\n\n```text\n1\n```\n\n`a.txt`, at the end:\n\n```text\n2\n```\n\n"
    page = files + "```console\n$ cat a.txt\n1\n$ true\n```\n"
    assert follow(page, folder) == [("cat a.txt", "1\n2\n", "1\n"), ("true", "", "")]
    with pytest.raises(AssertionError, match="false"):
        follow("```console\n$ false\n```\n", folder)
