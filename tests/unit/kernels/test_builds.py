"""Every function of every kernel gives the same bits in every build that this processor can run.

Source of truth: the build for the baseline. Other data are the control: with them every digest must be another.
"""

import importlib.util
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
NAMES = sorted(set(kernels.__all__) - {"VECTOR"})
OF_SIZES_ONLY = {f"{kernel}.work_size" for kernel in NAMES} | {"complete_data.log_beta"}


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


# An import where some builds are there, whatever the processor takes: prints the widths, and what is loaded.
OTHER_BUILDS = """
import importlib.util, sys, types
processor = sys.modules["ockham.kernels.processor"] = types.ModuleType("processor")
processor.vectors = lambda: ["avx512", "avx2", "baseline"]
built, loaded, load = sys.argv[1:], [], importlib.import_module


def find_spec(name):
    return any(f"{name}.".startswith(f"ockham.kernels.{part}.") for part in built) or None


def import_module(name, package=None):
    is_kernel = name.startswith("ockham.kernels.") and not name.endswith("processor")
    return loaded.append(name) if is_kernel else load(name, package)


importlib.util.find_spec, importlib.import_module = find_spec, import_module
from ockham.kernels import VECTOR, VECTORS
print(VECTOR, *VECTORS)
print(*(name.removeprefix("ockham.kernels.") for name in loaded))
"""


def import_of(*built, vector=""):
    command = [sys.executable, "-c", OTHER_BUILDS, *built]
    return subprocess.run(command, env=os.environ | {"OCKHAM_VECTOR": vector}, capture_output=True, text=True)


def test_only_vector_widths_that_were_built_are_offered():
    for vector in ("baseline", "avx2", "avx512"):
        widths, loaded = import_of(vector).stdout.splitlines()
        assert widths.split() == [vector, vector]
        assert sorted(loaded.split()) == [f"{vector}.{kernel}" for kernel in NAMES]


def test_a_kernel_that_is_not_built_for_a_vector_width_is_the_next_below():
    built = "baseline", "avx2.em", "avx2.orders", "avx512.em"
    for vector, wide in {
        "": {"em": "avx512", "orders": "avx2"},
        "avx2": {"em": "avx2", "orders": "avx2"},
        "baseline": {},
    }.items():
        widths, loaded = import_of(*built, vector=vector).stdout.splitlines()
        assert widths.split() == [vector or "avx512", "avx512", "avx2", "baseline"]
        assert sorted(loaded.split()) == sorted(f"{wide.get(kernel, 'baseline')}.{kernel}" for kernel in NAMES)


def test_kernels_of_which_none_fits_the_processor_are_refused():
    done = import_of("another")
    assert done.returncode != 0
    assert "ImportError: the kernels were built for another processor: install again" in done.stderr


def in_build(name):
    """What a list or a dictionary of a build file is written as."""
    texts = (REPOSITORY / path for path in ("meson.build", "src/ockham/kernels/meson.build"))
    text = "".join(path.read_text(encoding="utf-8") for path in texts)
    return re.search(rf"^{name} = (?:files)?[({{](.*?)^[)}}]", text, re.MULTILINE | re.DOTALL)[1]


def test_every_kernel_is_built_and_imported():
    """Source of truth: the files of the folder."""
    folder = REPOSITORY / "src/ockham/kernels"
    files = {path.stem for path in folder.glob("*.pyx")} - {"processor"}
    assert set(re.findall(r"'(\w+)':", in_build("kernels"))) == files == set(NAMES)
    headers = {path.name for path in folder.glob("*.pxd")} - {"__init__.pxd"}
    assert set(re.findall(r"'([\w.]+)'", in_build("headers"))) == headers


@pytest.mark.skipif(len(VECTORS) == 1, reason="the kernels are built for one vector width, or the processor has one")
def test_the_kernels_that_gain_from_a_vector_width_are_built_for_it():
    """Source of truth: the list in the build file."""
    for kernel, wide in re.findall(r"'(\w+)': \[(.*?)\]", in_build("kernels")):
        for vector in VECTORS:
            found = importlib.util.find_spec(f"ockham.kernels.{vector}.{kernel}") is not None
            assert found == (vector == "baseline" or vector in wide), (vector, kernel)
