"""Algorithms on node orders and graphs, one a file."""
