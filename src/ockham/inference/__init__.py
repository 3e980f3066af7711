"""Algorithms that fit or sample a model: one a file, in one shape (State, init, step, run)."""
