"""What every store says of where it was made follows what NumPy uses there.

Source of truth: NumPy, told to use nothing beyond its least.
"""

import os
import subprocess
import sys

import numpy as np

FOUND = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])


def simd(**environment):
    code = "from ockham.io.netcdf import provenance; print(provenance()['numpy_simd'])"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_vector_extensions_that_numpy_uses_are_told():
    assert simd() == (" ".join(FOUND) or "none")
    assert simd(NPY_DISABLE_CPU_FEATURES=" ".join(FOUND)) == "none"
