"""Every function of every kernel gives the same bits in every build that this processor can run.

Source of truth: the build for the baseline. Other data are the control: with them every digest must be another.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ockham.kernels import VECTORS

TOUR = Path(__file__).parents[2] / "reference/every_kernel.py"
OF_SIZES_ONLY = {"boltzmann.work_size", "boltzmann_annealing.work_size", "complete_data.log_beta"}


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
    assert len(baseline) >= 23
    assert {name for name in baseline if baseline[name] == other[name]} <= OF_SIZES_ONLY
    for vector in VECTORS:
        assert digests(vector) == baseline


def test_an_unknown_vector_width_is_refused():
    command = [sys.executable, "-c", "import ockham.kernels"]
    done = subprocess.run(command, env=os.environ | {"OCKHAM_VECTOR": "sse9"}, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"'sse9': it can be {', '.join(VECTORS)}; or leave it unset" in done.stderr
