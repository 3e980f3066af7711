"""Kinds of items, one a file: each with its conjugate prior, in the same form for all."""
