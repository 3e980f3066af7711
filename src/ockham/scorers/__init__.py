"""Estimators of ln p(D | m), one a file and in one shape.

A scorer is a module with ``ESTIMATES`` (what each score it returns is), ``Settings`` and
``score(network, data, settings, stream) -> dict[str, Evidence]``. ``SCORERS`` is the registry.
"""

from ockham.scorers import ais, em, exact, vb

__all__ = ["SCORERS"]

SCORERS = {
    "em": em,
    "vb": vb,
    "exact": exact,
    "ais": ais,
}
