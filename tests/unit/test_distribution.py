"""The source distribution is complete.

Source of truth: the files that git keeps.
"""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_every_file_of_git_is_in_the_source_distribution(tmp_path):
    pytest.importorskip("mesonpy", reason="needs the build requirements: requirements/build.txt")
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone, and the distribution is made of what is committed")
    build = f"import mesonpy; print(mesonpy.build_sdist({str(tmp_path)!r}))"
    done = subprocess.run([sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    with tarfile.open(tmp_path / done.stdout.splitlines()[-1]) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    kept = subprocess.run(["git", "ls-tree", "-r", "--name-only", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    assert len(kept.stdout.split("\n")) > 500
    assert set(kept.stdout.splitlines()) - packed == set()
