"""Algorithms on discrete networks, one a file."""
