"""Threads of BLAS, whose number decides in which order it adds, and with it the last bits.

Source of truth: threadpoolctl, in an interpreter that has not loaded SciPy's BLAS yet.
"""

import subprocess
import sys
from os import environ

import pytest

from ockham.io.blas import VARIABLES

THREADS = """
import os
from threadpoolctl import threadpool_info
def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
def show(*given):
    import scipy.linalg
    print(threads())
    return given and run(*given)
"""
CALLS = {
    "command": """
from click.testing import CliRunner
import ockham.cli
before = threads()
ockham.cli.describe = lambda path: show()
print(CliRunner().invoke(ockham.cli.main, ["show", "any.nc"]).output.splitlines()[0])
""",
    "score": """
from ockham import families, naive_bayes, score
before, run = threads(), families.run
families.run = show
score(naive_bayes([2], [2])["classes-2"], [[0]], "exact", progress=False)
""",
    "evidence": """
import ockham.api.scoring
before, run = threads(), ockham.api.scoring.certify
ockham.api.scoring.certify = show
ockham.evidence(ockham.naive_bayes([2], [2])["classes-2"], [[0]], progress=False)
""",
}
AFTER = """
print([*before, *before] == threads(), os.environ["OPENBLAS_NUM_THREADS"], "MKL_NUM_THREADS" in os.environ)
"""


@pytest.mark.parametrize("call", CALLS)
def test_a_call_has_one_thread_in_a_library_too_that_it_loads(call):
    environment = {name: value for name, value in environ.items() if name not in VARIABLES}
    program = THREADS + CALLS[call] + AFTER
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment | {"OPENBLAS_NUM_THREADS": "2"}, capture_output=True, text=True
    )
    assert done.stderr == ""
    *during, after = done.stdout.splitlines()
    assert set(during) == {"[1, 1]"}
    assert after == "True 2 False"
