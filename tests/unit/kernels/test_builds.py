"""Every function of every kernel gives the same bits in every build that this processor can run.

Source of truth: the build for the baseline. Other data are the control: with them every digest must be another.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ockham import kernels
from ockham.kernels import VECTORS

REPOSITORY = Path(__file__).parents[3]
TOUR = Path(__file__).parents[2] / "reference/every_kernel.py"
OF_SIZES_ONLY = {f"{kernel}.work_size" for kernel in kernels.__all__} | {"complete_data.log_beta"}


def digests(vector, seed=1):
    """Function to the digest of what it gave."""
    command = [sys.executable, "-W", "error", TOUR, str(seed)]
    done = subprocess.run(command, env=os.environ | {"OCKHAM_VECTOR": vector}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == vector
    return dict(line.split() for line in lines)


@pytest.mark.skipif(len(VECTORS) == 1, reason="the kernels are built for one vector width, or the processor has one")
def test_every_vector_width_gives_the_same_bits():
    baseline, other = digests("baseline"), digests("baseline", seed=2)
    assert len(baseline) >= 30
    assert {name for name in baseline if baseline[name] == other[name]} <= OF_SIZES_ONLY
    for vector in VECTORS:
        assert digests(vector) == baseline


def test_an_unknown_vector_width_is_refused():
    command = [sys.executable, "-c", "import ockham.kernels"]
    done = subprocess.run(command, env=os.environ | {"OCKHAM_VECTOR": "sse9"}, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"'sse9': it can be {', '.join(VECTORS)}; or leave it unset" in done.stderr


# An import where only one vector width was built, whatever the processor takes.
ONE_BUILD = """
import importlib.util, sys, types
processor = sys.modules["ockham.kernels.processor"] = types.ModuleType("processor")
processor.vectors = lambda: ["avx512", "avx2", "baseline"]
find = importlib.util.find_spec
importlib.util.find_spec = lambda name: find(name) if sys.argv[1] in name else None
from ockham.kernels import VECTOR, VECTORS
print(VECTOR, *VECTORS)
"""


def import_of_one_build(vector):
    command = [sys.executable, "-c", ONE_BUILD, vector]
    return subprocess.run(command, env=os.environ | {"OCKHAM_VECTOR": ""}, capture_output=True, text=True)


def test_only_vector_widths_that_were_built_are_offered():
    for vector in VECTORS:
        assert import_of_one_build(vector).stdout.split() == [vector, vector]


def test_kernels_of_which_none_fits_the_processor_are_refused():
    done = import_of_one_build("another")
    assert done.returncode != 0
    assert "ImportError: the kernels were built for another processor: install again" in done.stderr


def test_every_kernel_is_built_and_imported():
    """Source of truth: the files of the folder."""
    files = {path.stem for path in (REPOSITORY / "src/ockham/kernels").glob("*.pyx")} - {"processor"}
    build = (REPOSITORY / "meson.build").read_text(encoding="utf-8")
    listed = re.search(r"^kernels = \[(.*?)^\]", build, re.MULTILINE | re.DOTALL)[1]
    assert set(re.findall(r"'(\w+)'", listed)) == files
    assert set(kernels.__all__) - {"VECTOR"} == files
