"""Discrete directed networks with hidden variables."""
