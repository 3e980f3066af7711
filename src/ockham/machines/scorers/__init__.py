"""Estimators of the evidence of restricted Boltzmann machines, one a file: ``ockham.contracts.Scorer``."""
