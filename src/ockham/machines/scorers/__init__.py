"""Estimators of the evidence of restricted Boltzmann machines, one a file: ``ockham.contracts.Scorer``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the type checker compares each with the contract
    from ockham.contracts import CheckedScorer
    from ockham.machines.data.binary_rows import BinaryRows
    from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
    from ockham.machines.scorers import ais, bic, cross_validation, langevin, laplace

    _ais: CheckedScorer[RestrictedBoltzmann, BinaryRows, ais.Settings] = ais
    _bic: CheckedScorer[RestrictedBoltzmann, BinaryRows, bic.Settings] = bic
    _cross_validation: CheckedScorer[RestrictedBoltzmann, BinaryRows, cross_validation.Settings] = cross_validation
    _langevin: CheckedScorer[RestrictedBoltzmann, BinaryRows, langevin.Settings] = langevin
    _laplace: CheckedScorer[RestrictedBoltzmann, BinaryRows, laplace.Settings] = laplace
