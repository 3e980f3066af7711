"""Algorithms on restricted Boltzmann machines, one a file."""
