"""Estimators of ln p(D | m), one a file and in one shape.

A scorer is a module with ``ESTIMATES`` (what each score it returns is), ``Settings`` and
``score(network, data, settings, stream) -> dict[str, Evidence]``. ``SCORERS`` is the registry.
"""

from ockham.networks.scorers import ais, candidate, em, em_ml, exact, laplace, vb, vb_from_cs

__all__ = ["SCORERS"]

SCORERS = {
    "em": em,
    "em_ml": em_ml,
    "vb": vb,
    "exact": exact,
    "ais": ais,
    "candidate": candidate,
    "vb_from_cs": vb_from_cs,
    "laplace": laplace,
}
