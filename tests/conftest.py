"""Brings the kernels of an editable install up to date, before several processes of tests would try to at once."""

import ockham  # noqa: F401
