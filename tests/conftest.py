"""Brings the kernels of an editable install up to date, before several processes of tests would try to at once.

Files that run workflows come first, for they take longest: a process that has one last keeps the others waiting.
"""

import ockham  # noqa: F401

LONGEST = "workflow", "plugin"


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)
