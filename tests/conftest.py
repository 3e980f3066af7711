"""Brings the kernels of an editable install up to date, before several processes of tests would try to at once.

Files that run workflows come first, for they take longest: a process that has one last keeps the others waiting.
"""

import signal

import ockham  # noqa: F401

LONGEST = "workflow", "plugin"


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)


def pytest_configure():
    """A shell starts what it has in the background deaf to Ctrl-C, which some tests press."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
