"""Threads of BLAS, whose number decides in which order it adds, and with it the last bits.

Source of truth: threadpoolctl, in an interpreter that has not loaded SciPy's BLAS yet.
"""

import importlib
import subprocess
import sys
from os import environ
from threading import Barrier, Thread

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from ockham.io.blas import VARIABLES, one_blas_thread

PROGRAM = """
import importlib, os, sys
import numpy as np, ockham, pandas
from threadpoolctl import threadpool_info

class Seen(Exception):
    pass

def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

def show(*given, **also):
    import scipy.linalg
    print(threads(), flush=True)
    raise Seen

inner = importlib.import_module(MODULE)
model, one_class = ockham.naive_bayes([2], [2])["classes-2"], ockham.naive_bayes([1], [2])["classes-1"]
rows, before = np.array([[0], [1]]), threads()
setattr(inner, NAME, show)
try:
    CALL
except Seen:
    pass
print(before, set(threads()), os.environ["OPENBLAS_NUM_THREADS"], "MKL_NUM_THREADS" in os.environ)
"""
CALLS = {
    "command": (
        "ockham.cli", "describe", "from click.testing import CliRunner; print(CliRunner().invoke(inner.main, "
        "['show', 'any.nc']).output.splitlines()[0])"
    ),
    "score": ("ockham.families", "run", "ockham.score(model, rows, 'exact', progress=False)"),
    "evidence": ("ockham.api.scoring", "certify", "ockham.evidence(model, rows, progress=False)"),
    "select": ("ockham.api.selecting", "select_categorical", "ockham.select(rows, [1, 2], progress=False)"),
    "fit_classes": ("ockham.api.fitting", "fit_categorical", "ockham.fit_classes(model, rows, progress=False)"),
    "compare": (
        "ockham.networks.comparisons.comparing", "compared",
        "ockham.compare({'one': model, 'two': model}, pandas.DataFrame({'y1': [0, 1]}), progress=False)"
    ),
    "search": ("ockham.networks.searches.searching", "searched", "ockham.search(rows, progress=False)"),
    **{
        name: (module, inner, f"ockham.fit_classes(one_class, rows, progress=False).{call}")
        for name, module, inner, call in [
            ("memberships", "ockham.table_results.fitted.classes", "memberships", "memberships"),
            ("log_predictive", "ockham.table_results.fitted.classes", "log_predictive", "log_predictive(rows)"),
            ("check", "ockham.networks.classes.checks", "predictive_checks", "check()"),
        ]
    },
    "arcs": ("ockham.orders.learning", "_posterior", "ockham.arcs(np.repeat(rows, 2, axis=1), progress=False)"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_call_has_one_thread_in_a_library_too_that_it_loads(name):
    module, inner, call = CALLS[name]
    program = PROGRAM.replace("MODULE", repr(module)).replace("NAME", repr(inner)).replace("CALL", call)
    environment = {name: value for name, value in environ.items() if name not in VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment | {"OPENBLAS_NUM_THREADS": "2"}, capture_output=True, text=True
    )
    assert done.stderr == ""
    *during, after = done.stdout.splitlines()
    assert set(during) == {"[1, 1]"}
    assert after == "[2] {2} 2 False"


def threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_tests_have_one_thread_too():
    importlib.import_module("scipy.linalg")
    assert threads() == {1}


def test_the_last_of_several_threads_lifts_the_limits():
    def work():
        with one_blas_thread():
            both.wait()
            left.wait()
            seen.append(threads())

    both, left, seen = Barrier(2, timeout=60), Barrier(2, timeout=60), []
    with threadpool_limits(2, user_api="blas"):
        other = Thread(target=work)
        with one_blas_thread():
            other.start()
            both.wait()
        seen.append(threads())
        left.wait()
        other.join()
        assert seen == [{1}, {1}]
        assert threads() == {2}
