"""Data of machines: rows of binary units."""
