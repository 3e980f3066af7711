"""A distribution from outside in a folder of its own, and a working copy of the workflow that sees it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from workflow.conftest import Folder

HERE = Path(__file__).parent
COMPUTED = re.compile(r"(\w+) \S+: computed (\d+) of \d+ cells")


class Plugged(Folder):
    """A working copy of the workflow that finds the distributions of some folders, as if they were installed."""

    def plug(self, *sites):
        given = os.environ.get("PYTHONPATH", "")
        self.package = {"PYTHONPATH": os.pathsep.join([*map(str, sites), *filter(None, [given])])}
        return self

    def run(self, target):
        """The cells that a run computes, by entry of the scorers; those without a job are left out."""
        logs = self.path / "results/logs/tiny/score"
        shutil.rmtree(logs, ignore_errors=True)
        self.snakemake(target)
        said = [COMPUTED.search(log.read_text()) for log in logs.glob("*/*.log")]
        return {found[1]: int(found[2]) for found in said}

    def python(self, code):
        """What a program prints."""
        done = self.call(sys.executable, "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, *command, status=2):
        """What a command that must end with one message, and no traceback, says."""
        done = self.call(*command)
        said = done.stdout + done.stderr
        assert done.returncode == status, said
        assert "Traceback" not in said
        return said


def distribution(site, name, points, files=()):
    """A distribution as pip would leave it: its entry points, by group, and its files."""
    about = site / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        f"[ockham.{group}]\n" + "".join(f"{k} = {v}\n" for k, v in named.items()) for group, named in points.items()
    ]
    (about / "entry_points.txt").write_text("\n".join(lines))
    for path, text in dict(files).items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
    return site


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A folder in which pip has installed ockham-coins, without a network."""
    folder = tmp_path_factory.mktemp("site")
    source = shutil.copytree(HERE / "coins", folder / "coins")  # setuptools builds in it
    options = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", folder / "site")
    done = subprocess.run((sys.executable, "-m", "pip", "install", *options, source), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "site"
