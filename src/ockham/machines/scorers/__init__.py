"""Estimators of ln p(D | m) for restricted Boltzmann machines, in the shape of the other scorers.

A scorer has ``ESTIMATES``, ``Settings`` and ``score(model, data, settings, stream) -> dict[str, Evidence]``, with a
``RestrictedBoltzmann`` and ``BinaryRows``. ``BOLTZMANN_SCORERS`` is the registry.
"""

from ockham.machines.scorers import ais, bic, cross_validation, langevin, laplace

__all__ = ["BOLTZMANN_SCORERS"]

BOLTZMANN_SCORERS = {
    "ais": ais,
    "laplace": laplace,
    "bic": bic,
    "langevin": langevin,
    "cross_validation": cross_validation,
}
