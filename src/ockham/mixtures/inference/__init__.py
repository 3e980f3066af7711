"""Algorithms on mixtures, one a file."""
