"""Brings the kernels of an editable install up to date, before several processes of tests would try to at once.

Files that run workflows come first, for they take longest: a process that has one last keeps the others waiting. BLAS
has one thread, as in the jobs of a workflow: where each process of tests has as many as there are cores, they wait for
one another most of the time.
"""

import os
import signal

from hypothesis import HealthCheck, settings

from ockham.io.blas import VARIABLES

os.environ.update(dict.fromkeys(VARIABLES, "1"))  # before NumPy is loaded

LONGEST = "workflow", "plugin"

# No test fails by the clock, for machines are slow, or have other work; and all examples may share a test's fixtures.
ALLOWED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("untimed", settings(), deadline=None, suppress_health_check=ALLOWED)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)


def pytest_configure():
    """A shell starts what it has in the background deaf to Ctrl-C, which some tests press."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
