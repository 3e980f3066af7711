"""Data sets: drawn, nested, and reduced to their unique rows."""
