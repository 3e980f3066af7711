"""Estimators of the evidence of discrete networks, one a file: ``ockham.contracts.Scorer``."""
